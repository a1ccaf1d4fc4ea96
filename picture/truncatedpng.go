package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image/png"
	"io"
)

// partOfPNG is a codec's partial. What can be inflated of a file that ends too
// early becomes a file of fewer rows. Interlaced files, which begin with every
// eighth pixel, are left alone.
func partOfPNG(r *io.SectionReader, width, height int) *part {
	const header = 8 + 8 + 13 + 4
	var head [header]byte
	if _, err := r.ReadAt(head[:], 0); err != nil || head[28] != 0 {
		return nil
	}
	var before [][]byte          // chunks that say what the pixels mean
	var data []*io.SectionReader // compressed pixels
	at, found := int64(header), false
	for range maxSegments {
		var h [8]byte
		if n, _ := r.ReadAt(h[:], at); n < 8 {
			found = true
			break
		}
		length, kind := int64(binary.BigEndian.Uint32(h[:])), string(h[4:])
		there := min(length, r.Size()-at-8)
		whole := at+8+length+4 <= r.Size()
		if whole && !checked(r, at, length) {
			return nil // that it ends too early is not all
		}
		switch {
		case kind == "IEND" && whole: // that is not what is wrong
			return nil
		case kind == "IDAT":
			data = append(data, io.NewSectionReader(r, at+8, there))
		case whole && length <= 3*256 && (kind == "PLTE" || kind == "tRNS"):
			chunk := make([]byte, 8+length+4)
			if _, err := r.ReadAt(chunk, at); err != nil {
				return nil
			}
			before = append(before, chunk)
		}
		if !whole {
			found = true
			break
		}
		at += 8 + length + 4
	}
	if !found || len(data) == 0 {
		return nil
	}

	// Twice, so that no more than a row is held: first to count them.
	inflated := func() (io.Reader, error) {
		all := make([]io.Reader, len(data))
		for i, s := range data {
			all[i] = rewound(s)
		}
		return zlib.NewReader(io.MultiReader(all...))
	}
	pixels, err := inflated()
	if err != nil {
		return nil
	}
	rows := 0
	row := make([]byte, 1+(int64(width)*int64(bitsOfPNG(head[24], head[25]))+7)/8)
	for rows < height {
		if _, err := io.ReadFull(pixels, row); err != nil {
			break
		}
		rows++
	}
	if rows == 0 {
		return nil
	}
	if pixels, err = inflated(); err != nil {
		return nil
	}
	binary.BigEndian.PutUint32(head[20:], uint32(rows))
	out := []io.Reader{bytes.NewReader(head[:8]), chunkOfPNG("IHDR", head[16:29])}
	for _, chunk := range before {
		out = append(out, bytes.NewReader(chunk))
	}
	out = append(out, newRowsOfPNG(pixels, row, rows), chunkOfPNG("IEND", nil))
	img, err := png.Decode(io.MultiReader(out...))
	if err != nil {
		return nil
	}
	return &part{image: img, rows: rows}
}

// rowsOfPNG gives rows as chunks, each with one.
type rowsOfPNG struct {
	pixels io.Reader
	row    []byte
	left   int // rows
	pack   *zlib.Writer
	packed bytes.Buffer
	chunk  io.Reader
}

func newRowsOfPNG(pixels io.Reader, row []byte, rows int) *rowsOfPNG {
	r := &rowsOfPNG{pixels: pixels, row: row, left: rows, chunk: bytes.NewReader(nil)}
	r.pack, _ = zlib.NewWriterLevel(&r.packed, zlib.NoCompression) // no error: the level exists
	return r
}

func (r *rowsOfPNG) Read(p []byte) (int, error) {
	for {
		n, err := r.chunk.Read(p)
		if n > 0 || err != io.EOF || r.left == 0 {
			return n, err
		}
		if _, err := io.ReadFull(r.pixels, r.row); err != nil {
			return 0, err
		}
		if _, err := r.pack.Write(r.row); err != nil {
			return 0, err
		}
		end := r.pack.Flush
		if r.left--; r.left == 0 {
			end = r.pack.Close
		}
		if err := end(); err != nil {
			return 0, err
		}
		r.chunk = chunkOfPNG("IDAT", bytes.Clone(r.packed.Bytes()))
		r.packed.Reset()
	}
}

// checked holds a whole chunk against its checksum.
func checked(r *io.SectionReader, at, length int64) bool {
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, io.NewSectionReader(r, at+4, 4+length)); err != nil {
		return false
	}
	var want [4]byte
	_, err := r.ReadAt(want[:], at+8+length)
	return err == nil && binary.BigEndian.Uint32(want[:]) == sum.Sum32()
}

func chunkOfPNG(kind string, body []byte) io.Reader {
	head := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), kind...)
	sum := crc32.NewIEEE()
	sum.Write(head[4:])
	sum.Write(body)
	return io.MultiReader(bytes.NewReader(head), bytes.NewReader(body), bytes.NewReader(binary.BigEndian.AppendUint32(nil, sum.Sum32())))
}

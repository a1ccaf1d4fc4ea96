package picture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// EXIF is a TIFF file without pixels, carried inside other files. Of all that
// cameras write there, only the orientation matters here.

const (
	tagBitsPerSample   = 258
	tagCompression     = 259
	tagOrientation     = 274
	tagSamplesPerPixel = 277
)

var errExif = errors.New("bad EXIF")

// A directory is the first list of tags of a TIFF file: 12 bytes a tag.
type directory struct {
	r       io.ReaderAt
	order   binary.ByteOrder
	entries []byte
}

// readDirectory reads the first directory of a TIFF file.
func readDirectory(r io.ReaderAt) (directory, error) {
	var head [8]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return directory{}, fmt.Errorf("%w: no header: %w", errExif, err)
	}
	d := directory{r: r}
	switch string(head[:4]) {
	case "II*\x00":
		d.order = binary.LittleEndian
	case "MM\x00*":
		d.order = binary.BigEndian
	default:
		return directory{}, fmt.Errorf("%w: it begins with %q, want II*\\0 or MM\\0*", errExif, head[:4])
	}
	at := int64(d.order.Uint32(head[4:]))
	var count [2]byte
	if _, err := r.ReadAt(count[:], at); err != nil {
		return directory{}, fmt.Errorf("%w: no directory at byte %d: %w", errExif, at, err)
	}
	d.entries = make([]byte, 12*int(d.order.Uint16(count[:]))) // at most 786 kB
	if n, err := r.ReadAt(d.entries, at+2); err != nil && n < len(d.entries) {
		return directory{}, fmt.Errorf("%w: the directory at byte %d has %d tags but ends early", errExif, at, len(d.entries)/12)
	}
	return d, nil
}

// value returns the first number of a tag, or missing where there is no such
// tag.
func (d directory) value(tag uint16, missing uint32) (uint32, error) {
	const short, long = 3, 4
	for e := d.entries; len(e) >= 12; e = e[12:] {
		if d.order.Uint16(e) != tag {
			continue
		}
		kind, count := d.order.Uint16(e[2:]), d.order.Uint32(e[4:])
		switch {
		case count == 0:
			return missing, fmt.Errorf("%w: tag %d is empty", errExif, tag)
		case kind == short && count <= 2:
			return uint32(d.order.Uint16(e[8:])), nil
		case kind == short: // too many for the entry: they lie elsewhere
			var v [2]byte
			if _, err := d.r.ReadAt(v[:], int64(d.order.Uint32(e[8:]))); err != nil {
				return missing, fmt.Errorf("%w: tag %d lies outside: %w", errExif, tag, err)
			}
			return uint32(d.order.Uint16(v[:])), nil
		case kind == long && count == 1:
			return d.order.Uint32(e[8:]), nil
		}
		return missing, fmt.Errorf("%w: tag %d has type %d, want a short number", errExif, tag, kind)
	}
	return missing, nil
}

// has reports whether there is such a tag.
func (d directory) has(tag uint16) bool {
	for e := d.entries; len(e) >= 12; e = e[12:] {
		if d.order.Uint16(e) == tag {
			return true
		}
	}
	return false
}

// orientation returns the orientation that a TIFF file or a block of EXIF
// asks for: 1 to 8, and 1 if it says nothing.
func orientation(r io.ReaderAt) (int, error) {
	d, err := readDirectory(r)
	if err != nil {
		return 0, err
	}
	v, err := d.value(tagOrientation, 1)
	if err != nil {
		return 0, err
	}
	if v < 1 || v > 8 {
		return 0, fmt.Errorf("%w: orientation %d, want 1 to 8", errExif, v)
	}
	return int(v), nil
}

func exifInTIFF(r *io.SectionReader) (int, error) { return orientation(r) }

// maxSegments bounds the walk through a file in search of EXIF. Files of
// hundreds of megabytes stay far below it.
const maxSegments = 1 << 16

// exifMark stands before EXIF in a JPEG file, and by mistake in some others.
const exifMark = "Exif\x00\x00"

// exifInJPEG walks the segments before the first scan.
func exifInJPEG(r *io.SectionReader) (int, error) {
	at := int64(2)
	for range maxSegments {
		var h [10]byte // FF, marker, length of 2, and perhaps the mark
		n, err := r.ReadAt(h[:], at)
		if n < 4 {
			return 0, fmt.Errorf("%w: no segment at byte %d: %w", errExif, at, err)
		}
		if h[0] != 0xFF {
			return 0, fmt.Errorf("%w: no marker at byte %d", errExif, at)
		}
		const fill, firstAlone, lastAlone, endOfImage, scan, app1 = 0xFF, 0xD0, 0xD8, 0xD9, 0xDA, 0xE1
		switch marker := h[1]; {
		case marker == fill:
			at++
			continue
		case marker == 0x01 || marker >= firstAlone && marker <= lastAlone:
			at += 2
			continue
		case marker == scan || marker == endOfImage:
			return 1, nil
		case marker == app1 && n == len(h) && string(h[4:]) == exifMark:
			length := int64(binary.BigEndian.Uint16(h[2:]))
			return orientation(io.NewSectionReader(r, at+10, max(length-8, 0)))
		}
		length := int64(binary.BigEndian.Uint16(h[2:]))
		if length < 2 {
			return 0, fmt.Errorf("%w: segment of %d bytes at byte %d", errExif, length, at)
		}
		at += 2 + length
	}
	return 1, nil
}

// exifInPNG walks the chunks; eXIf may stand before or behind the pixels.
func exifInPNG(r *io.SectionReader) (int, error) {
	at := int64(8)
	for range maxSegments {
		var h [8]byte
		if _, err := r.ReadAt(h[:], at); err != nil {
			return 1, nil // the decoder has found the end already
		}
		length := int64(binary.BigEndian.Uint32(h[:]))
		switch string(h[4:]) {
		case "eXIf":
			return orientation(io.NewSectionReader(r, at+8, length))
		case "IEND":
			return 1, nil
		}
		at += 8 + length + 4 // with a checksum
	}
	return 1, nil
}

// exifInWebP walks the chunks of the RIFF container.
func exifInWebP(r *io.SectionReader) (int, error) {
	at := int64(12)
	for range maxSegments {
		var h [8 + len(exifMark)]byte
		n, _ := r.ReadAt(h[:], at)
		if n < 8 {
			return 1, nil
		}
		length := int64(binary.LittleEndian.Uint32(h[4:]))
		if string(h[:4]) == "EXIF" {
			skip := int64(0)
			if string(h[8:]) == exifMark {
				skip = int64(len(exifMark))
			}
			return orientation(io.NewSectionReader(r, at+8+skip, max(length-skip, 0)))
		}
		at += 8 + length + length%2
	}
	return 1, nil
}

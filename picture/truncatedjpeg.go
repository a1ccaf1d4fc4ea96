package picture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"io"
	"sort"
)

// A JPEG file that ends too early is made whole so that an ordinary decoder
// takes it: an end mark is put behind it, and where that is not enough the last
// scan is left out or, if that would leave nothing, the height in the header
// made smaller until the data suffice. What is behind the rows of the smaller
// picture decoders skip. This costs some ten decodings at most, the logarithm
// of the number of rows of blocks.

// A jpegScan is one scan of a file.
type jpegScan struct {
	at         int64  // of its marker
	components []byte // identifiers
	first      int    // coefficient
}

// A jpegLayout says where things are in a file that ends too early.
type jpegLayout struct {
	heightAt    int64
	components  []byte // identifiers
	rows        int    // of pixels in a row of blocks
	progressive bool
	scans       []jpegScan
	end         int64 // of what is complete, but for the last scan
}

// layoutOfJPEG walks through a whole file. It returns nil for one that has an
// end mark, or no scan.
func layoutOfJPEG(r *io.SectionReader) *jpegLayout {
	const (
		sof0, sof1, sof2             = 0xC0, 0xC1, 0xC2
		private, rst0, soi, eoi, sos = 0x01, 0xD0, 0xD8, 0xD9, 0xDA
	)
	var l jpegLayout
	at := int64(2)
walk:
	for range maxSegments {
		var h [4]byte
		n, _ := r.ReadAt(h[:], at)
		switch {
		case n == 4 && h[0] != 0xFF: // as decoders do
			at++
			continue
		case n >= 2 && h[0] == 0xFF && h[1] == 0xFF: // fill
			at++
			continue
		case n >= 2 && h[0] == 0xFF && h[1] == eoi:
			return nil
		case n >= 2 && h[0] == 0xFF && (h[1] == 0 || h[1] == private || h[1] >= rst0 && h[1] <= soi):
			at += 2
			continue
		}
		length := int64(binary.BigEndian.Uint16(h[2:]))
		if n < 4 || at+2+length > r.Size() {
			l.end = min(at, r.Size())
			break
		}
		var body []byte
		if h[1] >= sof0 && h[1] <= sof2 || h[1] == sos {
			body = make([]byte, max(length-2, 0))
			if _, err := r.ReadAt(body, at+4); err != nil {
				return nil
			}
		}
		switch h[1] {
		case sof0, sof1, sof2:
			if len(body) < 6 || len(body) < 6+3*int(body[5]) || l.heightAt != 0 {
				return nil
			}
			l.progressive = h[1] == sof2
			l.heightAt, l.rows = at+5, 8
			for c := range int(body[5]) {
				l.components = append(l.components, body[6+3*c])
				if body[5] > 1 { // alone, its factors mean nothing
					l.rows = max(l.rows, 8*int(body[7+3*c]&15))
				}
			}
		case sos:
			if len(body) < 4 || len(body) != 4+2*int(body[0]) {
				return nil
			}
			s := jpegScan{at: at, first: int(body[len(body)-3])}
			for c := range int(body[0]) {
				s.components = append(s.components, body[1+2*c])
			}
			l.scans = append(l.scans, s)
			next, ended := behindScan(r, at+2+length)
			if ended {
				l.end = next
				break walk
			}
			at = next
			continue
		}
		at += 2 + length
	}
	if l.end == 0 || len(l.scans) == 0 || l.heightAt == 0 {
		return nil
	}
	return &l
}

// behindScan returns the place of the marker behind a scan's data, or ended and
// the place where the data do.
func behindScan(r *io.SectionReader, at int64) (next int64, ended bool) {
	b := bufio.NewReaderSize(io.NewSectionReader(r, at, r.Size()-at), 1<<16)
	marker := false // the last byte was FF
	for ; ; at++ {
		c, err := b.ReadByte()
		switch {
		case err != nil && marker:
			return at - 1, true
		case err != nil:
			return at, true
		case marker && c != 0 && c != 0xFF && (c < 0xD0 || c > 0xD7):
			return at - 1, false
		}
		marker = c == 0xFF
	}
}

// seen reports whether scans before the nth begin a component.
func (l *jpegLayout) seen(n, component int) bool {
	for _, s := range l.scans[:n] {
		for _, c := range s.components {
			if c == l.components[component] && s.first == 0 {
				return true
			}
		}
	}
	return false
}

// decode reads the file up to end as a picture of so many rows.
func (l *jpegLayout) decode(r *io.SectionReader, end int64, height int) (image.Image, error) {
	var h [2]byte
	binary.BigEndian.PutUint16(h[:], uint16(height))
	return jpeg.Decode(io.MultiReader(
		io.NewSectionReader(r, 0, l.heightAt),
		bytes.NewReader(h[:]),
		io.NewSectionReader(r, l.heightAt+2, end-l.heightAt-2),
		bytes.NewReader([]byte{0xFF, 0xD9})))
}

// partOfJPEG is a codec's partial.
func partOfJPEG(r *io.SectionReader, _, height int) *part {
	l := layoutOfJPEG(r)
	if l == nil {
		return nil
	}
	n := len(l.scans)
	if img, err := l.decode(r, l.end, height); err == nil {
		return l.coloured(&part{img, height, l.progressive}, n)
	}
	if n > 1 && l.seen(n-1, 0) {
		if img, err := l.decode(r, l.scans[n-1].at, height); err == nil {
			return l.coloured(&part{img, height, true}, n-1)
		}
	}
	// The scan that breaks off is the first with brightness in it.
	blocks := (height - 1) / l.rows
	var best image.Image
	rows := 0
	sort.Search(blocks, func(i int) bool {
		img, err := l.decode(r, l.end, (i+1)*l.rows)
		if err == nil && (i+1)*l.rows > rows {
			best, rows = img, (i+1)*l.rows
		}
		return err != nil
	})
	if best == nil {
		return nil
	}
	return l.coloured(&part{best, rows, l.progressive || n > 1}, n)
}

// coloured puts grey where no scan brought colour: without, all would be green.
func (l *jpegLayout) coloured(p *part, scans int) *part {
	m, ok := p.image.(*image.YCbCr)
	if !ok || len(l.components) != 3 {
		return p
	}
	for c, plane := range [][]byte{m.Cb, m.Cr} {
		if !l.seen(scans, c+1) {
			p.coarse = true
			for i := range plane {
				plane[i] = 0x80
			}
		}
	}
	return p
}

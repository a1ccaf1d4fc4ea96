package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"io"
	"runtime"
	"sort"
)

// A JPEG file that ends too early is made whole so that an ordinary decoder
// takes it: an end mark is put behind it, and where that is not enough the last
// scan is left out or, if that would leave nothing, the height in the header
// made smaller until the data suffice. What is behind the rows of the smaller
// picture decoders skip. This costs some ten decodings at most, the logarithm
// of the number of rows of blocks.

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
	l, err := layoutOfJPEG(r)
	if err != nil || l.whole || l.end == 0 || len(l.scans) == 0 || l.heightAt == 0 {
		return nil
	}
	n := len(l.scans)
	if img, err := l.decode(r, l.end, height); err == nil {
		return l.coloured(&part{img, height, l.progressive}, n)
	}
	if l.progressive {
		runtime.GC() // or the memory of a decoding that failed is there beside the next one's
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

package samples

import (
	"crypto/sha256"
	"encoding/binary"
	"image"

	"haarlem/internal/copies"
)

// A summary is what a check keeps of an image: small, so that those of a hundred
// thousand fit into memory.
type summary struct {
	err           error
	width, height int
	tiny          bool // smaller than the window: the pixels were not read
	blank         bool
	print         [32]byte // see fingerprint
	blankBoxes    []bool   // of the objects
	sketch        int64    // where it is in the file of sketches
	sketched      int      // its bytes there; 0 for none
}

// comparable reports whether the image has a meaningful fingerprint.
func (l *summary) comparable() bool { return l.err == nil && !l.tiny && !l.blank }

// blankBelow is the standard deviation in grey levels below which a picture is blank:
// less than the noise of a camera.
const blankBelow = 2

// summarise reads the size first, and the pixels only if they matter. The sketch is nil
// unless it is asked for.
func summarise(file string, objects []Object, width, height int, sketched bool) (l summary, sketch *copies.Sketch) {
	if l.width, l.height, l.err = size(file); l.err != nil {
		return l, nil
	}
	if l.tiny = l.width < width || l.height < height; l.tiny {
		return l, nil
	}
	m, err := ReadGrey(file)
	if err != nil {
		l.err = err
		return l, nil
	}
	l.blank = isBlank(m, m.Rect)
	l.print = fingerprint(m)
	l.blankBoxes = make([]bool, len(objects))
	for i := range objects {
		r := objects[i].Box.Intersect(m.Rect)
		l.blankBoxes[i] = !r.Empty() && isBlank(m, r)
	}
	if sketched && !l.blank {
		sketch = copies.New(m)
	}
	return l, sketch
}

// thumbnail averages a picture in 16x16 cells, in integers. It is equal for the same
// bytes, the same pixels in two lossless formats, and enlargements by a whole
// number. It differs for two JPEG encodings of one picture: an exact comparison
// finds copies, and never confuses two photographs of a series.
func thumbnail(m *image.Gray) [256]byte {
	var t [256]byte
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for v := range 16 {
		y0 := v * h / 16
		y1 := max((v+1)*h/16, y0+1)
		for u := range 16 {
			x0 := u * w / 16
			x1 := max((u+1)*w/16, x0+1)
			sum := 0
			for y := y0; y < y1; y++ {
				for _, p := range m.Pix[y*m.Stride+x0 : y*m.Stride+x1] {
					sum += int(p)
				}
			}
			n := (x1 - x0) * (y1 - y0)
			t[16*v+u] = byte((sum + n/2) / n)
		}
	}
	return t
}

// fingerprint is equal for images that count as duplicates. It is the hash of
// the thumbnail, or of all pixels where the thumbnail is nearly flat, as for a
// page of uniform print, since many images share it then.
func fingerprint(m *image.Gray) [32]byte {
	t := thumbnail(m)
	lo, hi := t[0], t[0]
	for _, p := range t {
		lo, hi = min(lo, p), max(hi, p)
	}
	if hi-lo >= 16 {
		return sha256.Sum256(t[:])
	}
	return pixelHash(m)
}

// pixelHash is that of the size and all pixels.
func pixelHash(m *image.Gray) [32]byte {
	h := sha256.New()
	var size [8]byte
	binary.LittleEndian.PutUint32(size[:], uint32(m.Rect.Dx()))
	binary.LittleEndian.PutUint32(size[4:], uint32(m.Rect.Dy()))
	h.Write(size[:])
	for y := range m.Rect.Dy() {
		h.Write(m.Pix[y*m.Stride:][:m.Rect.Dx()])
	}
	return [32]byte(h.Sum(nil))
}

// variance is that of the pixels in r, in integers up to the division, so that
// it is the same on every machine.
func variance(m *image.Gray, r image.Rectangle) float64 {
	r = r.Intersect(m.Rect)
	n := int64(r.Dx()) * int64(r.Dy())
	if n == 0 {
		return 0
	}
	var sum, squares int64
	for y := r.Min.Y; y < r.Max.Y; y++ {
		var s, q uint64 // of a row
		for _, p := range m.Pix[m.PixOffset(r.Min.X, y):][:r.Dx()] {
			v := uint64(p)
			s += v
			q += v * v
		}
		sum += int64(s)
		squares += int64(q)
	}
	mean := float64(sum) / float64(n)
	return float64(squares)/float64(n) - float64(mean*mean)
}

func isBlank(m *image.Gray, r image.Rectangle) bool { return variance(m, r) < blankBelow*blankBelow }

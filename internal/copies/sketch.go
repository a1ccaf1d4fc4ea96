package copies

import (
	"encoding/binary"
	"image"
	"math"
	"slices"

	"haarlem/integral"
	"haarlem/internal/resample"
)

// A Sketch is what is kept of a picture to find its copies: less than 5 KiB, see
// [Sketch.Append].
type Sketch struct {
	across, down uint8  // pixels of the texture
	texture      []int8 // a small picture, of the same mean and contrast everywhere
	patches      []patch
}

const (
	area      = 64 * 64 // pixels of a texture, about
	fine      = 2       // patches come from a picture so many times as wide and high
	maxAspect = 4       // a longer picture is squeezed
)

// New makes the sketch of a picture, which has pixels.
func New(m *image.Gray) *Sketch {
	w, h := float64(m.Rect.Dx()), float64(m.Rect.Dy())
	aspect := min(max(w/h, 1.0/maxAspect), maxAspect)
	across, down := int(math.Sqrt(area*aspect)+0.5), int(math.Sqrt(area/aspect)+0.5) // 128 at most
	s := &Sketch{across: uint8(across), down: uint8(down)}
	x, y := float64(m.Rect.Min.X), float64(m.Rect.Min.Y)
	large := resample.Part(m, x, y, x+w, y+h, across*fine, down*fine)
	s.texture = flattened(halved(large), across, down)
	s.patches = patches(large)
	return s
}

// Append appends the sketch as bytes, for [Read].
func (s *Sketch) Append(b []byte) []byte {
	b = append(b, s.across, s.down)
	for _, v := range s.texture {
		b = append(b, byte(v))
	}
	for _, p := range s.patches {
		b = append(binary.LittleEndian.AppendUint64(b, p.code), p.x, p.y, p.cell)
	}
	return b
}

// Read returns the sketch that was appended to nothing.
func Read(b []byte) *Sketch {
	s := &Sketch{across: b[0], down: b[1], texture: make([]int8, int(b[0])*int(b[1]))}
	for i, v := range b[2:][:len(s.texture)] {
		s.texture[i] = int8(v)
	}
	for p := range slices.Chunk(b[2+len(s.texture):], 11) {
		s.patches = append(s.patches, patch{binary.LittleEndian.Uint64(p), p[8], p[9], p[10]})
	}
	return s
}

// halved averages squares of pixels.
func halved(m *image.Gray) []uint8 {
	w, h := m.Rect.Dx()/fine, m.Rect.Dy()/fine
	out := make([]uint8, w*h)
	for y := range h {
		for x := range w {
			sum := fine * fine / 2
			for v := range fine {
				for u := range fine {
					sum += int(m.Pix[(fine*y+v)*m.Stride+fine*x+u])
				}
			}
			out[y*w+x] = uint8(sum / (fine * fine))
		}
	}
	return out
}

// flattened subtracts from each pixel the mean of its surroundings, and divides by
// their standard deviation. So neither light nor large shapes, such as a sky above a
// ground, make two pictures alike.
func flattened(p []uint8, w, h int) []int8 {
	const (
		reach = 5
		quiet = 3  // grey levels, added to the deviation: noise stays small
		unit  = 32 // of the result
	)
	t := tables(p, w, h, w, integral.Squares)
	out := make([]int8, len(p))
	for y := range h {
		y0, y1 := max(y-reach, 0), min(y+reach+1, h)
		for x := range w {
			around := image.Rect(max(x-reach, 0), y0, min(x+reach+1, w), y1)
			n := int64(around.Dx() * around.Dy())
			s, q := t.Sum(around), t.SquareSum(around)
			deviation := math.Sqrt(float64(n*q-s*s)) / float64(n)
			v := float64(n*int64(p[y*w+x])-s) / float64(n) * unit / (deviation + quiet)
			out[y*w+x] = int8(math.Round(min(max(v, -127), 127)))
		}
	}
	return out
}

// tables returns the integral images of a small picture.
func tables(p []uint8, w, h, stride int, kinds integral.Kind) *integral.Tables {
	t := &integral.Tables{}
	if err := t.Make(&image.Gray{Pix: p, Stride: stride, Rect: image.Rect(0, 0, w, h)}, kinds); err != nil {
		panic(err) // it is small
	}
	return t
}

package copies

import (
	"image"
	"math"

	"haarlem/integral"
	"haarlem/internal/resample"
)

// A Sketch is what is kept of a picture to find its copies: less than 6 KiB.
type Sketch struct {
	across, down int    // pixels of the texture
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
	s := &Sketch{across: int(math.Sqrt(area*aspect) + 0.5), down: int(math.Sqrt(area/aspect) + 0.5)}
	x, y := float64(m.Rect.Min.X), float64(m.Rect.Min.Y)
	large := resample.Part(m, x, y, x+w, y+h, s.across*fine, s.down*fine)
	s.texture = flattened(halved(large), s.across, s.down)
	s.patches = patches(large)
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

package sixel

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"testing"

	"haarlem/internal/must"
)

// decode reads what an Encoder writes, as a terminal does. Pixels that are not drawn
// have no alpha.
func decode(data []byte) (*image.RGBA, error) {
	rest, ok := bytes.CutPrefix(data, []byte("\x1bP0;1q"))
	if !ok {
		return nil, fmt.Errorf("it begins with %.12q", data)
	}
	rest, ok = bytes.CutSuffix(rest, []byte("\x1b\\"))
	if !ok {
		return nil, fmt.Errorf("it does not end")
	}
	number := func() int {
		n := 0
		for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
			n, rest = 10*n+int(rest[0]-'0'), rest[1:]
		}
		return n
	}
	numbers := func() (all []int) {
		all = append(all, number())
		for len(rest) > 0 && rest[0] == ';' {
			rest = rest[1:]
			all = append(all, number())
		}
		return all
	}
	colours := map[int]color.RGBA{}
	var m *image.RGBA
	x, y, repeat, current := 0, 0, 1, color.RGBA{}
	for len(rest) > 0 {
		c := rest[0]
		rest = rest[1:]
		switch {
		case c == '"':
			n := numbers()
			if len(n) != 4 || n[0] != 1 || n[1] != 1 || m != nil {
				return nil, fmt.Errorf("raster attributes %v", n)
			}
			m = image.NewRGBA(image.Rect(0, 0, n[2], n[3]))
		case c == '#':
			n := numbers()
			if len(n) == 5 && n[1] == 2 {
				part := func(v int) uint8 { return uint8((255*v + 50) / 100) }
				colours[n[0]] = color.RGBA{part(n[2]), part(n[3]), part(n[4]), 255}
				break
			}
			if current, ok = colours[n[0]]; !ok || len(n) != 1 {
				return nil, fmt.Errorf("colour %v is not defined", n)
			}
		case c == '!':
			repeat = number()
		case c == '$':
			x = 0
		case c == '-':
			x, y = 0, y+6
		case c >= '?' && c <= '~':
			for range repeat {
				for bit := range 6 {
					if (c-'?')>>bit&1 == 0 {
						continue
					}
					at := image.Pt(x, y+bit)
					if m == nil || !at.In(m.Rect) {
						return nil, fmt.Errorf("a pixel at %v", at)
					}
					if m.RGBAAt(at.X, at.Y).A != 0 {
						return nil, fmt.Errorf("the pixel at %v is drawn twice", at)
					}
					m.SetRGBA(at.X, at.Y, current)
				}
				x++
			}
			repeat = 1
		default:
			return nil, fmt.Errorf("a letter %q", c)
		}
	}
	return m, nil
}

func decoded(t *testing.T, e *Encoder, m *image.RGBA) *image.RGBA {
	t.Helper()
	got := must.Get(decode(e.Append(nil, m)))
	if got.Rect.Size() != m.Rect.Size() {
		t.Fatalf("%v, want %v", got.Rect, m.Rect)
	}
	for i := 3; i < len(got.Pix); i += 4 {
		if got.Pix[i] == 0 {
			t.Fatalf("the pixel at (%d, %d) is not drawn", i/4%got.Rect.Dx(), i/4/got.Rect.Dx())
		}
	}
	return got
}

// Every pixel is drawn once, in a colour near to its own, and the mean colour of each
// eight by eight pixels is right, as far as the palette allows. Pictures of all shapes
// go through one encoder.
func TestColoursAreKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct{ registers, step, mean int }{
		{1024, 51, 4}, {252, 51, 4}, {251, 85, 6}, {16, 255, 12}, {8, 255, 12}, {0, 255, 12},
	} {
		e := New(test.registers)
		for _, size := range []image.Point{{64, 48}, {1, 1}, {7, 13}, {301, 6}, {16, 8}} {
			m := image.NewRGBA(image.Rectangle{Max: size})
			for y := range size.Y {
				for x := range size.X {
					base := [3]int{255 * x / size.X, 255 * y / size.Y, 128}
					for k, v := range base {
						m.Pix[y*m.Stride+4*x+k] = uint8(min(255, max(0, v+rng.IntN(9)-4)))
					}
				}
			}
			got := decoded(t, e, m)
			for y := 0; y < size.Y; y++ {
				for x := 0; x < size.X; x++ {
					for k := range 3 {
						a, b := int(m.Pix[y*m.Stride+4*x+k]), int(got.Pix[y*got.Stride+4*x+k])
						if max(a-b, b-a) > test.step+1 {
							t.Fatalf("%d registers, %v: (%d, %d) is %d, want %d", test.registers, size, x, y, b, a)
						}
					}
				}
			}
			for y := 0; y+8 <= size.Y; y += 8 {
				for x := 0; x+8 <= size.X; x += 8 {
					var a, b [3]int
					for i := range 64 {
						at := (y+i/8)*m.Stride + 4*(x+i%8)
						for k := range 3 {
							a[k], b[k] = a[k]+int(m.Pix[at+k]), b[k]+int(got.Pix[at+k])
						}
					}
					for k := range 3 {
						if d := (a[k] - b[k]) / 64; max(d, -d) > test.mean {
							t.Errorf("%d registers, %v: around (%d, %d) %d is off by %d", test.registers, size, x, y, k, d)
						}
					}
				}
			}
		}
	}
}

// What has a colour of the palette is not dithered, and takes few bytes.
func TestFlat(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 600, 60))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	e := New(256)
	if got := decoded(t, e, m); !bytes.Equal(got.Pix, m.Pix) {
		t.Error("white is not white")
	}
	if n := len(e.Append(nil, m)) - len(e.Append(nil, image.NewRGBA(image.Rect(0, 0, 1, 1)))); n > 200 {
		t.Errorf("%d bytes for white", n)
	}
}

// A picture after the first takes no memory but that of the output.
func TestAllocations(t *testing.T) {
	m, e := image.NewRGBA(image.Rect(0, 0, 320, 240)), New(256)
	for i := range m.Pix {
		m.Pix[i] = byte(i * i >> 5)
	}
	out := e.Append(nil, m)
	if n := testing.AllocsPerRun(10, func() { out = e.Append(out[:0], m) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAppend(b *testing.B) {
	f := must.Get(os.Open("../../samples/group.png"))
	defer f.Close()
	img := must.Get(png.Decode(f))
	m := image.NewRGBA(img.Bounds())
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			m.Set(x, y, img.At(x, y))
		}
	}
	e := New(256)
	out := e.Append(nil, m)
	for b.Loop() {
		out = e.Append(out[:0], m)
	}
	b.SetBytes(int64(len(out)))
}

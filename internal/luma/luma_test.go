package luma

import (
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"math/rand/v2"
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// plain hides all methods but those of image.Image.
type plain struct{ image.Image }

// many are the images that each color model is tried with: whole ones, and
// parts of larger ones, some with negative origins.
var many = []struct{ outer, inner image.Rectangle }{
	{image.Rect(0, 0, 37, 23), image.Rect(0, 0, 37, 23)},
	{image.Rect(0, 0, 37, 23), image.Rect(5, 3, 30, 20)},
	{image.Rect(-11, -7, 20, 14), image.Rect(-8, -6, 7, 9)},
	{image.Rect(4, 9, 40, 30), image.Rect(5, 29, 40, 30)}, // the last row
	{image.Rect(4, 9, 40, 30), image.Rect(39, 9, 40, 30)}, // the last column
	{image.Rect(4, 9, 40, 30), image.Rect(39, 29, 40, 30)},
	{image.Rect(3, 3, 4, 4), image.Rect(3, 3, 4, 4)},
	{image.Rect(0, 0, 9, 9), image.Rect(4, 4, 4, 8)},
	{image.Rect(0, 0, 9, 9), image.Rect(2, 5, 8, 5)},
	{image.Rect(0, 0, 0, 0), image.Rect(0, 0, 0, 0)},
	{image.Rect(0, 0, 0, 7), image.Rect(0, 0, 0, 7)},
}

func noise(p []byte, rng *rand.Rand) {
	for i := range p {
		p[i] = byte(rng.Uint32())
		if rng.IntN(5) == 0 {
			p[i] = byte(-rng.IntN(2)) // transparent and opaque, black and white
		}
	}
}

// noisy returns a function that makes noise in images of one type.
func noisy[M image.Image](empty func(image.Rectangle) M, pixels func(M) []byte) func(image.Rectangle, *rand.Rand) image.Image {
	return func(r image.Rectangle, rng *rand.Rand) image.Image {
		m := empty(r)
		noise(pixels(m), rng)
		return m
	}
}

// models make noise in every image type of Go.
var models = map[string]func(r image.Rectangle, rng *rand.Rand) image.Image{
	"Gray":    noisy(image.NewGray, func(m *image.Gray) []byte { return m.Pix }),
	"Gray16":  noisy(image.NewGray16, func(m *image.Gray16) []byte { return m.Pix }),
	"Alpha":   noisy(image.NewAlpha, func(m *image.Alpha) []byte { return m.Pix }),
	"Alpha16": noisy(image.NewAlpha16, func(m *image.Alpha16) []byte { return m.Pix }),
	"RGBA":    noisy(image.NewRGBA, func(m *image.RGBA) []byte { return m.Pix }),
	"RGBA64":  noisy(image.NewRGBA64, func(m *image.RGBA64) []byte { return m.Pix }),
	"NRGBA":   noisy(image.NewNRGBA, func(m *image.NRGBA) []byte { return m.Pix }),
	"NRGBA, opaque": func(r image.Rectangle, rng *rand.Rand) image.Image {
		m := image.NewNRGBA(r)
		noise(m.Pix, rng)
		for i := 3; i < len(m.Pix); i += 4 {
			m.Pix[i] = 255
		}
		return m
	},
	"NRGBA64": noisy(image.NewNRGBA64, func(m *image.NRGBA64) []byte { return m.Pix }),
	"CMYK":    noisy(image.NewCMYK, func(m *image.CMYK) []byte { return m.Pix }),
	"Paletted": func(r image.Rectangle, rng *rand.Rand) image.Image {
		m := image.NewPaletted(r, palette.Plan9)
		noise(m.Pix, rng)
		return m
	},
	"Paletted, short, half transparent": func(r image.Rectangle, rng *rand.Rand) image.Image {
		m := image.NewPaletted(r, color.Palette{color.Black, color.NRGBA{200, 100, 50, 128}, color.Gray16{0x7fff}})
		for i := range m.Pix {
			m.Pix[i] = byte(rng.IntN(3))
		}
		return m
	},
	"NYCbCrA": func(r image.Rectangle, rng *rand.Rand) image.Image {
		m := image.NewNYCbCrA(r, image.YCbCrSubsampleRatio420)
		for _, p := range [][]byte{m.Y, m.Cb, m.Cr, m.A} {
			noise(p, rng)
		}
		if len(m.A) > 0 {
			m.A[len(m.A)-1] = 100
		}
		return m
	},
	"color.Color only": func(r image.Rectangle, rng *rand.Rand) image.Image {
		m := image.NewNRGBA64(r)
		noise(m.Pix, rng)
		return m
	},
}

// checkPlane compares g with what want says about the pixels of img.
func checkPlane(t *testing.T, g *Plane, img image.Image, want func(x, y int) byte) {
	t.Helper()
	b := img.Bounds()
	if b.Empty() {
		if g.Width != 0 || g.Height != 0 {
			t.Fatalf("a plane of %dx%d from bounds of %v", g.Width, g.Height, b)
		}
		return
	}
	if g.Width != b.Dx() || g.Height != b.Dy() {
		t.Fatalf("a plane of %dx%d from bounds of %v", g.Width, g.Height, b)
	}
	for y := range g.Height {
		for x := range g.Width {
			if got, want := g.Row(y)[x], want(b.Min.X+x, b.Min.Y+y); got != want {
				t.Fatalf("pixel %d,%d of %v is %d, want %d", b.Min.X+x, b.Min.Y+y, b, got, want)
			}
		}
	}
}

func TestOfEveryModel(t *testing.T) {
	rng := kerneltest.Rand(t)
	var buf []byte // one for all, so that remains of an earlier image would show
	for name, model := range models {
		t.Run(name, func(t *testing.T) {
			for _, r := range many {
				img := model(r.outer, rng)
				img = img.(interface {
					SubImage(image.Rectangle) image.Image
				}).SubImage(r.inner)
				if name == "color.Color only" {
					img = plain{img}
				}
				var g Plane
				g, buf = Of(img, buf)
				checkPlane(t, &g, img, func(x, y int) byte {
					return color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y
				})
				noise(buf, rng)
			}
		})
	}
}

var ratios = []image.YCbCrSubsampleRatio{
	image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
	image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
}

// TestOfLuma: images with luma keep it.
func TestOfLuma(t *testing.T) {
	rng := kerneltest.Rand(t)
	for _, ratio := range ratios {
		for _, r := range many {
			m := image.NewYCbCr(r.outer, ratio)
			noise(m.Y, rng)
			noise(m.Cb, rng)
			s := m.SubImage(r.inner).(*image.YCbCr)
			g, _ := Of(s, nil)
			checkPlane(t, &g, s, func(x, y int) byte { return s.Y[s.YOffset(x, y)] })

			a := image.NewNYCbCrA(r.outer, ratio)
			noise(a.Y, rng)
			for i := range a.A {
				a.A[i] = 255
			}
			sa := a.SubImage(r.inner).(*image.NYCbCrA)
			g, _ = Of(sa, nil)
			checkPlane(t, &g, sa, func(x, y int) byte { return sa.Y[sa.YOffset(x, y)] })
		}
	}
}

// TestOfShares: planes that exist are not copied.
func TestOfShares(t *testing.T) {
	r := image.Rect(2, 3, 12, 9)
	gray, ycc, nycc := image.NewGray(r), image.NewYCbCr(r, image.YCbCrSubsampleRatio420), image.NewNYCbCrA(r, image.YCbCrSubsampleRatio420)
	for i := range nycc.A {
		nycc.A[i] = 255
	}
	inner := image.Rect(5, 4, 9, 8)
	for name, c := range map[string]struct {
		img image.Image
		pix []byte
		at  int
	}{
		"Gray":    {gray.SubImage(inner), gray.Pix, gray.PixOffset(5, 4)},
		"YCbCr":   {ycc.SubImage(inner), ycc.Y, ycc.YOffset(5, 4)},
		"NYCbCrA": {nycc.SubImage(inner), nycc.Y, nycc.YOffset(5, 4)},
	} {
		buf := []byte{1, 2, 3}
		g, rest := Of(c.img, buf)
		if &g.Pix[0] != &c.pix[c.at] || g.Stride != 10 {
			t.Errorf("%s: copied", name)
		}
		if &rest[0] != &buf[0] || len(rest) != 3 {
			t.Errorf("%s: the buffer is not the one that was given", name)
		}
		if n := testing.AllocsPerRun(10, func() { Of(c.img, nil) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestOfDoesNotAllocate(t *testing.T) {
	rng := kerneltest.Rand(t)
	for name, model := range models {
		if name == "color.Color only" {
			continue // At itself allocates a color
		}
		img := model(image.Rect(0, 0, 40, 30), rng)
		buf := make([]byte, 40*30)
		if p, ok := img.(*image.Paletted); ok {
			// Taking grey levels of a palette's colours is what may allocate.
			p.Palette = p.Palette[:0]
			clear(p.Pix)
		}
		if n := testing.AllocsPerRun(10, func() { _, buf = Of(img, buf) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestLuma compares luma with the color package, for all levels of 8 bits and
// many of 16.
func TestLuma(t *testing.T) {
	rng := kerneltest.Rand(t)
	for range 300000 {
		r, g, b := uint16(rng.Uint32()), uint16(rng.Uint32()), uint16(rng.Uint32())
		if rng.IntN(4) == 0 { // greys, and their ends
			r = uint16(rng.IntN(256)) * 0x101
			g, b = r, r
		}
		want := color.GrayModel.Convert(color.RGBA64{r, g, b, 0xffff}).(color.Gray).Y
		if got := luma(uint32(r), uint32(g), uint32(b)); got != want {
			t.Fatalf("luma of %d, %d, %d is %d, want %d", r, g, b, got, want)
		}
	}
}

func TestSub(t *testing.T) {
	rng := kerneltest.Rand(t)
	g := Plane{Pix: make([]byte, 10*23), Stride: 23, Width: 20, Height: 10}
	for i := range g.Pix {
		g.Pix[i] = byte(rng.Uint32())
	}
	for x := range 21 {
		for y := range 11 {
			for _, w := range []int{0, 1, 20 - x} {
				for _, h := range []int{0, 1, 10 - y} {
					if x+w > 20 || y+h > 10 {
						continue
					}
					s := g.Sub(x, y, w, h)
					if s.Width != w || s.Height != h {
						t.Fatalf("%dx%d at %d,%d: a plane of %dx%d", w, h, x, y, s.Width, s.Height)
					}
					if w == 0 || h == 0 {
						continue
					}
					for j := range h {
						for i := range w {
							if s.Row(j)[i] != g.Row(y + j)[x+i] {
								t.Fatalf("%dx%d at %d,%d: pixel %d,%d differs", w, h, x, y, i, j)
							}
						}
					}
				}
			}
		}
	}
}

func BenchmarkOf(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	r := image.Rect(0, 0, 1000, 1000)
	for name, model := range models {
		img := model(r, rng)
		if name == "color.Color only" {
			img = plain{img}
		}
		b.Run(name, func(b *testing.B) {
			var buf []byte
			for b.Loop() {
				_, buf = Of(img, buf)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/Mpixel")
		})
	}
	// The standard library, for comparison.
	b.Run(fmt.Sprintf("draw.Draw of %T", &image.RGBA{}), func(b *testing.B) {
		img, gray := models["RGBA"](r, rng), image.NewGray(r)
		for b.Loop() {
			draw.Draw(gray, r, img, r.Min, draw.Src)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/Mpixel")
	})
}

package obscure

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

// noisy is a picture in which no two pixels need be alike.
func noisy(r image.Rectangle, seed uint64) *image.RGBA {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := image.NewRGBA(r)
	for i := range m.Pix {
		m.Pix[i] = byte(rng.Uint32())
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

var obscurers = map[string]func(image.Image, []image.Rectangle, float64) *image.RGBA{"Blur": blur, "Pixelate": pixelate}

func blur(img image.Image, boxes []image.Rectangle, margin float64) *image.RGBA {
	out := Copy(img)
	InPlace(out, boxes, margin, true)
	return out
}

func pixelate(img image.Image, boxes []image.Rectangle, margin float64) *image.RGBA {
	out := Copy(img)
	InPlace(out, boxes, margin, false)
	return out
}

// Only the boxes with their margin change, wherever they lie, and the picture
// that was given does not.
func TestObscureChangesTheBoxesOnly(t *testing.T) {
	bounds := image.Rect(-5, 3, 195, 153)
	src := noisy(bounds, 1)
	before := string(src.Pix)
	boxes := []image.Rectangle{
		image.Rect(20, 20, 60, 60), image.Rect(50, 40, 90, 90), // they overlap
		image.Rect(170, 130, 230, 190), image.Rect(-40, -40, 0, 10), // over the edge
		image.Rect(120, 30, 121, 31), image.Rect(300, 300, 400, 400), {},
	}
	for name, obscure := range obscurers {
		for _, margin := range []float64{0, 0.25, 1} {
			out := obscure(src, boxes, margin)
			if out.Rect != bounds || string(src.Pix) != before {
				t.Fatalf("%s: bounds %v, or it wrote into its source", name, out.Rect)
			}
			same, inside := 0, 0
			for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
				for x := bounds.Min.X; x < bounds.Max.X; x++ {
					hidden := false
					for _, b := range boxes {
						hidden = hidden || image.Pt(x, y).In(Enlarge(b, margin))
					}
					equal := out.RGBAAt(x, y) == src.RGBAAt(x, y)
					if !hidden && !equal {
						t.Fatalf("%s, margin %v: pixel %d,%d outside of all boxes changed", name, margin, x, y)
					}
					if hidden {
						inside++
						if equal {
							same++
						}
					}
				}
			}
			if same*100 > inside {
				t.Errorf("%s, margin %v: %d of %d pixels did not change", name, margin, same, inside)
			}
		}
	}
}

// What is not kept cannot be brought back: pictures whose cells have the same
// means, rounded, give the same result, however they differ.
func TestObscureForgets(t *testing.T) {
	box := image.Rect(0, 0, 120, 120)
	face := noisy(box, 1)
	other := image.NewRGBA(box)
	g := newGrid(face, box)
	if len(g.cells) > coarse*coarse {
		t.Fatalf("%d cells", len(g.cells))
	}
	g.paint(other, false)
	for name, obscure := range obscurers {
		a, b := obscure(face, []image.Rectangle{box}, 0), obscure(other, []image.Rectangle{box}, 0)
		if string(a.Pix) != string(b.Pix) {
			t.Errorf("%s: noise and its means differ in the result", name)
		}
		if name == "Pixelate" {
			colours := map[color.RGBA]bool{}
			for y := range 120 {
				for x := range 120 {
					colours[a.RGBAAt(x, y)] = true
				}
			}
			if len(colours) > coarse*coarse {
				t.Errorf("%d colours are left", len(colours))
			}
		}
	}
}

// Large faces and small ones keep as little: cells are never smaller than a
// sixth of the box, or than six pixels.
func TestCells(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {5, 3}, {7, 7}, {24, 24}, {36, 50}, {100, 60}, {999, 1000}, {3, 800}} {
		box := image.Rectangle{Max: size}
		g := newGrid(noisy(box, 1), box)
		if g.columns > coarse || g.rows > coarse || g.columns < 1 || g.rows < 1 {
			t.Errorf("%v: %d by %d cells", size, g.columns, g.rows)
		}
		covered := 0
		for row := range g.rows {
			for column := range g.columns {
				r := g.cell(column, row)
				if r.Empty() || !r.In(box) || g.columns > 1 && 2*r.Dx() < minCell {
					t.Errorf("%v: cell %v", size, r)
				}
				covered += r.Dx() * r.Dy()
			}
		}
		if covered != size.X*size.Y {
			t.Errorf("%v: cells cover %d pixels", size, covered)
		}
	}
}

// A blurred flat picture is flat, its colour rounded, and transparency stays a
// valid colour.
func TestObscureColours(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 60, 60))
	for _, c := range []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {100, 30, 200, 255}, {60, 60, 3, 64}, {}} {
		draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
		for name, obscure := range obscurers {
			got := obscure(m, []image.Rectangle{m.Rect}, 0).RGBAAt(30, 17)
			near := func(a, b uint8) bool { return max(int(a)-int(b), int(b)-int(a)) <= 9 }
			if !near(got.R, c.R) || !near(got.G, c.G) || !near(got.B, c.B) || !near(got.A, c.A) || got.R > got.A || got.G > got.A || got.B > got.A {
				t.Errorf("%s: %v becomes %v", name, c, got)
			}
		}
	}
}

// Nothing of the pixels below is left where they were transparent.
func TestObscureTransparent(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	for i := range m.Pix {
		m.Pix[i] = byte(i * 7)
		if i%4 == 3 {
			m.Pix[i] = 0
		}
	}
	for _, p := range blur(m, []image.Rectangle{m.Rect}, 0).Pix {
		if p != 0 {
			t.Fatal("hidden colours came out")
		}
	}
}

// On the drawn group, neighbouring pixels of a face differ as little as cells
// allow: there is no edge of an eye left.
func TestObscureGroup(t *testing.T) {
	f := must.Get(os.Open(filepath.Join("..", "..", "samples", "group.png")))
	defer f.Close()
	group := must.Get(png.Decode(f))
	face := image.Rect(240, 272, 373, 405)
	rough := func(m image.Image) (sum int) {
		for y := face.Min.Y; y < face.Max.Y; y++ {
			for x := face.Min.X + 1; x < face.Max.X; x++ {
				a, b := color.GrayModel.Convert(m.At(x, y)).(color.Gray), color.GrayModel.Convert(m.At(x-1, y)).(color.Gray)
				d := int(a.Y) - int(b.Y)
				sum += d * d
			}
		}
		return sum
	}
	if before, after := rough(group), rough(blur(group, []image.Rectangle{face}, 0.25)); after*8 > before {
		t.Errorf("squared steps from pixel to pixel: %d before, %d after", before, after)
	}
}

// Planes are obscured as red, green and blue are: outside the boxes nothing changes, and
// inside a box few colours are left, none of which depends on a single pixel.
func TestPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio411} {
		for range 40 {
			m := image.NewYCbCr(image.Rect(0, 0, 61+rng.IntN(9), 53+rng.IntN(9)), ratio)
			for _, plane := range [][]byte{m.Y, m.Cb, m.Cr} {
				for i := range plane {
					plane[i] = byte(rng.Uint32())
				}
			}
			box := image.Rect(0, 0, 4+rng.IntN(40), 4+rng.IntN(40)).Add(image.Pt(rng.IntN(60)-10, rng.IntN(60)-10))
			before := &image.YCbCr{Y: append([]byte(nil), m.Y...), Cb: append([]byte(nil), m.Cb...), Cr: append([]byte(nil), m.Cr...), YStride: m.YStride, CStride: m.CStride, SubsampleRatio: ratio, Rect: m.Rect}
			Planes(m, []image.Rectangle{box}, 0, false)
			sx, sy := subsampling(ratio)
			hidden := outward(box, sx, sy)
			colours := map[color.YCbCr]bool{}
			for y := range m.Rect.Dy() {
				for x := range m.Rect.Dx() {
					if !image.Pt(x, y).In(hidden) {
						if m.YCbCrAt(x, y) != before.YCbCrAt(x, y) {
							t.Fatalf("%v, box %v: pixel %d,%d outside it changes", ratio, box, x, y)
						}
						continue
					}
					colours[m.YCbCrAt(x, y)] = true
				}
			}
			// Cells of brightness and of colour may be divided a pixel apart.
			if len(colours) > 4*coarse*coarse {
				t.Fatalf("%v, box %v: %d colours are left", ratio, box, len(colours))
			}
			// One pixel more or less of brightness makes no difference, mostly.
			if r := hidden.Intersect(m.Rect); !r.Empty() {
				again := &image.YCbCr{Y: append([]byte(nil), before.Y...), Cb: append([]byte(nil), before.Cb...), Cr: append([]byte(nil), before.Cr...), YStride: m.YStride, CStride: m.CStride, SubsampleRatio: ratio, Rect: m.Rect}
				again.Y[again.YOffset(r.Min.X, r.Min.Y)] ^= 1
				Planes(again, []image.Rectangle{box}, 0, false)
				n := 0
				for i := range m.Y {
					if m.Y[i] != again.Y[i] {
						n++
					}
				}
				if side := max(minCell, (max(r.Dx(), r.Dy())+coarse-1)/coarse); n > 4*side*side {
					t.Fatalf("a pixel changes %d others", n)
				}
			}
		}
	}
	// Grey stays grey.
	m := image.NewYCbCr(image.Rect(0, 0, 40, 40), image.YCbCrSubsampleRatio420)
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = 128, 128
	}
	Planes(m, []image.Rectangle{m.Rect}, 0, true)
	for i := range m.Cb {
		if m.Cb[i] != 128 || m.Cr[i] != 128 {
			t.Fatal("grey becomes a colour")
		}
	}
}

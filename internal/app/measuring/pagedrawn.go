package measuring

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"

	"haarlem/cascade/detector"
	"haarlem/internal/eval"
	"haarlem/internal/par"
	"haarlem/internal/samples"
	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/samples/synth/texture"
)

// A hardship is a difficulty, in steps from easy to impossible.
type hardship struct {
	name  string
	steps []step
}

// A step is how a face is drawn.
type step struct {
	label    string
	side     int     // of the face's window, in pixels
	tilt     float64 // tangent of half the angle
	contrast int     // in 1/256
}

// usualSide is the size of faces where it does not matter.
const usualSide = 64

// hardships are drawn with the steps side by side. The tangents are constants,
// since processors differ in the last bit of what they would compute.
func hardships() []hardship {
	tilt := hardship{name: "tilt, degrees"}
	for _, s := range []struct {
		degrees int
		half    float64
	}{{0, 0}, {10, 0.08749}, {15, 0.13165}, {20, 0.17633}, {25, 0.22169}, {30, 0.26795}, {35, 0.31530}, {40, 0.36397}, {50, 0.46631}, {60, 0.57735}} {
		tilt.steps = append(tilt.steps, step{fmt.Sprint(s.degrees), usualSide, s.half, 256})
	}
	size := hardship{name: "width, pixels"}
	for _, n := range []int{64, 48, 36, 32, 28, 24, 22, 20, 16, 12} {
		size.steps = append(size.steps, step{fmt.Sprint(n), n, 0, 256})
	}
	contrast := hardship{name: "contrast, per cent"}
	for _, n := range []struct {
		label string
		of256 int
	}{{"100", 256}, {"50", 128}, {"25", 64}, {"19", 48}, {"12", 32}, {"9", 24}, {"6", 16}, {"5", 12}, {"3", 8}, {"2", 4}} {
		contrast.steps = append(contrast.steps, step{n.label, usualSide, 0, n.of256})
	}
	return []hardship{tilt, size, contrast}
}

// facesAStep is the number of faces per step.
const facesAStep = 25

// drawn measures recall on synthetic faces that get harder, and shows them. There
// are no synthetic objects but faces.
func (p *modelPage) drawn(ctx context.Context) (string, error) {
	if p.objects() != "faces" {
		return "", nil
	}
	d, err := detector.New(nil, p.model)
	if err != nil {
		return "", err
	}
	all := hardships()
	const cell, gap = 72, 4
	sheet := image.NewRGBA(image.Rect(0, 0, gap+len(all[0].steps)*(cell+gap), gap+len(all)*(cell+gap)))
	draw.Draw(sheet, sheet.Rect, image.White, image.Point{}, draw.Src)
	var b strings.Builder
	fmt.Fprintf(&b, "Recall in per cent on synthetic frontal faces, %d for each column, with default options:\n", facesAStep)
	for row, h := range all {
		labels, shares := "| "+h.name+" |", "| recall |"
		for column, s := range h.steps {
			found := 0
			for i := range facesAStep {
				g, box := drawStep(s, i)
				ok, err := isFound(ctx, d, g, box)
				if err != nil {
					return "", err
				}
				if ok {
					found++
				}
				if i == row { // another face in each row
					at := image.Pt(gap+column*(cell+gap), gap+row*(cell+gap))
					showStep(sheet, image.Rectangle{at, at.Add(image.Pt(cell, cell))}, g, ok)
				}
			}
			labels += " " + s.label + " |"
			shares += fmt.Sprintf(" %d |", (100*found+facesAStep/2)/facesAStep)
		}
		fmt.Fprintf(&b, "\n%s\n|%s\n%s\n", labels, strings.Repeat(" --- |", len(h.steps)+1), shares)
	}
	name := p.picture("drawn", func(to string) error {
		return samples.WriteAtomically(to, func(w io.Writer) error { return png.Encode(w, sheet) })
	})
	fmt.Fprintf(&b, "\nOne face of each column, in the order of the tables. Green frames: detected. Red frames: missed.\n\n![synthetic faces, detected and missed](%s)\n", name)
	return b.String(), nil
}

// pictureSide is the side of the picture around a face.
func pictureSide(face int) int { return 5 * face / 2 }

// A look is what of a step is painted: contrast is lowered afterwards.
type look struct {
	side int
	tilt float64
}

// painted has the faces of all steps, which are the same for every model.
var painted = sync.OnceValue(func() map[look]*[facesAStep]*image.Gray {
	all := map[look]*[facesAStep]*image.Gray{}
	for _, h := range hardships() {
		for _, s := range h.steps {
			all[look{s.side, s.tilt}] = new([facesAStep]*image.Gray)
		}
	}
	m := facemodel.Builtin()
	// Nothing here fails, and nobody cancels it.
	_ = par.Chunks(context.Background(), facesAStep, 1, runtime.GOMAXPROCS(0), func(i, _ int) {
		ground := texture.Draw(rand.New(rand.NewPCG(uint64(i), 4)), pictureSide(usualSide), pictureSide(usualSide))
		for l, faces := range all {
			faces[i] = paintFace(m, l, ground, uint64(i))
		}
	})
	return all
})

// paintFace paints one face, in the middle of a sufficiently large part of an image.
func paintFace(m *facemodel.Model, l look, ground *image.Gray, seed uint64) *image.Gray {
	side := pictureSide(l.side)
	g := image.NewGray(image.Rect(0, 0, side, side))
	draw.Draw(g, g.Rect, ground, ground.Rect.Min, draw.Src)
	f := m.Draw(rand.New(rand.NewPCG(seed, 5)))
	f.Tilt = l.tilt
	f.Paint(g, faceBox(l.side))
	return g
}

// faceBox is where the face is in its picture.
func faceBox(side int) image.Rectangle {
	margin := (pictureSide(side) - side) / 2
	return image.Rect(margin, margin, margin+side, margin+side)
}

// drawStep draws the i-th face of a step.
func drawStep(s step, i int) (*image.Gray, image.Rectangle) {
	from := painted()[look{s.side, s.tilt}][i]
	g := image.NewGray(from.Rect)
	for k, v := range from.Pix {
		g.Pix[k] = uint8(128 + (int(v)-128)*s.contrast/256)
	}
	return g, faceBox(s.side)
}

// isFound reports whether the face is found.
func isFound(ctx context.Context, d *detector.Detector, g *image.Gray, box image.Rectangle) (bool, error) {
	found, err := d.AppendDetect(ctx, nil, g)
	for _, f := range found {
		if _, ok := (eval.Centre{}).Match(box, f.Box); ok {
			return true, err
		}
	}
	return false, err
}

// showStep draws the middle of an image into a frame.
func showStep(sheet *image.RGBA, frame image.Rectangle, g *image.Gray, found bool) {
	c := color.RGBA{200, 30, 30, 255}
	if found {
		c = color.RGBA{30, 150, 60, 255}
	}
	draw.Draw(sheet, frame, image.NewUniform(c), image.Point{}, draw.Src)
	inner := frame.Inset(3)
	part := g.Rect.Inset(g.Rect.Dx() / 6)
	for y := range inner.Dy() {
		for x := range inner.Dx() {
			v := g.GrayAt(part.Min.X+(2*x+1)*part.Dx()/(2*inner.Dx()), part.Min.Y+(2*y+1)*part.Dy()/(2*inner.Dy()))
			sheet.Set(inner.Min.X+x, inner.Min.Y+y, v)
		}
	}
}

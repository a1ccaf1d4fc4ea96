// Package facemodel draws synthetic faces: pictures that look like blurred
// photographs of faces, in any number, from a file of about a hundred kilobytes.
// Cascades can be trained and tried on them where there are no photographs.
//
//	m := facemodel.Builtin()
//	rng := rand.New(rand.NewPCG(1, 2))
//	face := m.Draw(rng)
//	face.Paint(picture, image.Rect(20, 20, 80, 80))
//
// # The model
//
// It is an appearance model in the sense of Cootes, Edwards and Taylor ("Active
// Appearance Models", 1998), with few landmarks: statistics of where the marks
// of a face lie (its shape), and of its grey levels once the marks have been
// brought to the same place in all faces (its texture; "eigenfaces", Turk and
// Pentland 1991). Both are a mean and a few principal components. A drawn face
// is the mean and, of each component, a random share that is normally
// distributed and never more than 3.5 standard deviations. A share of thousands
// of faces goes into each component: what comes out resembles no one of them.
//
// Half of each picture is enough: faces are counted together with their
// mirrored pictures, and then every component is either the same on both sides
// or the same with the sign changed.
//
// # The window
//
// A detector sees a face in a square window. Places in a [Face] are given in
// units of it: (0, 0) is its upper left corner, (1, 1) the lower right one. The
// texture is larger than the window, with hair and chin, and fades out in an
// oval around it.
//
// # Same bytes everywhere
//
// The same model and seed draw the same bytes on every machine: sums are in
// integers, and the few floating point operations are those that IEEE 754 says
// exactly. Making a model ([Make]) solves for eigenvectors, where the last bits
// may differ between processors.
package facemodel

import (
	"fmt"
	"image"

	"haarlem/samples"
)

// NumMarks is how many landmarks a face has: left eye, right eye, nose, left
// and right corner of the mouth, left and right as the picture shows them.
const NumMarks = 5

// one is the unit of fixed point numbers in models: 1 of a window's side, 1
// standard deviation of the grey levels of a face.
const one = 1 << 12

// A mark is a point of a model, in 1/4096 of a window.
type mark struct{ x, y int32 }

func (m mark) point() samples.Point {
	return samples.Point{X: float64(m.x) / one, Y: float64(m.y) / one}
}

// A Model is what faces are drawn from. It may be used by many goroutines at
// once.
type Model struct {
	about string

	width, height int             // of the texture, in pixels
	window        image.Rectangle // within the texture
	oval          oval

	marks  [NumMarks]mark   // of the mean face
	shapes [][NumMarks]mark // what one standard deviation adds to them

	// Textures are the pixels of the oval's left half, row by row.
	mean       []int16 // in units of 1/4096 standard deviation of a face
	components []component

	half []image.Point // of each texture pixel: its place
}

// A component is one way in which faces differ.
type component struct {
	odd   bool  // the right half is the negative of the left
	scale int32 // one standard deviation is pix times scale / 256, in units of the mean
	pix   []int8
}

// An oval is an ellipse with its centre and half axes in 1/16 of a pixel.
type oval struct{ cx, cy, rx, ry int }

// depth is 0 at the centre of the oval and 1<<16 on its border.
func (o oval) depth(x16, y16 int) int64 {
	dx, dy := int64(x16-o.cx), int64(y16-o.cy)
	return dx*dx<<16/int64(o.rx*o.rx) + dy*dy<<16/int64(o.ry*o.ry)
}

// fade is how much of a face hides what is behind it, 0 to 256.
func (o oval) fade(x16, y16 int) int {
	const begin, end = 47 << 10, 64 << 10
	d := o.depth(x16, y16)
	if d <= begin {
		return 256
	}
	if d >= end {
		return 0
	}
	t := int((end - d) * 256 / (end - begin))
	return t * t * (3*256 - 2*t) >> 16
}

// setHalf lists the pixels that the model has.
func (m *Model) setHalf() {
	for y := range m.height {
		for x := range m.width / 2 {
			if m.oval.depth(16*x+8, 16*y+8) < 1<<16 {
				m.half = append(m.half, image.Pt(x, y))
			}
		}
	}
}

// limits of what a model may be.
const (
	maxSide       = 256
	maxComponents = 1024
	maxShapes     = 2 * NumMarks
	maxAbout      = 1000
	maxMark       = 4 * one
	maxScale      = 1 << 20
)

// checkFrame says what is wrong with the sizes of m.
func (m *Model) checkFrame() error {
	w := m.window
	switch {
	case m.width < 2 || m.height < 2 || m.width > maxSide || m.height > maxSide || m.width%2 != 0:
		return fmt.Errorf("size is %dx%d, want 2x2 to %dx%d and an even width", m.width, m.height, maxSide, maxSide)
	case w.Dx() < 1 || !w.In(image.Rect(0, 0, m.width, m.height)) || w.Min.X+w.Max.X != m.width:
		return fmt.Errorf("window is %v, want one inside %dx%d and in the middle from left to right", w, m.width, m.height)
	case m.oval.rx < 16 || m.oval.ry < 16 || m.oval.cx != 8*m.width || m.oval.rx > 16*maxSide || m.oval.ry > 16*maxSide ||
		m.oval.cy < 0 || m.oval.cy > 16*m.height:
		return fmt.Errorf("oval is %+v, want half axes of 16 to %d and its centre at x = %d and inside the texture", m.oval, 16*maxSide, 8*m.width)
	}
	return nil
}

// About says what m was made from.
func (m *Model) About() string { return m.about }

// Components returns the numbers of components of shape and of texture.
func (m *Model) Components() (shape, texture int) { return len(m.shapes), len(m.components) }

// Marks returns where the mean face has its landmarks, in units of the window.
func (m *Model) Marks() [NumMarks]samples.Point {
	var p [NumMarks]samples.Point
	for i, k := range m.marks {
		p[i] = k.point()
	}
	return p
}

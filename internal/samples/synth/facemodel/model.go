// Package facemodel draws synthetic faces: images like blurred photographs of
// faces, in any number, from a file of about a hundred kilobytes. Cascades can
// be trained and tested on them without photographs.
//
//	m := facemodel.Builtin()
//	rng := rand.New(rand.NewPCG(1, 2))
//	face := m.Draw(rng)
//	face.Paint(picture, image.Rect(20, 20, 80, 80))
//
// # The model
//
// It is an appearance model in the sense of Cootes, Edwards and Taylor ("Active
// Appearance Models", 1998), with few landmarks: statistics of the positions of
// a face's marks (its shape), and of its grey levels once the marks are aligned
// (its texture; "eigenfaces", Turk and Pentland 1991). Both are a mean and a
// few principal components. A drawn face is the mean plus each component times
// a normally distributed random number, at most 3.5 standard deviations. Each
// component averages thousands of faces: a drawn face resembles no one of them.
//
// Half of each image is enough: the training set includes mirrored faces, so
// that every component is either symmetric or antisymmetric.
//
// # The window
//
// A detector sees a face in a square window. Positions in a [Face] are in units
// of it: (0, 0) is its upper left corner, (1, 1) the lower right one. The
// texture is larger than the window, with hair and chin, and fades out in an
// oval around it.
//
// # Same bytes everywhere
//
// The same model and seed draw the same bytes on every machine: sums are in
// integers, and the few floating point operations are those that IEEE 754
// defines exactly.
package facemodel

import (
	"image"

	"haarlem/internal/samples"
)

// NumMarks is the number of landmarks of a face: left eye, right eye, nose,
// left and right corner of the mouth, left and right as seen in the image.
const NumMarks = 5

// one is the unit of fixed point numbers in models: 1 of a window's side, or 1
// standard deviation of the grey levels of a face.
const one = 1 << 12

// A mark is a point of a model, in 1/4096 of a window.
type mark struct{ x, y int32 }

func (m mark) point() samples.Point {
	return samples.Point{X: float64(m.x) / one, Y: float64(m.y) / one}
}

// A Model draws faces. It may be used by many goroutines at once.
type Model struct {
	width, height int             // of the texture, in pixels
	window        image.Rectangle // within the texture
	oval          oval

	marks  [NumMarks]mark   // of the mean face
	shapes [][NumMarks]mark // components: one standard deviation

	// Textures are the pixels of the oval's left half, row by row.
	mean       []int16 // in units of 1/4096 standard deviation of a face
	components []component

	half []image.Point // of each texture pixel: its position
}

// A component is a principal component of the texture.
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

// fade is the opacity of a face, 0 to 256.
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

// setHalf lists the pixels of the model.
func (m *Model) setHalf() {
	for y := range m.height {
		for x := range m.width / 2 {
			if m.oval.depth(16*x+8, 16*y+8) < 1<<16 {
				m.half = append(m.half, image.Pt(x, y))
			}
		}
	}
}

// meanMarks returns the landmarks of the mean face, in units of the window.
func (m *Model) meanMarks() (p [NumMarks]samples.Point) {
	for i, k := range m.marks {
		p[i] = k.point()
	}
	return p
}

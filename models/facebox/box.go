// Package facebox knows what the boxes of the built-in models of faces frame, and turns
// them into boxes that frame something else.
package facebox

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"haarlem/cascade"
	"haarlem/landmarks"
)

// A Box is what the box of a face frames.
type Box uint8

const (
	Own  Box = iota // what the model's own boxes frame. The default
	Face            // the face from the forehead to the chin, as the boxes of face
	Head            // the head with hair and ears
	Eyes            // eyes and mouth, as OpenCV's frontal cascades: eyesBoxes
)

var names = [...]string{"own", "face", "head", "eyes"}

// Names returns the names of boxes on command lines.
func Names() []string { return names[:] }

// String returns the box's name.
func (b Box) String() string {
	if int(b) < len(names) {
		return names[b]
	}
	return fmt.Sprintf("Box(%d)", b)
}

// ErrBox is what errors about boxes wrap.
var ErrBox = errors.New("facebox: no such box")

// Parse is the inverse of String.
func Parse(name string) (Box, error) {
	for i, n := range names {
		if n == name {
			return Box(i), nil
		}
	}
	return 0, fmt.Errorf("%w: %q; there are: %s", ErrBox, name, strings.Join(names[:], ", "))
}

// faceModel is the model whose boxes are those of faces.
const faceModel = "face"

// eyesBoxes is the name of the boxes of eyes and mouth in landmark models, and of the
// template by which trainings align faces: the eyes are 0.4 of the width apart, at 0.38 of
// the height. A model of this name, which was removed, had them.
const eyesBoxes = "frontalface"

// toFace turns boxes, those of models and of eyes and mouth, into those of faces, as WIDER
// FACE labels them. models/EXPERIMENTS.md says how these and toHead were measured.
var toFace = map[string]cascade.Framing{
	faceModel:            {Width: 1, Height: 1}, // centred by calibrate -centre-boxes
	"face-fast":          {Width: 1, Height: 1}, // likewise
	eyesBoxes:            {Right: 0, Down: 0.034, Width: 0.93, Height: 1.171},
	"frontalface-opencv": {Right: 0, Down: 0.039, Width: 0.912, Height: 1.16},
}

// toEyes turns boxes into those of eyes and mouth as the points of faces say it, not the
// boxes of labels by which toFace was measured; models/face5.md says how.
var toEyes = map[string]cascade.Framing{
	faceModel:   {Right: 0.009, Down: -0.058, Width: 1.161, Height: 0.922},
	"face-fast": {Right: 0.011, Down: -0.052, Width: 1.173, Height: 0.931},
}

// toHead turns boxes of faces into those of heads.
var toHead = cascade.Framing{Right: 0, Down: -0.105, Width: 1.27, Height: 1.21}

// Framing returns the detector's Options.Framing for a cascade. It fails for models whose
// boxes frame nobody knows what.
func (b Box) Framing(c *cascade.Cascade) (cascade.Framing, error) {
	if b == Own {
		return cascade.Framing{}, nil
	}
	f, ok := toFace[c.Name]
	if !ok {
		return cascade.Framing{}, fmt.Errorf("%w: nothing is known of the boxes of %q, want a built-in model of faces", ErrBox, c.Name)
	}
	switch {
	case b == Head:
		f = f.Then(toHead)
	case b == Face && c.Name == faceModel, b == Eyes && c.Name == eyesBoxes:
		f = cascade.Framing{}
	case b == Eyes:
		f = f.Then(toFace[eyesBoxes].Inverse())
	}
	return f, nil
}

// Points returns where points are in the boxes of a model, for a landmark model that says
// where they are in those of eyes and mouth. For other landmark models and for unknown
// models it returns c.
func Points(model string, c landmarks.Convention) landmarks.Convention {
	if _, ok := toFace[model]; !ok || model == eyesBoxes || c.Name != eyesBoxes {
		return c
	}
	boxes := landmarks.Rough
	f, ok := toEyes[model]
	if !ok {
		boxes = landmarks.Near
		f = toFace[model].Then(toFace[eyesBoxes].Inverse())
	}
	return landmarks.Convention{
		Name:  model,
		Right: f.Right + float64(c.Right*f.Width),
		Down:  f.Down + float64(c.Down*f.Height),
		Side:  c.Side * math.Sqrt(float64(f.Width*f.Height)),
		Boxes: boxes,
	}
}

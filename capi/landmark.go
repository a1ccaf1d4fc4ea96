package main

import (
	"image"
	"io"
	"sync"

	"haarlem/landmarks"
	"haarlem/models/face5"
	"haarlem/models/face68"
	"haarlem/models/facebox"
)

// A landmark is a landmark model.
type landmark struct {
	model *landmarks.Model

	mu     sync.Mutex
	byName map[string]*landmarks.Predictor // by the name of the detector's model
}

func readLandmark(r io.Reader) (*landmark, error) {
	m, err := landmarks.Read(r)
	if err != nil {
		return nil, err
	}
	return newLandmark(m)
}

// openLandmark opens a built-in landmark model; no name means the default.
func openLandmark(name string) (*landmark, error) {
	var m *landmarks.Model
	var err error
	switch name {
	case "", face5.Name:
		m, err = face5.Model()
	case face68.Name:
		m, err = face68.Model()
	default:
		return nil, argument("there is no landmark model %q; there are %s and %s", name, face5.Name, face68.Name)
	}
	if err != nil {
		return nil, err
	}
	return newLandmark(m)
}

func newLandmark(m *landmarks.Model) (*landmark, error) {
	l := &landmark{model: m, byName: map[string]*landmarks.Predictor{}}
	_, err := l.predictor("")
	return l, err
}

// predictor returns one for the boxes of a detector's model.
func (l *landmark) predictor(name string) (*landmarks.Predictor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	box := facebox.Points(name, l.model.Box)
	if p := l.byName[box.Name]; p != nil {
		return p, nil
	}
	own := *l.model
	own.Box = box
	p, err := landmarks.NewPredictor(&own)
	if err == nil {
		l.byName[box.Name] = p
	}
	return p, err
}

// maxCoordinate bounds the boxes of objects.
const maxCoordinate = 1 << 24

// find returns the points of the object in a box of a picture, found by a model of that
// name.
func (l *landmark) find(s *scratch, p *pixels, name string, box image.Rectangle) ([]landmarks.Point, error) {
	switch {
	case box.Empty():
		return nil, argument("a box of %d x %d pixels", box.Dx(), box.Dy())
	case !box.In(image.Rect(-maxCoordinate, -maxCoordinate, maxCoordinate, maxCoordinate)):
		return nil, argument("a box at %v: coordinates are at most %d", box, maxCoordinate)
	case p.width == 0 || p.height == 0:
		return nil, argument("a picture without pixels")
	}
	by, err := l.predictor(name)
	if err != nil {
		return nil, err
	}
	g := p.greyPart(&s.grey, image.Rectangle{})
	return by.PointsFilled(nil, g, box, 0, func(part image.Rectangle) { p.fill(g, part) }), nil
}

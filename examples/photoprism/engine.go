// Package face shows a detection engine for PhotoPrism, after whose internal/ai/face it
// is named: copy this file there, with haarlem among the modules of go.mod, and
//
//	engine, err := NewHaarlemEngine()
//	...
//	UseEngine(engine)
//
// It finds faces at any angle, in photographs whose EXIF orientation was lost too, and
// close-ups that fill the picture. standin.go has the types of PhotoPrism's that it uses.
package face

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"haarlem/cascade/detector"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/face5"
	"haarlem/models/facebox"
	"haarlem/picture"
)

type haarlemEngine struct {
	detector *detector.Detector
	closed   atomic.Bool
}

// NewHaarlemEngine returns an engine for any number of goroutines.
func NewHaarlemEngine() (DetectionEngine, error) {
	c, err := models.Open(models.Default)
	if err != nil {
		return nil, err
	}
	router, err := models.Router(c)
	if err != nil {
		return nil, err
	}
	m, err := face5.Model()
	if err != nil {
		return nil, err
	}
	m.Box = facebox.Points(c.Name, m.Box)
	points, err := landmarks.NewPredictor(m)
	if err != nil {
		return nil, err
	}
	d, err := detector.New(&detector.Options{Angles: detector.AllAngles(), Router: router, Points: points}, c)
	return &haarlemEngine{detector: d}, err
}

func (e *haarlemEngine) Name() EngineName { return "haarlem" }

func (e *haarlemEngine) Close() error {
	e.closed.Store(true)
	return nil
}

// Detect returns the faces of a picture with sides of at least minSize pixels, and the
// points by which PhotoPrism levels them: left and right are those of the face when upright.
func (e *haarlemEngine) Detect(fileName string, minSize int) (Faces, error) {
	if e.closed.Load() {
		return nil, errors.New("faces: detector was closed")
	}
	p, err := picture.Open(fileName, nil)
	if err != nil {
		return nil, err
	}
	found, err := e.detector.Detect(context.Background(), p.Image)
	if err != nil {
		return nil, err
	}
	picture, faces := p.Image.Bounds(), Faces{}
	for _, f := range found {
		size := max(f.Box.Dx(), f.Box.Dy())
		if size < minSize {
			continue
		}
		centre := f.Box.Min.Add(f.Box.Max).Div(2)
		v := Face{Rows: picture.Dy(), Cols: picture.Dx(), Score: int(math.Round(100 * f.Score)), Area: NewArea("face", centre.Y, centre.X, size)}
		for i, q := range f.Points {
			area := NewArea([]string{"eye_l", "eye_r", "nose", "mouth_l", "mouth_r"}[i], int(math.Round(q.Y)), int(math.Round(q.X)), max(size/10, 1))
			if i < 2 {
				v.Eyes = append(v.Eyes, area)
			} else {
				v.Landmarks = append(v.Landmarks, area)
			}
		}
		faces = append(faces, v)
	}
	return faces, nil
}

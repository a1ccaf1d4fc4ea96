// Package pigo shows a detector with the calls that programs have around pigo.
package pigo

import (
	"context"
	"image"

	"haarlem/cascade/detector"
	"haarlem/landmarks"
	"haarlem/models/face5"
	"haarlem/models/facebox"
	"haarlem/models/facefast"
)

// A Finder has the calls by which photo libraries use pigo: RunCascade on grey
// pixels, ClusterDetections, and the same fields in what comes out. A program that
// calls pigo so can take it in its place.
type Finder struct {
	points *landmarks.Predictor
	kept   map[CascadeParams]*detector.Detector // by parameters without pixels
}

// CascadeParams are pigo's. ShiftFactor is not used: the model says how densely
// windows are searched.
type CascadeParams struct {
	MinSize, MaxSize         int
	ShiftFactor, ScaleFactor float64
	ImageParams
}

// ImageParams are grey pixels, Dim from row to row.
type ImageParams struct {
	Pixels          *[]uint8
	Rows, Cols, Dim int
}

// A Detection is a face: the row and column of its centre, its side, and its score.
type Detection struct {
	Row, Col, Scale int
	Q               float32 // a probability; pigo's has no upper end
}

// NewFinder returns a Finder with the built-in models.
func NewFinder() (*Finder, error) {
	m, err := face5.Model()
	if err != nil {
		return nil, err
	}
	m.Box.Boxes = landmarks.Rough // made of those of another model
	points, err := landmarks.NewPredictor(m)
	return &Finder{points: points, kept: map[CascadeParams]*detector.Detector{}}, err
}

// RunCascade finds faces that are turned by an angle, in parts of a whole turn as in
// pigo. Finders are for one goroutine.
func (f *Finder) RunCascade(p CascadeParams, angle float64) ([]Detection, error) {
	key := CascadeParams{MinSize: p.MinSize, MaxSize: p.MaxSize, ScaleFactor: p.ScaleFactor, ShiftFactor: angle}
	d := f.kept[key]
	if d == nil {
		model, err := facefast.Cascade()
		if err != nil {
			return nil, err
		}
		eyes, err := facebox.Eyes.Framing(model) // nearly square, as pigo's
		if err != nil {
			return nil, err
		}
		o := &detector.Options{MinSize: image.Pt(p.MinSize, p.MinSize), MaxSize: image.Pt(p.MaxSize, p.MaxSize), Scale: p.ScaleFactor, Framing: eyes}
		if angle != 0 {
			o.Angles = []float64{360 * angle}
		}
		if d, err = detector.New(o, model); err != nil {
			return nil, err
		}
		f.kept[key] = d
	}
	grey := &image.Gray{Pix: *p.Pixels, Stride: p.Dim, Rect: image.Rect(0, 0, p.Cols, p.Rows)}
	found, err := d.Detect(context.Background(), grey)
	if err != nil {
		return nil, err
	}
	var all []Detection
	for _, v := range found {
		centre := v.Box.Min.Add(v.Box.Max).Div(2)
		all = append(all, Detection{Row: centre.Y, Col: centre.X, Scale: v.Box.Dx(), Q: float32(v.Score)})
	}
	return all, nil
}

// ClusterDetections returns what it is given: RunCascade has grouped it.
func (f *Finder) ClusterDetections(found []Detection, _ float64) []Detection { return found }

// Eyes returns the centres of both eyes of a face, the left one in the picture
// first. pigo has RunDetector of a second cascade for that.
func (f *Finder) Eyes(d Detection, p ImageParams) (left, right image.Point) {
	plane := &image.Gray{Pix: *p.Pixels, Stride: p.Dim, Rect: image.Rect(0, 0, p.Cols, p.Rows)}
	box := image.Rect(d.Col-d.Scale/2, d.Row-d.Scale/2, d.Col-d.Scale/2+d.Scale, d.Row-d.Scale/2+d.Scale)
	q := f.points.Points(nil, plane, f.points.Model().Box.Frame(box))
	at := func(k int) image.Point { return image.Pt(int(q[k].X+0.5), int(q[k].Y+0.5)) }
	return at(face5.LeftEye), at(face5.RightEye)
}

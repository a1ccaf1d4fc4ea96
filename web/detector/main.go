//go:build js && wasm

// Detector is the part of the page that looks at pixels: the detector of
// package cascade as WebAssembly, in a worker. It is compiled by
// go generate ./web, and sets one object in the worker's global scope, haarlem:
//
//	haarlem.load(bytes)              reads a model: ours, or OpenCV's XML
//	haarlem.loadPoints(bytes)        reads the landmark model
//	haarlem.detect(id, pixels, ...)  finds its objects in a picture
//
// Each returns an object; if it has a field error, that says what is wrong.
// Detections of successive frames get the numbers of their tracks.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"syscall/js"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/integral"
	"haarlem/landmarks"
	"haarlem/models/facebox"
)

// maxPixels is the largest picture that is taken in: memory of a page is dear
// on a phone.
const maxPixels = 50e6

func main() {
	var s session
	js.Global().Set("haarlem", map[string]any{
		"load":       js.FuncOf(s.load),
		"loadPoints": js.FuncOf(s.loadPoints),
		"detect":     js.FuncOf(s.detect),
	})
	select {} // the functions above are called from now on
}

// A session is what the page has loaded. JavaScript calls one function at a
// time.
type session struct {
	models []*model
	pixels []byte           // of the last picture, used again
	points *landmarks.Model // nil until it is loaded
	follow following
}

// A model and its detector for the options that were used last: sliders move
// now and then, pictures come thirty times a second.
type model struct {
	cascade  *cascade.Cascade
	options  detector.Options
	detector *detector.Detector
	points   *landmarks.Predictor // of the session's points in the boxes of cascade; nil before they are wanted
}

func failure(err error) any { return map[string]any{"error": err.Error()} }

// load takes a Uint8Array and returns
//
//	{id, name, object, objects, width, height, scale, calibrated, minScore, weak, features}
func (s *session) load(_ js.Value, args []js.Value) any {
	data := make([]byte, args[0].Get("byteLength").Int())
	js.CopyBytesToGo(data, args[0])
	c, err := cascade.Read(bytes.NewReader(data), nil)
	if err != nil {
		return failure(err)
	}
	s.models = append(s.models, &model{cascade: c})
	return map[string]any{
		"id":         len(s.models) - 1,
		"name":       c.Name,
		"object":     c.Object.OrAny().Singular,
		"objects":    c.Object.OrAny().Plural,
		"width":      c.Width,
		"height":     c.Height,
		"scale":      cmp.Or(c.Search.Scale, 1.1),
		"calibrated": c.Calibration != nil,
		"minScore":   c.Search.MinScore,
		"weak":       len(c.Weak),
		"features":   len(c.Features),
	}
}

// loadPoints takes a Uint8Array and returns {count}, of points.
func (s *session) loadPoints(_ js.Value, args []js.Value) any {
	data := make([]byte, args[0].Get("byteLength").Int())
	js.CopyBytesToGo(data, args[0])
	m, err := landmarks.Read(bytes.NewReader(data))
	if err != nil {
		return failure(err)
	}
	s.points = m
	for _, k := range s.models {
		k.points = nil
	}
	return map[string]any{"count": len(m.Mean)}
}

// detect takes the model's id, the pixels as a Uint8Array or Uint8ClampedArray
// (red, green, blue, alpha, as canvases give them), width, height, and an
// object of options: min (pixels), scale, score, neighbors, points, whether they
// are wanted, and, for a frame of a video or a camera, frame: an object of source,
// a number for which is meant, and at, the time in milliseconds. With bounds, the least
// and largest width and height, it finds what OpenCV finds in grey pixels, in OpenCV's
// order, if the model is one of stages. It returns
//
//	{found, faces, points, tracks, milliseconds}
//
// where faces has six numbers for each, the best first: x, y, width, height,
// score, neighbors; and points x and y of each point of each face. In a frame,
// tracks has five numbers for each face: that of its track, which is 0 while it
// has none, and the box of the track, which is steadier. Behind the faces that
// were found, which found counts, are those that are predicted, with the score
// and neighbors that they had last.
func (s *session) detect(_ js.Value, args []js.Value) any {
	id, pixels, width, height, o := args[0].Int(), args[1], args[2].Int(), args[3].Int(), args[4]
	if id < 0 || id >= len(s.models) {
		return map[string]any{"error": "no model of this number is loaded"}
	}
	if width < 1 || height < 1 || width > maxPixels/height || pixels.Get("byteLength").Int() != 4*width*height {
		return map[string]any{"error": "the picture has no pixels, too many, or not as many as it says"}
	}
	m := s.models[id]
	side := o.Get("min").Int()
	search := m.cascade.Search
	search.MinScore = max(o.Get("score").Float(), 0)
	neighbors := o.Get("neighbors").Int()
	if neighbors < 0 {
		search.MinCandidates = 1
	}
	var points detector.PointFinder
	if o.Get("points").Truthy() && s.points != nil {
		if err := m.find(s.points); err != nil {
			return failure(err)
		}
		points = m.points
	}
	options := detector.Options{
		Points:       points,
		MinSize:      image.Pt(side, side),
		Scale:        o.Get("scale").Float(),
		MinNeighbors: max(neighbors, 0),
		Workers:      1, // there is one thread
		Search:       &search,
	}
	bounds := o.Get("bounds")
	if bounds.Truthy() {
		n := func(i int) int { return bounds.Index(i).Int() }
		options.MinSize, options.MaxSize = image.Pt(n(0), n(1)), image.Pt(n(2), n(3))
		options.Ungrouped, options.MaxCandidates = neighbors == 0, -1
	}
	if err := m.prepare(options); err != nil {
		return failure(err)
	}
	if n := 4 * width * height; cap(s.pixels) < n {
		s.pixels = make([]byte, n)
	}
	s.pixels = s.pixels[:4*width*height]
	start := time.Now()
	js.CopyBytesToGo(s.pixels, pixels)
	img := &image.NRGBA{Pix: s.pixels, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}
	var found []detector.Detection
	err := detector.ErrOptions
	if bounds.Truthy() && m.cascade.Network == nil {
		found, err = m.detector.AppendOpenCV(context.Background(), nil, integral.Grey(img))
	}
	if errors.Is(err, detector.ErrOptions) { // not OpenCV's search, or not a model of stages
		found, err = m.detector.Detect(context.Background(), img)
	}
	if err != nil {
		return failure(err)
	}
	var plane *image.Gray
	frame := o.Get("frame")
	if len(found) > 0 && frame.Truthy() {
		plane = integral.Grey(img)
	}
	var marks, tracks []any
	for _, f := range found {
		for _, q := range f.Points {
			marks = append(marks, q.X, q.Y)
		}
	}
	count := len(found)
	if frame.Truthy() {
		at := time.Duration(frame.Get("at").Float() * float64(time.Millisecond))
		numbers, boxes, predicted, err := s.follow.add(follows{frame.Get("source").Int(), id, img.Rect.Size()}, at, found, plane)
		if err != nil {
			return failure(err)
		}
		found = append(found, predicted...)
		for i, b := range boxes {
			tracks = append(tracks, numbers[i], b.Min.X, b.Min.Y, b.Dx(), b.Dy())
		}
	}
	took := time.Since(start)
	faces := make([]any, 0, 6*len(found))
	for _, f := range found {
		faces = append(faces, f.Box.Min.X, f.Box.Min.Y, f.Box.Dx(), f.Box.Dy(), f.Score, f.Neighbors)
	}
	return map[string]any{"found": count, "faces": faces, "points": marks, "tracks": tracks, "milliseconds": float64(took.Microseconds()) / 1e3}
}

// find makes the predictor of a landmark model unless it is at hand.
func (m *model) find(points *landmarks.Model) (err error) {
	if m.points == nil {
		own := *points
		own.Box = facebox.Points(m.cascade.Name, own.Box)
		m.points, err = landmarks.NewPredictor(&own)
	}
	return err
}

// prepare makes the detector for o unless that is the one at hand.
func (m *model) prepare(o detector.Options) error {
	if m.detector != nil && m.options.MinSize == o.MinSize && m.options.MaxSize == o.MaxSize && m.options.Scale == o.Scale &&
		*m.options.Search == *o.Search && m.options.MinNeighbors == o.MinNeighbors && m.options.Points == o.Points &&
		m.options.Ungrouped == o.Ungrouped && m.options.MaxCandidates == o.MaxCandidates {
		return nil
	}
	d, err := detector.New(&o, m.cascade)
	if err != nil {
		return err
	}
	m.detector, m.options = d, o
	return nil
}

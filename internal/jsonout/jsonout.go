// Package jsonout defines the JSON of results: what detect writes with -format
// json or jsonl, and what its server returns.
//
// Other programs depend on it: fields may be added, none changed.
package jsonout

import (
	"encoding/json"
	"image"
	"io"
	"math"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// A Picture is one picture and its detections.
type Picture struct {
	File         string  `json:"file"`
	Width        int     `json:"width"`
	Height       int     `json:"height"`
	Object       string  `json:"object"`       // what the model finds: "face", or "object" if it does not say
	Milliseconds float64 `json:"milliseconds"` // the detector's, without reading the file
	Faces        []Face  `json:"faces"`        // best first; never null
}

// A Face is one detection, in pixels of the upright picture, of whatever object
// the model finds. The name is kept for compatibility.
type Face struct {
	X         int     `json:"x"`
	Y         int     `json:"y"`
	Width     int     `json:"width"`
	Height    int     `json:"height"`
	Score     float64 `json:"score"`
	Neighbors int     `json:"neighbors"`

	// Object is what was found, if there are models of several objects.
	Object string `json:"object,omitempty"`

	// Angle is by how many degrees it is rotated clockwise, from -180 up to 180.
	Angle float64 `json:"angle,omitzero"`

	// Points are those of a landmark model; nil without one.
	Points *Points `json:"points,omitempty"`
}

// Points are x and y of each point of a landmark model, in its order, to hundredths of
// a pixel.
type Points [][2]float64

// Of returns the result for a picture of that name and size.
func Of(name string, size image.Point, took time.Duration, object cascade.Object, found []detector.Detection) Picture {
	p := Picture{
		File: name, Width: size.X, Height: size.Y,
		Milliseconds: float64(took.Microseconds()) / 1e3,
		Object:       object.OrAny().Singular,
		Faces:        make([]Face, len(found)),
	}
	for i, f := range found {
		p.Faces[i] = FaceOf(f)
	}
	return p
}

// FaceOf returns the result for one detection.
func FaceOf(f detector.Detection) Face {
	face := Face{
		X: f.Box.Min.X, Y: f.Box.Min.Y, Width: f.Box.Dx(), Height: f.Box.Dy(),
		Score: roundScore(f.Score), Neighbors: f.Neighbors, Angle: hundredths(f.Angle),
	}
	if f.Points != nil {
		points := make(Points, len(f.Points))
		for i, p := range f.Points {
			points[i] = [2]float64{hundredths(p.X), hundredths(p.Y)}
		}
		face.Points = &points
	}
	return face
}

func hundredths(v float64) float64 { return math.Round(v*100) / 100 }

// roundScore rounds to the digits that float32 sums have.
func roundScore(s float64) float64 { return math.Round(s*1e6) / 1e6 }

// An Array writes pictures as one JSON array, one element per line. Every call
// flushes, so that readers can follow.
type Array struct {
	w       io.Writer
	written bool
}

// NewArray begins an array.
func NewArray(w io.Writer) (*Array, error) {
	_, err := io.WriteString(w, "[")
	return &Array{w: w}, err
}

// Add writes one element.
func (a *Array) Add(p Picture) error {
	element, err := json.Marshal(p)
	if err != nil {
		return err
	}
	before := "\n "
	if a.written {
		before = ",\n "
	}
	a.written = true
	_, err = a.w.Write(append([]byte(before), element...))
	return err
}

// End closes the array.
func (a *Array) End() error {
	text := "\n]\n"
	if !a.written {
		text = "]\n"
	}
	_, err := io.WriteString(a.w, text)
	return err
}

// WriteLine writes one picture as a line of its own.
func WriteLine(w io.Writer, p Picture) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

package main

import (
	"encoding/json"
	"io"
	"math"

	"haarlem/cascade"
)

// jsonPicture is what programs get. Other programs depend on it: fields may be
// added, none changed.
type jsonPicture struct {
	File         string     `json:"file"`
	Width        int        `json:"width"`
	Height       int        `json:"height"`
	Milliseconds float64    `json:"milliseconds"` // the detector's, without reading the file
	Faces        []jsonFace `json:"faces"`        // best first; never null
}

type jsonFace struct {
	X         int     `json:"x"`
	Y         int     `json:"y"`
	Width     int     `json:"width"`
	Height    int     `json:"height"`
	Score     float64 `json:"score"`
	Neighbors int     `json:"neighbors"`
}

func newJSONFace(f cascade.Detection) jsonFace {
	return jsonFace{f.Box.Min.X, f.Box.Min.Y, f.Box.Dx(), f.Box.Dy(), roundScore(f.Score), f.Neighbors}
}

// jsonReporter writes an object a picture: one a line, or as one array.
type jsonReporter struct {
	w       io.Writer
	array   bool
	written bool
}

func (j *jsonReporter) begin() error {
	if !j.array {
		return nil
	}
	_, err := io.WriteString(j.w, "[")
	return err
}

func (j *jsonReporter) picture(r *result) error {
	p := jsonPicture{
		File: r.name, Width: r.width, Height: r.height,
		Milliseconds: float64(r.took.Microseconds()) / 1e3,
		Faces:        make([]jsonFace, len(r.faces)),
	}
	for i, f := range r.faces {
		p.Faces[i] = newJSONFace(f)
	}
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	switch {
	case !j.array:
		line = append(line, '\n')
	case j.written:
		line = append([]byte(",\n "), line...)
	default:
		line = append([]byte("\n "), line...)
	}
	j.written = true
	_, err = j.w.Write(line)
	return err
}

func (j *jsonReporter) end(int, int) error {
	if !j.array {
		return nil
	}
	text := "\n]\n"
	if !j.written {
		text = "]\n"
	}
	_, err := io.WriteString(j.w, text)
	return err
}

// roundScore leaves out the digits that float32 sums do not have.
func roundScore(s float64) float64 { return math.Round(s*1e6) / 1e6 }

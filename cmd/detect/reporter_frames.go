package main

import (
	"encoding/json"
	"io"
	"math"
)

// jsonFrame is jsonPicture for a frame of a video. Other programs depend on it:
// fields may be added, none changed.
type jsonFrame struct {
	File         string            `json:"file"`
	Frame        int               `json:"frame"` // from 0
	Time         float64           `json:"time"`  // in seconds, of the first frame 0 or a little more
	Width        int               `json:"width"`
	Height       int               `json:"height"`
	Milliseconds float64           `json:"milliseconds"` // the detector's, without reading the file
	Faces        []jsonTrackedFace `json:"faces"`        // best first; never null
}

type jsonTrackedFace struct {
	jsonFace
	// Track is the same for one face in many frames, from 1. It is 0 for a
	// face that was not seen before.
	Track int `json:"track"`
}

// frameReporter writes a line of JSON a frame.
type frameReporter struct {
	name string
	w    io.Writer
}

func (r *frameReporter) put(f *frame) error {
	size := f.image.Rect.Size()
	line := jsonFrame{
		File: r.name, Frame: f.index, Time: math.Round(f.at.Seconds()*1e6) / 1e6, Width: size.X, Height: size.Y,
		Milliseconds: float64(f.took.Microseconds()) / 1e3,
		Faces:        make([]jsonTrackedFace, len(f.found)),
	}
	for i, d := range f.found {
		line.Faces[i] = jsonTrackedFace{newJSONFace(d), f.tracks[i]}
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = r.w.Write(append(text, '\n'))
	return err
}

func (r *frameReporter) close() error { return nil }

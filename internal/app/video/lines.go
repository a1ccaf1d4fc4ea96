package video

import (
	"encoding/json"
	"errors"
	"image"
	"io"
	"math"
	"os"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/frames"
	"haarlem/internal/jsonout"
	"haarlem/track"
)

// A Line is jsonout.Picture for a frame of a video. Other programs depend on it:
// fields may be added, none changed.
type Line struct {
	File         string  `json:"file"`
	Frame        int     `json:"frame"` // from 0
	Time         float64 `json:"time"`  // in seconds, of the first frame 0 or a little more
	Width        int     `json:"width"`
	Height       int     `json:"height"`
	Object       string  `json:"object"`       // what the model finds
	Milliseconds float64 `json:"milliseconds"` // the detector's, without reading the file

	// Faces are the detections, the best first, and then what is predicted;
	// never null.
	Faces []jsonTrackedFace `json:"faces"`
}

type jsonTrackedFace struct {
	jsonout.Face
	// Track is the same for one face in all its frames, from 1. It is 0 for a
	// face that was found in one frame and not again in the next.
	Track int `json:"track"`
	// Predicted says that the face was not found in this frame: its box is
	// where its track should be, score and neighbors are those of the frame in
	// which it was last found.
	Predicted bool `json:"predicted"`
	// Shown is the box that a video shows, which is steadier than what was
	// found. It may lie partly beyond the picture's edge.
	Shown jsonBox `json:"shown"`
}

type jsonBox struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

func newJSONBox(r image.Rectangle) jsonBox { return jsonBox{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} }

func newJSONTrackedFace(f track.Followed) jsonTrackedFace {
	d := f.Detection
	if f.Predicted {
		d.Box = f.Box
	}
	return jsonTrackedFace{jsonout.FaceOf(d), f.Number, f.Predicted, newJSONBox(f.Box)}
}

// frameReporter writes a line of JSON a frame.
type frameReporter struct {
	name   string
	object cascade.Object
	w      io.Writer
}

func (r *frameReporter) Put(f *frames.Frame) error {
	size := f.Bounds().Size()
	line := Line{
		File: frames.Shown(r.name), Frame: f.Index, Time: math.Round(f.At.Seconds()*1e6) / 1e6, Width: size.X, Height: size.Y,
		Milliseconds: float64(f.Took.Microseconds()) / 1e3,
		Object:       r.object.OrAny().Singular,
		Faces:        make([]jsonTrackedFace, len(f.Faces)),
	}
	for i, v := range f.Faces {
		line.Faces[i] = newJSONTrackedFace(v)
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = r.w.Write(append(text, '\n'))
	return err
}

func (r *frameReporter) Close() error { return nil }

// createLines makes a file for lines of JSON. They can be read while they are
// written, and remain if the run breaks off.
func createLines(path, in string, object cascade.Object, overwrite bool) (frames.Sink, error) {
	how := os.O_CREATE | os.O_WRONLY | os.O_EXCL
	if overwrite {
		how = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	}
	f, err := os.OpenFile(path, how, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil, cli.Usagef("%s: not written: it exists (-overwrite replaces it)", path)
	} else if err != nil {
		return nil, cli.Usage(err)
	}
	return &linesFile{frameReporter{in, object, f}, f}, nil
}

type linesFile struct {
	frameReporter
	f *os.File
}

func (l *linesFile) Close() error { return l.f.Close() }

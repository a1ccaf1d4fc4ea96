package mining

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"

	"haarlem/cascade"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/samples"
	"haarlem/internal/train"
)

// A Mine is the operation that searches a list of pictures without the object for
// windows that a cascade passes: its hard negatives.
type Mine struct {
	source operation.Source
	search *train.WindowSearch
	models []string
}

// NewMine returns the operation, which gives at most so many windows of a picture,
// chosen by the seed and the picture's name.
func NewMine(source operation.Source, c *cascade.Cascade, seed uint64, largest int) (*Mine, error) {
	if largest < 1 {
		return nil, fmt.Errorf("%d windows of a picture, want at least 1", largest)
	}
	models, err := operation.Sums([]*cascade.Cascade{c})
	return &Mine{source, &train.WindowSearch{Cascade: c, Seed: seed, Max: largest}, models}, err
}

// Job returns the job of so many shards.
func (m *Mine) Job(shards int) (*shard.Job, error) {
	return operation.NewJob("mine", "jsonl", "", shards, m.models, struct {
		Seed uint64 `json:"seed"`
		Max  int    `json:"max"`
	}{m.search.Seed, m.search.Max})
}

// Work does one picture.
func (m *Mine) Work(ctx context.Context, name string) (shard.Result, error) {
	data, err := operation.Fetch(ctx, m.source, name, nil)
	if operation.Never(err) {
		return shard.Result{Failure: err.Error()}, nil
	} else if err != nil {
		return shard.Result{}, err
	}
	g, err := samples.DecodeGrey(data, name)
	if err != nil {
		return shard.Result{Failure: err.Error()}, nil
	}
	sum := sha256.Sum256([]byte(name))
	f, err := m.search.Search(ctx, g, train.Plain{Gray: g}, train.View{Picture: uint64(binary.BigEndian.Uint32(sum[:]))})
	return result(name, f, err)
}

// A line is a [train.Finding] in JSON.
type line struct {
	Name    string   `json:"file"`
	Visited int      `json:"visited"` // windows
	Passed  int      `json:"passed"`
	Windows [][]byte `json:"windows"`         // grey levels, row by row
	Boxes   [][4]int `json:"boxes,omitempty"` // of the windows in the picture: x, y, width, height; older files have none
}

// result is what a search of a picture found, or its error.
func result(name string, f train.Finding, err error) (shard.Result, error) {
	if err != nil {
		return shard.Result{}, err
	}
	l := line{Name: name, Visited: f.Visited, Passed: f.Passed, Windows: [][]byte{}}
	for _, w := range f.Windows {
		l.Windows = append(l.Windows, w.Pix)
	}
	for _, b := range f.Boxes {
		l.Boxes = append(l.Boxes, [4]int{b.Min.X, b.Min.Y, b.Dx(), b.Dy()})
	}
	text, err := json.Marshal(l)
	return shard.Result{Line: append(text, '\n'), Objects: len(l.Windows)}, err
}

// farthest bounds the coordinates of a box: no picture is as large.
const farthest = 1 << 24

// finding reads a line back.
func (l *line) finding(width, height int) (train.Finding, error) {
	f := train.Finding{Visited: l.Visited, Passed: l.Passed}
	if n := len(l.Boxes); n > 0 && n != len(l.Windows) {
		return f, fmt.Errorf("%s: %d windows with %d boxes, want a box of each, or none", l.Name, len(l.Windows), n)
	}
	for _, b := range l.Boxes {
		if max(b[0], b[1], b[2], b[3]) > farthest || min(b[0], b[1]) < -farthest || min(b[2], b[3]) < 0 {
			return f, fmt.Errorf("%s: a window's box is %v, want x, y, width, height in a picture", l.Name, b)
		}
		f.Boxes = append(f.Boxes, image.Rect(b[0], b[1], b[0]+b[2], b[1]+b[3]))
	}
	for _, pix := range l.Windows {
		if len(pix) != width*height {
			return f, fmt.Errorf("%s: a window of %d bytes, want %dx%d", l.Name, len(pix), width, height)
		}
		f.Windows = append(f.Windows, &image.Gray{Pix: pix, Stride: width, Rect: image.Rect(0, 0, width, height)})
	}
	return f, nil
}

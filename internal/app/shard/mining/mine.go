package mining

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"

	"haarlem/cascade"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/samples"
	"haarlem/internal/train"
	"haarlem/picture"
)

// A Mine is the operation that searches a list of pictures without the object for
// windows that a cascade passes: its hard negatives.
type Mine struct {
	source   operation.Source
	search   *train.WindowSearch
	settings json.RawMessage
	models   []string
}

// NewMine returns the operation, which gives at most so many windows of a picture,
// chosen by the seed and the picture's name.
func NewMine(source operation.Source, c *cascade.Cascade, seed uint64, largest int) (*Mine, error) {
	if largest < 1 {
		return nil, fmt.Errorf("%d windows of a picture, want at least 1", largest)
	}
	settings, err := json.Marshal(struct {
		Seed uint64 `json:"seed"`
		Max  int    `json:"max"`
	}{seed, largest})
	if err != nil {
		return nil, err
	}
	models, err := operation.Sums([]*cascade.Cascade{c})
	return &Mine{source, &train.WindowSearch{Cascade: c, Seed: seed, Max: largest}, settings, models}, err
}

// Job returns the job of so many shards.
func (m *Mine) Job(shards int) (*shard.Job, error) {
	return &shard.Job{Operation: "mine", Shards: shards, Extension: "jsonl", Models: m.models, Settings: m.settings}, nil
}

// Work does one picture.
func (m *Mine) Work(ctx context.Context, name string) (shard.Result, error) {
	r, err := m.source.Open(ctx, name)
	if err == nil {
		var data []byte
		data, err = io.ReadAll(io.LimitReader(r, 1<<30))
		err = errors.Join(err, r.Close())
		if err == nil {
			return m.mine(ctx, name, data)
		}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, picture.ErrFormat) {
		return shard.Result{Failure: err.Error()}, nil
	}
	return shard.Result{}, err
}

func (m *Mine) mine(ctx context.Context, name string, data []byte) (shard.Result, error) {
	g, err := samples.DecodeGrey(data, name)
	if err != nil {
		return shard.Result{Failure: err.Error()}, nil
	}
	sum := sha256.Sum256([]byte(name))
	f, err := m.search.Search(ctx, g, train.Plain{Gray: g}, train.View{Picture: uint64(binary.BigEndian.Uint32(sum[:]))})
	if err != nil {
		return shard.Result{}, err
	}
	return result(name, f)
}

// A line is a [train.Finding] in JSON.
type line struct {
	Name    string   `json:"file"`
	Visited int      `json:"visited"` // windows
	Passed  int      `json:"passed"`
	Windows [][]byte `json:"windows"`         // grey levels, row by row
	Boxes   [][4]int `json:"boxes,omitempty"` // of the windows in the picture: x, y, width, height; older files have none
}

func result(name string, f train.Finding) (shard.Result, error) {
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

package operation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"

	"haarlem/cascade"
	"haarlem/integral"
	"haarlem/internal/app/shard"
	"haarlem/internal/eval"
	"haarlem/picture"
)

// An Evaluate finds in photographs what contenders find, for an evaluation that is
// made of all shards.
type Evaluate struct {
	source     Source
	contenders []*eval.Contender
	models     []string
	settings   any
}

// NewEvaluate returns the operation. settings are those of the contenders, whose
// models are cascades.
func NewEvaluate(source Source, contenders []*eval.Contender, cascades []*cascade.Cascade, settings any) (*Evaluate, error) {
	models, err := Sums(cascades)
	return &Evaluate{source, contenders, models, settings}, err
}

// Job returns the job of so many shards.
func (e *Evaluate) Job(shards int) (*shard.Job, error) {
	var names []string
	for _, c := range e.contenders {
		names = append(names, c.Name)
	}
	return NewJob("eval", "jsonl", "", shards, e.models, struct {
		Contenders []string `json:"contenders"`
		Settings   any      `json:"settings"`
	}{names, e.settings})
}

// evaluated is a line of results. Ranks have all their digits.
type evaluated struct {
	File   string    `json:"file"`
	Width  int       `json:"width"`
	Height int       `json:"height"`
	Found  [][]found `json:"found"` // by contender
}

type found struct {
	X      int     `json:"x"`
	Y      int     `json:"y"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Rank   float64 `json:"rank"`
	Other  float64 `json:"other,omitempty"`
}

// Work does one photograph.
func (e *Evaluate) Work(ctx context.Context, name string) (shard.Result, error) {
	p, failure, err := read(ctx, e.source, name, &picture.Options{MaxPixels: integral.MaxPixels})
	if p == nil || err != nil {
		return shard.Result{Failure: failure}, err
	}
	size := p.Image.Bounds().Size()
	line := evaluated{File: name, Width: size.X, Height: size.Y, Found: make([][]found, len(e.contenders))}
	r := shard.Result{}
	for i, c := range e.contenders {
		all, err := c.Find(ctx, name, p.Image)
		if err != nil {
			if ctx.Err() != nil {
				return shard.Result{}, ctx.Err()
			}
			return shard.Result{Failure: fmt.Sprintf("%s: %s: %v", c.Name, name, err)}, nil
		}
		line.Found[i] = []found{}
		for _, f := range all {
			line.Found[i] = append(line.Found[i], found{f.Box.Min.X, f.Box.Min.Y, f.Box.Dx(), f.Box.Dy(), f.Rank, f.Other})
		}
		r.Objects += len(all)
	}
	text, err := json.Marshal(line)
	r.Line = append(text, '\n')
	return r, err
}

// Set puts the results of a finished job in the places that [eval.Measure] would
// have put them.
func (e *Evaluate) Set(ctx context.Context, f *shard.Finished, photos []eval.Photo) (*eval.Set, error) {
	if f.Failed > 0 {
		var b bytes.Buffer
		if err := f.Failures(ctx, &b); err != nil {
			return nil, err
		}
		first, _, _ := bytes.Cut(b.Bytes(), []byte("\n"))
		return nil, fmt.Errorf("%d photographs could not be read, so that nothing can be said about all: %s", f.Failed, first)
	}
	s := eval.NewSet(photos, e.contenders)
	index := map[string][]int{}
	for i, p := range photos {
		index[p.File] = append(index[p.File], i)
	}
	in, out := io.Pipe()
	go func() { out.CloseWithError(f.Results(ctx, out)) }()
	defer in.Close()
	known := 0
	for d := json.NewDecoder(in); ; known++ {
		var line evaluated
		if err := d.Decode(&line); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		at, ok := index[line.File]
		if !ok || len(line.Found) != len(e.contenders) {
			return nil, fmt.Errorf("%s: the shards are of other photographs or models", line.File)
		}
		i := at[0]
		if len(at) > 1 { // named several times, and done as often
			index[line.File] = at[1:]
		}
		s.Sizes[i] = image.Pt(line.Width, line.Height)
		for c, all := range line.Found {
			for _, f := range all {
				s.Found[c][i] = append(s.Found[c][i], eval.Found{Box: image.Rect(f.X, f.Y, f.X+f.Width, f.Y+f.Height), Rank: f.Rank, Other: f.Other})
			}
		}
	}
	if known != len(photos) {
		return nil, fmt.Errorf("the shards have %d photographs, and the truth %d", known, len(photos))
	}
	return s, nil
}

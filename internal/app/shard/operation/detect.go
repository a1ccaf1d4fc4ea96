package operation

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/shard"
	"haarlem/internal/jsonout"
	"haarlem/picture"
)

// A Detect finds what a cascade finds. Pictures are searched side by side, each by
// one goroutine.
type Detect struct {
	source   Source
	limits   picture.Options
	detector *detector.Detector
	options  detector.Options
	models   []string
	format   string
}

// NewDetect returns the operation whose results are in a format: jsonl or csv.
func NewDetect(source Source, limits picture.Options, options detector.Options, c *cascade.Cascade, format string) (*Detect, error) {
	if format != "jsonl" && format != "csv" {
		return nil, fmt.Errorf("shards have results in jsonl or csv, not in %s", format)
	}
	options.Workers = 1
	d, err := detector.New(&options, c)
	if err != nil {
		return nil, err
	}
	models, err := Sums(slices.DeleteFunc([]*cascade.Cascade{c, options.Router}, func(c *cascade.Cascade) bool { return c == nil }))
	return &Detect{source, limits, d, options, models, format}, err
}

// Detector is what it asks.
func (d *Detect) Detector() *detector.Detector { return d.detector }

type detectSettings struct {
	Search searching `json:"search"`
	Limits limits    `json:"limits"`
}

// Job returns the job of so many shards.
func (d *Detect) Job(shards int) (*shard.Job, error) {
	return NewJob("detect", d.format, d.header(false), shards, d.models, detectSettings{searchingOf(&d.options), limitsOf(&d.limits)})
}

// A row is a picture in JSON: jsonout's, without the time, which is another one
// whenever it is measured.
type row struct {
	File   string         `json:"file"`
	Width  int            `json:"width"`
	Height int            `json:"height"`
	Object string         `json:"object"`
	Copy   string         `json:"copy,omitempty"`   // that was written
	Broken string         `json:"broken,omitempty"` // what is missing of a file that ends too early
	Faces  []jsonout.Face `json:"faces"`
}

// Work does one picture.
func (d *Detect) Work(ctx context.Context, name string) (shard.Result, error) {
	p, found, failure, err := d.find(ctx, name)
	if p == nil {
		return shard.Result{Failure: failure}, err
	}
	return d.result(name, "", p, found)
}

// find returns no picture if there is a failure or an error.
func (d *Detect) find(ctx context.Context, name string) (*picture.Picture, []detector.Detection, string, error) {
	p, failure, err := read(ctx, d.source, name, &d.limits)
	if p == nil || err != nil {
		return nil, nil, failure, err
	}
	found, err := d.detector.Detect(ctx, p.Image)
	switch {
	case ctx.Err() != nil:
		return nil, nil, "", ctx.Err()
	case err != nil: // the picture is too large, or has too many candidates
		return nil, nil, fmt.Sprintf("%s: %v", name, err), nil
	}
	return p, found, "", nil
}

func (d *Detect) header(copies bool) string {
	if d.format != "csv" {
		return ""
	}
	heading := strings.Join(columns.Heading(), ",") + "\n"
	if copies {
		return strings.Replace(heading, ",", ",copy,", 1)
	}
	return heading
}

// columns are those of results in CSV; the name of a copy comes behind that of its picture.
var columns jsonout.Columns

// result writes what was found. In CSV that is a line a face; of a picture with a
// copy at least one.
func (d *Detect) result(name, copied string, p *picture.Picture, found []detector.Detection) (shard.Result, error) {
	r := shard.Result{Objects: len(found)}
	of := jsonout.Of(name, p.Image.Bounds().Size(), 0, d.detector.Object(), found)
	if d.format == "csv" {
		r.Line = linesOf(of, copied)
		return r, nil
	}
	line := row{File: name, Width: of.Width, Height: of.Height, Object: of.Object, Copy: copied, Faces: of.Faces}
	if p.Truncated != nil {
		line.Broken = p.Truncated.Error()
	}
	text, err := json.Marshal(line)
	r.Line = append(text, '\n')
	return r, err
}

func linesOf(p jsonout.Picture, copied string) []byte {
	var rows [][]string
	for i := range p.Faces {
		rows = append(rows, columns.Line(p.File, &p.Faces[i]))
	}
	if copied != "" && len(rows) == 0 {
		rows = [][]string{{p.File, "", "", "", "", "", ""}}
	}
	if copied != "" {
		for i := range rows {
			rows[i] = slices.Insert(rows[i], 1, copied)
		}
	}
	var b bytes.Buffer
	_ = csv.NewWriter(&b).WriteAll(rows) // a bytes.Buffer takes everything
	return b.Bytes()
}

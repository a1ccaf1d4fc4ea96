package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"path/filepath"
	"strings"

	"haarlem/internal/samples"
)

// Detections are those of another program, by photograph.
type Detections struct {
	Name  string // of their file
	Files []DetectionsFile
}

// A DetectionsFile has the detections of one photograph.
type DetectionsFile struct {
	File  string // name in the other program
	Found []Detected
}

// A Detected is one detection of another program.
type Detected struct {
	Box       image.Rectangle
	Score     float64
	Neighbors int // 0 if unknown
}

// ErrDetections is wrapped by errors about a file of detections.
var ErrDetections = errors.New("eval: bad file of detections")

// maxDetectionBytes bounds a file of detections; ten million of them fit.
const maxDetectionBytes = 1 << 30

// maxPlace bounds the coordinates of a detection.
const maxPlace = 1 << 24

// jsonDetections is an object of a file: detect's output, or with "detections"
// instead of "faces".
type jsonDetections struct {
	File       *string           `json:"file"`
	Faces      []json.RawMessage `json:"faces"`
	Detections []json.RawMessage `json:"detections"`
}

type jsonDetected struct {
	X         *float64 `json:"x"`
	Y         *float64 `json:"y"`
	Width     *float64 `json:"width"`
	Height    *float64 `json:"height"`
	Score     *float64 `json:"score"`
	Neighbors int      `json:"neighbors"`
}

// ReadDetections reads what detect -format json or jsonl writes: an object per
// photograph, in sequence or in an array,
//
//	{"file":"a.jpg","faces":[{"x":10,"y":20,"width":30,"height":30,"score":0.5}]}
//
// or with "detections" instead of "faces". Coordinates may have fractions, and
// are rounded. Other fields are ignored.
func ReadDetections(path string) (*Detections, error) {
	f, err := samples.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	defer f.Close()
	return DecodeDetections(f, path)
}

// DecodeDetections is [ReadDetections] for a stream. Errors contain the name.
func DecodeDetections(r io.Reader, name string) (*Detections, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxDetectionBytes+1))
	if err != nil {
		return nil, fmt.Errorf("eval: %s: %w", name, err)
	}
	if len(data) > maxDetectionBytes {
		return nil, fmt.Errorf("%w: %s: more than %d bytes", ErrDetections, name, maxDetectionBytes)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	fail := func(format string, args ...any) (*Detections, error) {
		at := int(d.InputOffset())
		for _, a := range args {
			if syntax, ok := a.(*json.SyntaxError); ok {
				at = int(syntax.Offset)
			}
		}
		at = min(at, len(data))
		line := 1 + bytes.Count(data[:at], []byte("\n"))
		return nil, fmt.Errorf("%w: %s:%d: %s", ErrDetections, name, line, fmt.Sprintf(format, args...))
	}
	array := false
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) > 0 && start[0] == '[' {
		array = true
		d.Token() // the bracket
	}
	all := &Detections{Name: name}
	seen := map[string]bool{}
	for !array || d.More() {
		var v jsonDetections
		err := d.Decode(&v)
		if err == io.EOF && !array {
			break
		}
		switch {
		case err == io.ErrUnexpectedEOF || err == io.EOF:
			at := int(d.InputOffset()) // the end of the object before
			at += len(data[at:]) - len(bytes.TrimLeft(data[at:], ", \t\r\n"))
			return nil, fmt.Errorf("%w: %s:%d: the file is cut off in the object that begins here", ErrDetections, name, 1+bytes.Count(data[:at], []byte("\n")))
		case err != nil:
			return fail("want an object with file and faces: %v", err)
		case v.File == nil:
			return fail("an object without a file: say which photograph it is about")
		case v.Faces == nil && v.Detections == nil:
			return fail("%s: neither faces nor detections: write an empty list for none", *v.File)
		case v.Faces != nil && v.Detections != nil:
			return fail("%s: both faces and detections, want one of them", *v.File)
		case seen[*v.File]:
			return fail("%s is there twice", *v.File)
		}
		seen[*v.File] = true
		f := DetectionsFile{File: *v.File}
		for i, raw := range append(v.Faces, v.Detections...) {
			one, err := detected(raw)
			if err != nil {
				return fail("%s: detection %d: %v", *v.File, i+1, err)
			}
			f.Found = append(f.Found, one)
		}
		all.Files = append(all.Files, f)
	}
	if array {
		if _, err := d.Token(); err != nil {
			return fail("the file is cut off: no ] at its end")
		}
		if _, err := d.Token(); err != io.EOF {
			return fail("something behind the array's end")
		}
	}
	if len(all.Files) == 0 {
		return fail("no photograph in it")
	}
	return all, nil
}

func detected(raw json.RawMessage) (v Detected, err error) {
	var j jsonDetected
	if err := json.Unmarshal(raw, &j); err != nil {
		return v, err
	}
	for _, f := range []struct {
		name string
		v    *float64
		min  float64
	}{{"x", j.X, -maxPlace}, {"y", j.Y, -maxPlace}, {"width", j.Width, 1}, {"height", j.Height, 1}} {
		if f.v == nil {
			return v, fmt.Errorf("no %s", f.name)
		}
		if *f.v < f.min || *f.v > maxPlace {
			return v, fmt.Errorf("%s %v, want %.0f to %d", f.name, *f.v, f.min, maxPlace)
		}
	}
	if j.Score == nil {
		return v, errors.New("no score")
	}
	x, y := int(math.Round(*j.X)), int(math.Round(*j.Y))
	v.Box = image.Rect(x, y, x+int(math.Round(*j.Width)), y+int(math.Round(*j.Height)))
	v.Score, v.Neighbors = *j.Score, j.Neighbors
	return v, nil
}

// Contender makes a contender of the detections, for these photographs. Paths
// need not be equal, since the other program may have run in another folder: a
// photograph's detections are those of the file that shares most trailing parts
// of its path. It is an error if there is none, or if several share equally
// many. unknown is the number of files of d that are none of these photographs.
func (d *Detections) Contender(photos []Photo, sweep Sweep) (c *Contender, unknown int, err error) {
	base := map[string][]int{}
	for i, f := range d.Files {
		b := lastPart(f.File)
		base[b] = append(base[b], i)
	}
	index := map[string]int{}
	used := map[int]string{}
	for _, p := range photos {
		own := parts(p.File)
		best, depth, tie := -1, 0, false
		for _, i := range base[own[len(own)-1]] {
			n := common(own, parts(d.Files[i].File))
			if n > depth {
				best, depth, tie = i, n, false
			} else if n == depth {
				tie = true
			}
		}
		switch {
		case best < 0:
			return nil, 0, fmt.Errorf("eval: %s says nothing of %s: write an empty list where nothing was found", d.Name, p.File)
		case tie:
			return nil, 0, fmt.Errorf("eval: %s has several files that may be %s: write longer paths", d.Name, p.File)
		case used[best] != "" && used[best] != p.File:
			return nil, 0, fmt.Errorf("eval: %s: %s may be %s or %s: write longer paths", d.Name, d.Files[best].File, used[best], p.File)
		}
		used[best] = p.File
		index[p.File] = best
	}
	if sweep == SweepAuto {
		sweep = SweepScore
	}
	name := strings.TrimSuffix(filepath.Base(d.Name), filepath.Ext(d.Name))
	find := func(_ context.Context, file string, _ image.Image) ([]Found, error) {
		var all []Found
		for _, v := range d.Files[index[file]].Found {
			rank := v.Score
			if sweep == SweepNeighbors {
				rank = float64(v.Neighbors)
			}
			all = append(all, Found{Box: v.Box, Rank: rank})
		}
		return all, nil
	}
	return &Contender{Name: name, Sweep: sweep, Find: find}, len(d.Files) - len(used), nil
}

// parts splits a path of any operating system.
func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
}

func lastPart(path string) string {
	p := parts(path)
	if len(p) == 0 {
		return ""
	}
	return p[len(p)-1]
}

// common counts the trailing parts that both have.
func common(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

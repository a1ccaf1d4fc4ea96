package find

import (
	"cmp"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/app/wholefile"
	"haarlem/landmarks"
	"haarlem/picture"
)

// outputs is a folder for pictures that we make. No file in it is replaced
// unless that is asked for, no two results go to one name, and a picture that
// was given to us is never written over.
type outputs struct {
	dir       string
	file      string // instead: the one file to write
	overwrite bool
	inputs    []input
	stems     []string // for each input, the beginning of its names

	mu      sync.Mutex
	written map[string]bool // lower-case names of this run
}

// NewOutputs makes the folder. Without a name it returns nil: not wanted.
func NewOutputs(dir string, overwrite bool, inputs []input) (*outputs, error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, cli.Usage(err)
	}
	return &outputs{dir: dir, overwrite: overwrite, inputs: inputs, stems: stems(inputs), written: map[string]bool{}}, nil
}

// NewOutput is for one file, whose name says its format.
func NewOutput(path string, overwrite bool, inputs []input) (*outputs, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg":
		return &outputs{file: path, overwrite: overwrite, inputs: inputs, stems: stems(inputs), written: map[string]bool{}}, nil
	}
	return nil, cli.Usagef("-out %s: pictures are written as .png or .jpg", path)
}

// stems gives each input a name of its own, without extension: its path in the folder
// that was given, or its base name, and with a number where others before it had that. It depends on the order
// of the inputs only. Upper and lower case count as one, as they do on some
// disks.
func stems(inputs []input) []string {
	taken := map[string]bool{}
	all := make([]string, len(inputs))
	for i, in := range inputs {
		base := cmp.Or(in.under, filepath.Base(in.path))
		base = strings.TrimSuffix(base, filepath.Ext(base))
		switch {
		case in.stdin:
			base = "stdin"
		case base == "" || os.IsPathSeparator(base[len(base)-1]): // a file called .jpg
			base += "picture"
		}
		stem := base
		for n := 2; taken[strings.ToLower(stem)]; n++ {
			stem = fmt.Sprintf("%s-%d", base, n)
		}
		taken[strings.ToLower(stem)] = true
		all[i] = stem
	}
	return all
}

func (o *outputs) writeAnnotated(i int, p *picture.Picture, r *result) error {
	marks := make([]picture.Mark, len(r.faces))
	for k, f := range r.faces {
		marks[k] = picture.Mark{Box: f.Box, Label: console.Score(f.Score)}
		if r.objects != nil {
			marks[k].Label = r.objects[k] + " " + marks[k].Label
		}
	}
	img := picture.Annotate(p.Image, marks)
	for _, f := range r.faces {
		landmarks.Draw(img, f.Points, f.Box.Dx())
	}
	return o.write(o.stems[i], p.Format, img)
}

// writeCrops writes each face: what is in its box, or with points, found by
// finder, the same with level eyes.
func (o *outputs) writeCrops(i int, p *picture.Picture, r *result, finder *landmarks.Predictor) error {
	for k, f := range r.faces {
		img := picture.Crop(p.Image, f.Box)
		if finder != nil {
			eyes := finder.Model().Eyes
			img = landmarks.Crop(p.Image, landmarks.Upright(f.Box, f.Points[eyes[0]], f.Points[eyes[1]]), max(f.Box.Dx(), 1))
		}
		if err := o.write(fmt.Sprintf("%s-%s%d", o.stems[i], r.object.Singular, k+1), p.Format, img); err != nil {
			return err
		}
	}
	return nil
}

// write stores one picture: photographs as photographs, all else without loss.
func (o *outputs) write(stem string, from picture.Format, img image.Image) error {
	path := o.file
	if path == "" {
		path = filepath.Join(o.dir, stem+operation.Ending(from))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
	}
	o.mu.Lock()
	twice := o.written[strings.ToLower(path)]
	o.written[strings.ToLower(path)] = true
	o.mu.Unlock()
	if twice {
		return fmt.Errorf("%s: not written: another result of this run has that name", path)
	}
	if o.overwrite {
		for _, in := range o.inputs {
			if !in.stdin && wholefile.IsSame(in.path, path) {
				return fmt.Errorf("%s: not written: it is one of the pictures to look at", path)
			}
		}
	}
	return wholefile.Write(path, o.overwrite, func(w io.Writer) error { return operation.Encode(w, path, img) })
}

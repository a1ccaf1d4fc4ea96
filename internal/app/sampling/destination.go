package sampling

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

// A destination is the output of windows.
type destination struct {
	folder, vec, sheet string // empty: none
	zoom               int
	made               output.MadeFolders
}

// destination parses the flags, before any work is done. making says that
// windows are made, and not only shown.
func (v *samplesFlags) destination(making bool) (*destination, error) {
	d := &destination{}
	var err error
	if d.zoom, err = v.shown(); err != nil {
		return nil, err
	}
	if making {
		d.vec = v.vec
	}
	if out := v.out; out != "" {
		switch {
		case !making:
			return nil, cli.Usagef("-out: nothing is made; give photographs or -img (-vec alone is only shown)")
		case strings.EqualFold(filepath.Ext(out), ".vec") && d.vec != "":
			return nil, cli.Usagef("-out and -vec name two .vec files: give one")
		case strings.EqualFold(filepath.Ext(out), ".vec"):
			d.vec = out
		default:
			d.folder = out
		}
	}
	d.sheet = v.sheetBeside(cmp.Or(d.folder, stem(v.vec), stem(d.vec)))
	if making && d.folder == "" && d.vec == "" && d.sheet == "" {
		return nil, cli.Usagef("nowhere to write to: give -out FOLDER, -out FILE.vec, or at least -sheet FILE.png")
	}
	if d.folder != "" {
		if d.made, err = output.NewFolder(d.folder, v.overwrite); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// stem is a path without its extension.
func stem(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

// sheetBeside returns the path of the sheet: beside the output if -sheet does not say.
func (v *samplesFlags) sheetBeside(output string) string {
	switch {
	case v.sheet == "none" || v.sheet == "" && output == "":
		return ""
	case v.sheet == "":
		return filepath.Clean(output) + "-sheet.png"
	}
	return v.sheet
}

// write stores windows, and reports on stdout what was written.
func (d *destination) write(windows []augment.Window, stdout io.Writer) error {
	greys := augment.Greys(windows)
	size := greys[0].Rect.Size()
	if d.vec != "" {
		if err := samples.WriteVec(d.vec, greys); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %d windows of %dx%d\n", d.vec, len(greys), size.X, size.Y)
	}
	if d.folder != "" {
		if err := d.writeFolder(windows); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %d windows of %dx%d\n", d.folder, len(greys), size.X, size.Y)
	}
	return d.draw(greys, stdout)
}

// origins is the file in a folder of windows that names the photograph of each:
// crops of one must not be on both sides of a split.
const origins = "origins.csv"

func (d *destination) writeFolder(windows []augment.Window) error {
	rows := [][]string{{"file", "source", "object", "variant", "mirrored"}}
	for i, w := range windows {
		name := fmt.Sprintf("%06d.png", i+1)
		if err := output.WritePNG(filepath.Join(d.folder, name), w.Grey); err != nil {
			return err
		}
		rows = append(rows, []string{name, filepath.ToSlash(w.Source), strconv.Itoa(w.Object + 1), strconv.Itoa(w.Variant), strconv.FormatBool(w.Mirrored)})
	}
	return writeRows(filepath.Join(d.folder, origins), rows)
}

// draw draws the sheet.
func (d *destination) draw(greys []*image.Gray, stdout io.Writer) error {
	if d.sheet == "" {
		return nil
	}
	if len(greys) == 0 {
		return errors.New("no windows to draw")
	}
	if err := output.WritePNG(d.sheet, output.Sheet(greys, d.zoom)); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: their mean and %d of %d windows\n", d.sheet, min(len(greys), output.MaxOnSheet), len(greys))
	return nil
}

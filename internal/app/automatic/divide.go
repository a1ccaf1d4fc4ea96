package automatic

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
	"haarlem/internal/train/auto"
)

const divideText = `Checks labelled photographs and backgrounds, and divides them into three parts: to learn
from, to calibrate with, and to measure on. No photograph is in two of them.

   train-cascade divide -truth cups.csv -bg photos/ -out parts/

The folder -out gets
   train.csv, dev.csv, test.csv              photographs and boxes
   train-bg.txt, dev-bg.txt, test-bg.txt     pictures without the object
   check.txt                                 what was left out, and why
   copies.csv                                pictures that show the same, and their parts
   objects.png                               some of the objects, and the mean of all
   facts.json                                sizes and shapes, for train-cascade auto

Unreadable, blank and tiny pictures, equal ones, and labels outside their picture are
left out. Moved, mirrored, cropped and brighter copies stay in one part. Objects for
which -where does not hold are dropped: they are background. Objects with landmarks and
no box get one from -template.`

// The files of a divided folder, beside those of the parts.
const (
	checkFile   = "check.txt"
	copiesFile  = "copies.csv"
	objectSheet = "objects.png"
	factsFile   = "facts.json"
)

// divideFlags are those of divide.
type divideFlags struct {
	truth, bg, where          []string
	format, template          string
	split, group              string
	devShare, testShare       float64
	out                       string
	overwrite, skipUnreadable bool
	seed                      uint64
	workers                   int
}

// declareFiles declares the flags that check has too.
func (v *divideFlags) declareFiles(f *cli.Flags) {
	v.format, v.template = "auto", "frontalface"
	f.Strings(&v.truth, "truth", "`FILE` of labelled photographs, with boxes or landmarks; may be repeated")
	f.Strings(&v.bg, "bg", "`PATH` of negative images, without the object: a folder, list or picture; may be repeated")
	f.String(&v.format, "format", "`FORMAT` of -truth: "+samples.FormatNames())
	f.Strings(&v.where, "where", "take only objects for which the truth says `COLUMN=VALUE,...`; may be repeated")
	f.String(&v.template, "template", "`POINTS` at which landmarks stand in a box, for objects without one: frontalface, none (all have boxes), or X,Y pairs in shares of its width")
}

// declareData declares the flags that auto has too.
func (v *divideFlags) declareData(f *cli.Flags) {
	v.declareFiles(f)
	v.seed = input.DefaultSeed
	f.String(&v.split, "split", "`COLUMN` of the truth that says train, val or test")
	f.String(&v.group, "group", "`COLUMN` of the truth: photographs with the same value stay together, such as those of one person")
	f.Bool(&v.skipUnreadable, "skip-unreadable", "leave out files that cannot be read; if not given, they end the run")
}

func Divide() *cli.Command {
	return &cli.Command{
		Name: "divide", Summary: "check labelled photographs, and divide them for training, calibration and tests", Text: divideText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &divideFlags{devShare: 0.15, testShare: 0.15}
			f.Group("Data")
			v.declareData(f)
			f.Float(&v.devShare, "dev-share", "calibrate with `SHARE` of the photographs")
			f.Float(&v.testShare, "test-share", "measure on `SHARE` of the photographs")
			f.Group("Output")
			f.String(&v.out, "out", "`FOLDER` for the parts")
			f.Bool(&v.overwrite, "overwrite", "write into a folder that has parts")
			f.Group("Run")
			f.Uint64(&v.seed, "seed", "`SEED` of the division: the same seed gives the same parts")
			f.Int(&v.workers, "workers", "use `N` goroutines; one for each processor if not given. The result does not depend on it")
			return func(ctx context.Context, _ []string) error { return divide(ctx, v, s.Out, s.Err) }
		},
	}
}

// A divided is what divide found, before it is written.
type divided struct {
	photos      [auto.Parts][]samples.Photo
	backgrounds [auto.Parts][]string
	health      *health
	partOf      map[string]int // of each file
}

// Fewer objects than these make no detector.
const (
	minTrain = 20
	minApart = 3

	// With the shares that are not given, photographs of one object each.
	minPhotos = 32
)

func divide(ctx context.Context, v *divideFlags, stdout, stderr io.Writer) error {
	switch {
	case len(v.truth) == 0:
		return cli.Usagef("nothing to find: give -truth FILE")
	case v.out == "":
		return cli.Usagef("no folder for the parts: give -out FOLDER")
	}
	for _, s := range []struct {
		name  string
		share float64
	}{{"dev-share", v.devShare}, {"test-share", v.testShare}} {
		if !(s.share > 0 && s.share < 0.5) {
			return cli.Usagef("-%s is %v, want more than 0 and less than 0.5", s.name, s.share)
		}
	}
	if _, err := os.Lstat(filepath.Join(v.out, factsFile)); err == nil && !v.overwrite {
		return fmt.Errorf("-out: %s holds a divided set: name another folder, or add -overwrite", v.out)
	}
	photos, err := input.ReadTruth(v.truth, v.format)
	if err != nil {
		return fmt.Errorf("-truth: %w", err)
	}
	if err := v.box(photos); err != nil {
		return err
	}
	backgrounds, err := input.ListPictures(v.bg)
	if err != nil {
		return fmt.Errorf("-bg: %w", err)
	}
	d, err := v.check(ctx, photos, backgrounds, stderr)
	if err != nil {
		return err
	}
	facts, err := d.facts()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(v.out, 0o777); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	if err := v.write(ctx, d, facts); err != nil {
		return err
	}
	if err := d.health.write(stderr); err != nil {
		return err
	}
	for part, name := range auto.PartNames {
		fmt.Fprintf(stdout, "%s: %s in %s, %s without, %.1f megapixels\n", name, output.Count(input.CountObjects(d.photos[part]), "object"),
			output.Count(len(d.photos[part]), "photograph"), output.Count(len(d.backgrounds[part]), "picture"), facts.Megapixels[part])
	}
	_, err = fmt.Fprintf(stdout, "boxes: median %.0f pixels (geometric mean of the sides), width %.2f times the height\n", facts.Size, facts.Aspect)
	return err
}

// box gives every object a box, instead of its landmarks.
func (v *divideFlags) box(photos []samples.Photo) error {
	template, err := input.Template(v.template)
	if err != nil {
		return err
	}
	if err := input.CheckBoxed(v.template, photos); err != nil {
		return err
	}
	for i := range photos {
		p := &photos[i]
		for k := range p.Objects {
			o := &p.Objects[k]
			if o.Box.Empty() && len(o.Marks) == len(template.Marks) && len(o.Marks) > 0 {
				if o.Box, err = template.Box(o.Marks); err != nil {
					return fmt.Errorf("%s: object %d: %w", p.File, k+1, err)
				}
			}
			o.Marks = nil
		}
	}
	return nil
}

// only drops the objects for which -where does not hold.
func (v *divideFlags) only(photos []samples.Photo) error {
	only, err := input.NewConditions("where", v.where)
	if err != nil {
		return err
	}
	left := 0
	for i := range photos {
		p := &photos[i]
		p.Objects = slices.DeleteFunc(p.Objects, func(o samples.Object) bool { return !only.Holds(&o) })
		left += len(p.Objects)
	}
	if left == 0 {
		return errors.New("-truth: no object in it for which -where holds")
	}
	return nil
}

// check checks and divides. Photographs without an object become backgrounds.
func (v *divideFlags) check(ctx context.Context, photos []samples.Photo, backgrounds []string, stderr io.Writer) (*divided, error) {
	d := &divided{partOf: map[string]int{}}
	division := &auto.Division{Split: v.split, Group: v.group, Dev: v.devShare, Test: v.testShare, Seed: v.seed}
	all := make([]samples.Photo, len(photos)) // with all objects: a photograph without any that is wanted has a part, too
	for i, p := range photos {
		all[i] = samples.Photo{File: p.File, Objects: slices.Clone(p.Objects)}
	}
	if _, err := division.Photos(all); err != nil { // before files are read
		return nil, err
	}
	if err := input.CheckClasses(photos, v.where); err != nil {
		return nil, err
	}
	if err := v.only(photos); err != nil {
		return nil, err
	}
	h, err := examine(ctx, photos, backgrounds, v.workers, stderr)
	if err != nil {
		return nil, err
	}
	defer h.close()
	d.health = h
	unread := h.reports[0].Unread
	unread.Join(&h.reports[1].Unread)
	if unread.Count > 0 && !v.skipUnreadable {
		return nil, fmt.Errorf("%s: %v; convert or remove them, or go on without them with -skip-unreadable", output.Count(unread.Count, "unreadable file"), &unread)
	}
	labelled := map[string]bool{}
	var shown []samples.Photo
	var without, files []string // photographs without an object, and other backgrounds
	for i := range photos {
		labelled[photos[i].File] = true
	}
	for i := range h.kept {
		if len(h.kept[i].Objects) > 0 {
			shown = append(shown, h.kept[i])
		} else {
			without = append(without, h.kept[i].File)
		}
	}
	for i := range h.clear {
		// A background that shows objects is a photograph of the truth: it counts there.
		if len(h.clear[i].Exclude) == 0 && !labelled[h.clear[i].File] {
			files = append(files, h.clear[i].File)
		}
	}
	if h.same, err = samples.Copies(ctx, shown, slices.Concat(without, files), &h.options); err != nil {
		return nil, err
	}
	division.Same = h.same.Groups
	if err := d.divide(division, all, shown, without, files); err != nil {
		return nil, err
	}
	h.reports[0].Copies(h.same, func(file string) int { return d.partOf[file] })
	return d, d.enough()
}

// divide gives each picture its part: a background that of a photograph that shows the
// same.
func (d *divided) divide(division *auto.Division, all, shown []samples.Photo, without, files []string) error {
	parts, err := division.Photos(all)
	if err != nil {
		return err
	}
	for i := range all {
		d.partOf[all[i].File] = parts[i]
	}
	with := map[string]int{}
	for _, group := range d.health.same.Groups { // its photographs come first
		if part, ok := d.partOf[group[0]]; ok && 3*len(group) <= len(all)+len(files) {
			for _, f := range group {
				with[f] = part
			}
		}
	}
	for i, part := range division.Backgrounds(files) {
		if p, ok := with[files[i]]; ok {
			part = p
		}
		d.partOf[files[i]] = part
	}
	for _, p := range shown {
		part := d.partOf[p.File]
		d.photos[part] = append(d.photos[part], p)
	}
	shows := map[string]bool{}
	for _, f := range d.health.same.Shown {
		shows[f] = true
	}
	for _, f := range slices.Concat(without, files) {
		if part := d.partOf[f]; !shows[f] {
			d.backgrounds[part] = append(d.backgrounds[part], f)
		}
	}
	return nil
}

// enough says which part has too little.
func (d *divided) enough() error {
	for part, name := range auto.PartNames {
		want := minApart
		if part == auto.Train {
			want = minTrain
		}
		if n := samples.Learnable(d.photos[part]); n < want {
			share := "a larger share with -" + name + "-share"
			if part == auto.Train {
				share = "a larger share with smaller -dev-share and -test-share"
			}
			return fmt.Errorf("too few data: the part %s has %s, want at least %d: label more (%d photographs of one object each are enough), or give it %s, of train-cascade divide", name, output.Count(n, "object"), want, minPhotos, share)
		}
	}
	return nil
}

// facts measures the part to learn from.
func (d *divided) facts() (*auto.Facts, error) {
	f, err := auto.Measure(d.photos[auto.Train], pictureSize)
	if err != nil {
		return nil, err
	}
	f.Backgrounds = len(d.backgrounds[auto.Train])
	for part := range auto.PartNames {
		var files []string
		for i := range d.photos[part] {
			files = append(files, d.photos[part][i].File)
		}
		for _, file := range slices.Concat(files, d.backgrounds[part]) {
			at, err := pictureSize(file)
			if err != nil {
				return nil, err
			}
			f.Megapixels[part] += float64(at.X) * float64(at.Y) / 1e6
		}
	}
	return f, nil
}

// write writes the parts, and the facts last: a folder with them is complete.
func (v *divideFlags) write(ctx context.Context, d *divided, facts *auto.Facts) error {
	in := func(name string) string { return filepath.Join(v.out, name) }
	for part, name := range auto.PartNames {
		if err := samples.WriteAtomically(in(name+".csv"), func(w io.Writer) error { return writeTruth(w, d.photos[part], v.out) }); err != nil {
			return err
		}
		if err := samples.WriteAtomically(in(name+"-bg.txt"), func(w io.Writer) error { return writeList(w, d.backgrounds[part], v.out) }); err != nil {
			return err
		}
	}
	if err := samples.WriteAtomically(in(checkFile), d.health.write); err != nil {
		return err
	}
	if err := samples.WriteAtomically(in(copiesFile), func(w io.Writer) error { return d.writeCopies(w, v.out) }); err != nil {
		return err
	}
	shape := auto.NewPlan(auto.Plan{}, facts, 0)
	windows, err := augment.Make(ctx, d.photos[auto.Train], &augment.MakeOptions{Width: 2 * shape.Width, Height: 2 * shape.Height, Workers: v.workers})
	if err != nil {
		return err
	}
	greys := augment.Greys(windows)
	facts.Mirrored = auto.Mirrored(samples.Mean(greys))
	if err := samples.WriteAtomically(in(objectSheet), func(w io.Writer) error { return png.Encode(w, output.Sheet(greys, 1)) }); err != nil {
		return err
	}
	return samples.WriteAtomically(in(factsFile), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(facts)
	})
}

// writeCopies writes the groups of pictures that show the same as CSV, for a file in a
// folder.
func (d *divided) writeCopies(w io.Writer, folder string) error {
	rows := [][]string{{"file", "group", "part"}}
	for i, group := range d.health.same.Groups {
		for _, f := range group {
			rows = append(rows, []string{samples.SeenFrom(folder, f), strconv.Itoa(i + 1), auto.PartNames[d.partOf[f]]})
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// writeTruth writes photographs as CSV, for a file in a folder.
func writeTruth(w io.Writer, photos []samples.Photo, folder string) error {
	t := samples.NewTable()
	for i := range photos {
		if err := t.Append(samples.SeenFrom(folder, photos[i].File), samples.LabelsOf(photos[i].Objects)); err != nil {
			return fmt.Errorf("%s: %w", photos[i].File, err)
		}
	}
	return t.Encode(w)
}

// writeList writes a list of pictures, for a file in a folder. A list must name one
// picture at least, so an empty one says that in a comment, and is not used.
func writeList(w io.Writer, files []string, folder string) error {
	if len(files) == 0 {
		_, err := io.WriteString(w, "# none\n")
		return err
	}
	for _, f := range files {
		if _, err := fmt.Fprintln(w, samples.SeenFrom(folder, f)); err != nil {
			return err
		}
	}
	return nil
}

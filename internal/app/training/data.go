package training

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/orient"
	"haarlem/internal/samples"
	"haarlem/internal/train"
	"haarlem/internal/unread"
	"haarlem/picture"
)

// A trainSource is the source of a training's data and the making of its
// windows, according to the flags.
type trainSource struct {
	v      *trainFlags
	format samples.Format
	maker  *input.Maker
}

// newTrainSource parses the flags, before any file is read.
func newTrainSource(v *trainFlags) (*trainSource, error) {
	src := &trainSource{v: v}
	var err error
	if src.format, err = samples.ParseFormat(v.format); err != nil {
		return nil, cli.Usage(fmt.Errorf("-format: %w", err))
	}
	if src.maker, err = v.Maker(); err != nil {
		return nil, err
	}
	if err := input.ForLabels(v.flags.Given, v.flags.Given("truth") || v.flags.Given("info") || v.flags.Given("val-truth")); err != nil {
		return nil, err
	}
	if len(v.truth)+len(v.pos)+len(v.vec) == 0 && v.info == "" {
		return nil, cli.Usagef("no positives: give -truth FILE, -info FILE, -pos FOLDER or -vec FILE")
	}
	if len(v.bg)+len(v.bgTruth) == 0 && !v.useRest {
		return nil, cli.Usagef("no negatives: give -bg with pictures that do not show the object, or -bg-truth or -use-rest, which use photographs outside their boxes")
	}
	if v.useRest && len(v.truth) == 0 && !v.flags.Given("info") {
		return nil, cli.Usagef("-use-rest is for the photographs of -truth and -info, and there are none")
	}
	if v.flags.Given("validation") && len(v.valTruth) > 0 {
		return nil, cli.Usagef("-validation holds out part of the data, and -val-truth names other data: give one of them")
	}
	if v.valReport && len(v.valTruth) == 0 {
		return nil, cli.Usagef("-val-report is about -val-truth, and there is none")
	}
	switch other := len(v.valBG) > 0; {
	case v.stopEarly && other:
		return nil, cli.Usagef("-stop-early holds out part of the backgrounds, and -val-bg names other ones: give one of them")
	case v.stopEarly && !v.flags.Given("validation"):
		return nil, cli.Usagef("-stop-early holds out the share -validation of the backgrounds: give -validation too")
	case other && !v.flags.Given("validation") && len(v.valTruth) == 0:
		return nil, cli.Usagef("-val-bg is the negatives of validation windows, and there are none: give -validation or -val-truth")
	}
	return src, nil
}

// A sample is a window and its origin.
type sample struct {
	grey   *image.Gray
	from   string // the photograph, or a window's number in a .vec file
	object int32  // in a labelled photograph, from 1
}

// trainData are the windows and pictures of a training.
type trainData struct {
	width       int // of a window
	positives   []sample
	validation  []sample
	backgrounds []samples.Background
	heldOut     []samples.Background // held out
	measureOnly bool                 // what is held out

	sumPositives   string // fingerprints, in hexadecimal
	sumValidation  string
	sumBackgrounds string
	sumHeldOut     string // empty without any
}

// read reads, checks and makes everything. Findings of the checks go to stderr.
func (src *trainSource) read(ctx context.Context, log *trainLog, stderr io.Writer) (*trainData, error) {
	v := src.v
	d := &trainData{width: v.Width, measureOnly: v.valReport}
	check := &samples.CheckOptions{Width: v.Width, Height: v.Height, Workers: v.Workers}
	var left unread.Files
	report := func(r *samples.Report) {
		log.report(r)
		left.Join(&r.Unread)
	}

	truth, err := input.Labelled("-truth: ", v.truth, src.format, v.info)
	if err != nil {
		return nil, err
	}
	crops, err := input.Crops("-pos: ", v.pos)
	if err != nil {
		return nil, err
	}
	other, err := input.Labelled("-val-truth: ", v.valTruth, src.format, "")
	if err != nil {
		return nil, err
	}
	if err := disjoint(truth, other); err != nil {
		return nil, err
	}
	checked := func(photos []samples.Photo) ([]samples.Photo, error) {
		if len(photos) == 0 {
			return nil, nil
		}
		var finish func()
		check.Progress, finish = output.Progress(stderr, "photographs")
		kept, r, err := samples.CheckPositives(ctx, photos, check)
		finish()
		if err == nil {
			report(r)
		}
		return kept, err
	}
	if err := input.CheckClasses(truth, v.Where); err != nil {
		return nil, err
	}
	doubts := input.Doubts(truth, func(file string) (image.Point, error) {
		w, h, err := picture.Size(file, nil)
		return image.Pt(w, h), err
	})
	for _, doubt := range doubts {
		log.note(doubt.String())
	}
	given := input.CountObjects(truth) + input.CountObjects(crops)
	photos := len(truth) + len(crops)
	for _, list := range []*[]samples.Photo{&truth, &crops, &other} {
		if *list, err = checked(*list); err != nil {
			return nil, err
		}
	}

	if err := src.unreadable(&left, log); err != nil {
		return nil, err
	}

	if d.positives, err = src.windows(ctx, truth, true, stderr); err != nil {
		return nil, err
	}
	more, err := src.windows(ctx, crops, false, stderr)
	if err != nil {
		return nil, err
	}
	d.positives = append(d.positives, more...)
	each := 1 // variants of one crop
	if src.maker.Options.Mirror {
		each = 2
	}
	different := len(d.positives) / (each * v.Variants)
	if more, err = src.vec("vec", v.vec, report); err != nil {
		return nil, err
	}
	different += len(more) / each
	d.positives = append(d.positives, more...)
	if different > 0 && different < fewPositives {
		log.note(fmt.Sprintf("only %s: the cascade will find little that differs from these; a hundred are a beginning, and a thousand usual", output.Count(different, "positive")))
	}
	if len(d.positives) == 0 {
		if photos == 0 {
			return nil, errors.New("no positives: what the checks left out was all there is")
		}
		return nil, fmt.Errorf("no positives: %s with %s were read, and the checks, %swhat is to be ignored leave none of them",
			output.Count(photos, "photograph"), output.Count(given, "object"), src.filters())
	}
	if d.validation, err = src.windows(ctx, other, true, stderr); err != nil {
		return nil, err
	}
	if share := v.validation; share > 0 {
		if err := d.split(share, src.maker.Options.Seed); err != nil {
			return nil, err
		}
	} else if len(d.validation) == 0 && len(v.valTruth) > 0 {
		const none = "no validation windows: the checks and conditions leave none of -val-truth"
		if !v.valReport {
			return nil, errors.New(none)
		}
		log.note(none)
	}
	switch n := v.numPos; {
	case n > len(d.positives):
		log.note(fmt.Sprintf("-numPos is %d, and %d windows is all there is; the training takes them", n, len(d.positives)))
	case n > 0:
		d.positives = spread(d.positives, n)
	}

	var finish func()
	check.Progress, finish = output.Progress(stderr, "backgrounds")
	left = unread.Files{}
	d.backgrounds, d.heldOut, err = src.negatives(ctx, truth, crops, other, check, report)
	finish()
	if err == nil {
		err = src.unreadable(&left, log)
	}
	if err != nil {
		return nil, err
	}
	if v.stopEarly {
		if err := d.splitBackgrounds(v.validation, src.maker.Options.Seed); err != nil {
			return nil, err
		}
	}
	return d, d.fingerprint(ctx)
}

// fewPositives is the number below which there is a note.
const fewPositives = 50

// unreadable ends a run with unreadable files, unless a flag allows them:
// training would not use the given data.
func (src *trainSource) unreadable(u *unread.Files, log *trainLog) error {
	switch {
	case u.Count == 0:
		return nil
	case src.v.skipUnreadable:
		log.note(fmt.Sprintf("%s left out: %v", output.Count(u.Count, "unreadable file"), u))
		return nil
	}
	return fmt.Errorf("%s: %v; convert or remove them, or train without them with -skip-unreadable", output.Count(u.Count, "unreadable file"), u)
}

// vec reads .vec files. Their windows are used unchanged, except for -mirror.
func (src *trainSource) vec(flag string, files []string, report func(*samples.Report)) ([]sample, error) {
	var all []sample
	for _, path := range files {
		crops, err := samples.ReadVec(path, src.v.Width, src.v.Height)
		if err != nil {
			return nil, fmt.Errorf("-%s: %w", flag, err)
		}
		crops, r := samples.CheckCrops(crops)
		r.What = "windows of " + path
		report(r)
		for i, g := range crops {
			from := fmt.Sprintf("%s %d", filepath.Base(path), i)
			all = append(all, sample{grey: g, from: from})
			if src.maker.Options.Mirror {
				all = append(all, sample{grey: mirrored(g), from: from})
			}
		}
	}
	return all, nil
}

func mirrored(g *image.Gray) *image.Gray {
	turn := orient.Of(2, g.Rect.Dx(), g.Rect.Dy())
	return &image.Gray{Pix: turn.Plane(nil, g.Pix, g.Stride, 1), Stride: turn.Width, Rect: image.Rect(0, 0, turn.Width, turn.Height)}
}

func (src *trainSource) windows(ctx context.Context, photos []samples.Photo, labelled bool, stderr io.Writer) ([]sample, error) {
	windows, err := src.maker.Make(ctx, photos, labelled, stderr)
	all := make([]sample, len(windows))
	for i, w := range windows {
		all[i] = sample{grey: w.Grey, from: w.Source}
		if labelled {
			all[i].object = int32(w.Object + 1)
		}
	}
	return all, err
}

// filters names the conditions on objects, for the message that nothing is
// left.
func (src *trainSource) filters() string {
	var parts []string
	for _, w := range src.v.Where {
		parts = append(parts, "-where "+w)
	}
	if n := src.v.MinSize; n > 0 {
		parts = append(parts, fmt.Sprintf("-min-size %d", n))
	}
	if len(parts) == 0 {
		return "and "
	}
	return strings.Join(parts, ", ") + " and "
}

// negatives returns the backgrounds, for training and held out.
func (src *trainSource) negatives(ctx context.Context, truth, crops, other []samples.Photo, check *samples.CheckOptions, report func(*samples.Report)) (learned, heldOut []samples.Background, err error) {
	labelled, err := input.Labelled("-bg-truth: ", src.v.bgTruth, src.format, "")
	if err != nil {
		return nil, nil, err
	}
	if src.v.useRest {
		labelled = append(labelled, truth...)
	}
	all, err := samples.Backgrounds(src.v.bg, labelled)
	if err != nil {
		return nil, nil, fmt.Errorf("-bg: %w", err)
	}
	var rest []samples.Photo
	if src.v.useRest && src.v.valReport {
		rest = other
	}
	held, err := samples.Backgrounds(src.v.valBG, rest)
	if err != nil {
		return nil, nil, fmt.Errorf("-val-bg: %w", err)
	}
	var known []samples.Photo
	for _, photos := range [][]samples.Photo{truth, crops, other} {
		known = append(known, photos...)
	}
	// All in one call, held-out ones first: the check removes a duplicate's
	// second copy. With -val-report they have no say in what is learned.
	first, second := held, all
	if src.v.valReport {
		first, second = all, held
	}
	kept, r, err := samples.CheckBackgrounds(ctx, slices.Concat(first, second), known, check)
	if err != nil {
		return nil, nil, err
	}
	report(r)
	isFirst := map[string]bool{}
	for i := range first {
		isFirst[first[i].File] = true
	}
	n := 0
	for n < len(kept) && isFirst[kept[n].File] {
		n++
	}
	heldOut, learned = kept[:n], kept[n:]
	if src.v.valReport {
		heldOut, learned = learned, heldOut
	}
	switch {
	case len(learned) == 0:
		return nil, nil, fmt.Errorf("no backgrounds: the checks leave none of %s", output.Count(len(all), "picture"))
	case len(heldOut) == 0 && len(held) > 0 && !src.v.valReport:
		return nil, nil, fmt.Errorf("no validation backgrounds: the checks leave none of %s", output.Count(len(held), "picture"))
	}
	return learned, heldOut, nil
}

// disjoint checks that no photograph is used for both training and validation.
func disjoint(truth, other []samples.Photo) error {
	in := map[string]bool{}
	for i := range truth {
		in[truth[i].File] = true
	}
	for i := range other {
		if in[other[i].File] {
			return fmt.Errorf("-val-truth: %s is in -truth too: validation wants other photographs", other[i].File)
		}
	}
	return nil
}

// split holds out about a fraction of the photographs for validation.
func (d *trainData) split(share float64, seed uint64) error {
	kept, held := samples.Split(d.positives, func(s sample) string { return s.from }, share, seed)
	if len(kept) == 0 || len(held) == 0 {
		return fmt.Errorf("-validation %v: %d of %s would be held out: want some on both sides", share, len(held), output.Count(len(d.positives), "window"))
	}
	d.positives, d.validation = kept, held
	return nil
}

// splitBackgrounds holds out about a fraction of the backgrounds. A photograph
// with objects is on the same side as these.
func (d *trainData) splitBackgrounds(share float64, seed uint64) error {
	kept, held := samples.Split(d.backgrounds, func(b samples.Background) string { return b.File }, share, seed)
	if len(kept) == 0 || len(held) == 0 {
		return fmt.Errorf("-stop-early: -validation %v holds out %d of %s: want some on both sides", share, len(held), output.Count(len(d.backgrounds), "background"))
	}
	d.backgrounds, d.heldOut = kept, held
	return nil
}

// spread takes n of all, evenly.
func spread(all []sample, n int) []sample {
	out := make([]sample, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}

func greys(all []sample) []*image.Gray {
	out := make([]*image.Gray, len(all))
	for i := range out {
		out[i] = all[i].grey
	}
	return out
}

func (d *trainData) forTraining() *train.Data {
	t := &train.Data{Positives: greys(d.positives), Validation: greys(d.validation), MeasureOnly: d.measureOnly, Fingerprint: d.sumPositives + d.sumValidation + d.sumBackgrounds + d.sumHeldOut}
	for i := range d.backgrounds {
		t.Backgrounds = append(t.Backgrounds, &d.backgrounds[i])
	}
	for i := range d.heldOut {
		if len(d.validation) == 0 {
			break // no windows to measure with
		}
		t.ValidationBackgrounds = append(t.ValidationBackgrounds, &d.heldOut[i])
	}
	return t
}

// fingerprint hashes names and pixels, so that other data are noticed. Names
// are without folders: data may move.
func (d *trainData) fingerprint(ctx context.Context) error {
	d.sumPositives, d.sumValidation = sum(d.positives), sum(d.validation)
	var err error
	if d.sumBackgrounds, err = sumFiles(ctx, d.backgrounds); err == nil && len(d.heldOut) > 0 {
		d.sumHeldOut, err = sumFiles(ctx, d.heldOut)
	}
	return err
}

func sumFiles(ctx context.Context, all []samples.Background) (string, error) {
	h := sha256.New()
	for i := range all {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		b := &all[i]
		put(h, []byte(filepath.Base(b.File)))
		in, err := os.Open(b.File)
		if err != nil {
			return "", err
		}
		content := sha256.New()
		_, err = io.Copy(content, in)
		if err := errors.Join(err, in.Close()); err != nil {
			return "", err
		}
		put(h, content.Sum(nil))
		for _, e := range b.Exclude {
			fmt.Fprintln(h, e)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func sum(all []sample) string {
	h := sha256.New()
	for i := range all {
		put(h, []byte(filepath.Base(all[i].from)))
		put(h, all[i].grey.Pix)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// put hashes bytes with their length.
func put(h hash.Hash, b []byte) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
	h.Write(b)
}

package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
)

// blobs finds white squares: a detector that a test can predict.
func blobs(name string, score func(image.Rectangle) float64) *Contender {
	return &Contender{Name: name, Sweep: SweepScore, Find: func(_ context.Context, _ string, img image.Image) ([]Found, error) {
		var all []Found
		g := samples.Grey(img)
		w := g.Rect.Dx()
		white := func(x, y int) bool { return x >= 0 && y >= 0 && g.Pix[y*w+x] == 255 }
		for y := range g.Rect.Dy() {
			for x := range w {
				if !white(x, y) || white(x-1, y) || white(x, y-1) {
					continue
				}
				n := 0
				for x+n < w && white(x+n, y) {
					n++
				}
				b := box(x, y, n)
				all = append(all, Found{Box: b, Rank: score(b)})
			}
		}
		return all, nil
	}}
}

// TestMeasurePoorModel: one that passes every window of a large photograph is measured too.
func TestMeasurePoorModel(t *testing.T) {
	c, _ := hundred(t)
	for i := range c.Exits {
		c.Exits[i].Threshold = -1000
	}
	c.Search.Stride = 1
	path := picturetest.Save(filepath.Join(t.TempDir(), "noise.png"), picturetest.Noise(640, 520, 1))
	m := must.Get(Detector("all", &DetectorOptions{Search: detector.Options{Scale: 4}}, c))
	set := must.Get(Measure(context.Background(), []Photo{{File: path}}, []*Contender{m}, nil))
	if judged := set.Judge(0, Centre{}); len(judged) == 0 {
		t.Error("nothing found where everything passes")
	}
}

// squares writes a photograph of white squares, and returns its truth.
func squares(t *testing.T, path string, boxes ...image.Rectangle) samples.Photo {
	g := image.NewGray(image.Rect(0, 0, 500, 200))
	p := samples.Photo{File: path}
	for _, b := range boxes {
		picturetest.Fill(g, b, 255)
		p.Objects = append(p.Objects, samples.Object{Box: b, Tags: map[string]string{"size": fmt.Sprint(b.Dx())}})
	}
	picturetest.Save(path, g)
	return p
}

func measured(t *testing.T, workers int) *Set {
	dir := t.TempDir()
	photos := []samples.Photo{
		squares(t, filepath.Join(dir, "a.png"), box(10, 10, 40), box(100, 10, 30), box(200, 10, 20)),
		squares(t, filepath.Join(dir, "b.png"), box(10, 10, 50), box(100, 10, 10)),
		squares(t, filepath.Join(dir, "c.png"), box(300, 100, 60)),
	}
	photos[2].Objects = nil // detections there are false positives
	truth := must.Get(Truth(photos, &TruthOptions{Ignore: map[string][]string{"size": {"20"}}}))
	large := blobs("large first", func(b image.Rectangle) float64 { return float64(b.Dx()) })
	small := blobs("small first", func(b image.Rectangle) float64 { return -float64(b.Dx()) })
	last := 0
	s := must.Get(Measure(context.Background(), truth, []*Contender{large, small}, &MeasureOptions{
		Workers: workers, Progress: func(done, total int) {
			if done != last+1 || total != 3 {
				t.Errorf("progress %d of %d after %d", done, total, last)
			}
			last = done
		},
	}))
	return s
}

const wantReport = `Matched by overlap: intersection over union of at least 0.5
4 objects (1 more ignored) in 3 photographs (1 of them without any), 0.3 megapixels

Recall in per cent, at no more than so many false positives:
      0      1      5     10     20       50      100      200     AP  max. recall  false  duplicates    swept by  detector
      0    3.3     17     33     67  1.7e+02  3.3e+02  6.7e+02                                                     (false positives a megapixel)
      -  100.0  100.0  100.0  100.0    100.0    100.0    100.0   80.0        100.0      1           0       score  large first
  100.0  100.0  100.0  100.0  100.0    100.0    100.0    100.0  100.0        100.0      1           0       score  small first

Their thresholds:
    -   10   10   10   10   10   10   10  large first
  -50  -60  -60  -60  -60  -60  -60  -60  small first

With 4 objects, recall is an estimate (95 per cent confidence):
  large first: 100 per cent, between 51 and 100, at 10 false positives
  small first: 100 per cent, between 51 and 100, at 10 false positives

At the threshold with the best F1 measure, and at the lowest; what the false positives are:
  recall  precision     F1  false  background  wrong size  badly placed  duplicates  threshold  detector
   100.0       80.0   88.9      1           1           0             0           0         10  large first
   100.0      100.0  100.0      0           0           0             0           0        -50  small first
   100.0       80.0   88.9      1           1           0             0           0     lowest  small first
`

func TestReport(t *testing.T) {
	for _, workers := range []int{1, 4} {
		r := measured(t, workers).Report(Overlap{})
		var b bytes.Buffer
		must.Do(r.WriteText(&b))
		if b.String() != wantReport {
			t.Errorf("%d workers:\n%s\nwant\n%s", workers, b.String(), wantReport)
		}
		b.Reset()
		must.Do(r.WriteJSON(&b))
		var back Report
		must.Do(json.Unmarshal(b.Bytes(), &back))
		rate := back.Lines[0].Rates
		if back.Objects != 4 || rate[0].Threshold != nil || *rate[1].Threshold != 10 || rate[1].Recall != 1 || len(back.Lines[1].Curve) != 5 {
			t.Errorf("%+v", back)
		}
	}
}

func TestErrors(t *testing.T) {
	s := measured(t, 0)
	e := s.Errors(1, Overlap{}, 0)
	if e.Threshold != -50 || len(e.Misses) != 0 || len(e.FalsePositives) != 0 || len(e.Worst) != 0 {
		t.Errorf("%+v", e)
	}
	// All thresholds of the other one give a false positive: its best one misses
	// everything.
	e = s.Errors(0, Overlap{}, 0)
	if e.Threshold != 60 || len(e.Misses) != 4 || len(e.FalsePositives) != 1 || e.FalsePositives[0].Box != box(300, 100, 60) {
		t.Errorf("%+v", e)
	}
	if fmt.Sprint(e.Worst) != "[0 1 2]" {
		t.Errorf("worst %v", e.Worst)
	}
	sheet, err := s.Sheet(e.Misses, 3, 64)
	if err != nil || sheet.Rect != image.Rect(0, 0, 3*66, 2*66) {
		t.Fatalf("a sheet of %v, %v", sheet.Rect, err)
	}
	// The first crop: its middle is the object, its corners are around it, and
	// the box is outlined.
	if v := sheet.RGBAAt(33, 33); v.R != 255 || v.G != 255 {
		t.Errorf("the middle is %v, want white", v)
	}
	if v := sheet.RGBAAt(62, 62); v.R != 0 || v.B != 0 {
		t.Errorf("the corner is %v, want black", v)
	}
	if v := sheet.RGBAAt(33, 16); v != foundColour {
		t.Errorf("the outline is %v, want %v", v, foundColour)
	}
	img := must.Get(s.Draw(0, e))
	if v := img.RGBAAt(20, 9); v != missedColour {
		t.Errorf("the outline of a miss is %v, want %v", v, missedColour)
	}
	if v := img.RGBAAt(205, 9); v != ignoreColour {
		t.Errorf("the outline of what is ignored is %v, want %v", v, ignoreColour)
	}
	if img, err = s.Draw(2, e); err != nil || img.RGBAAt(310, 99) != falseColour {
		t.Errorf("a false positive is %v, %v", img.RGBAAt(310, 99), err)
	}
}

func TestMeasureErrors(t *testing.T) {
	if _, err := Measure(context.Background(), nil, nil, nil); err != ErrNothing {
		t.Errorf("nothing: %v", err)
	}
	c := blobs("b", func(image.Rectangle) float64 { return 0 })
	if _, err := Measure(context.Background(), []Photo{{File: "no.png"}}, []*Contender{c}, nil); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "no.png") {
		t.Errorf("no file: %v", err)
	}
	file := picturetest.Save(filepath.Join(t.TempDir(), "a.png"), picturetest.Noise(30, 30, 1))
	odd := errors.New("odd")
	c.Find = func(context.Context, string, image.Image) ([]Found, error) { return nil, odd }
	if _, err := Measure(context.Background(), []Photo{{File: file}}, []*Contender{c}, nil); !errors.Is(err, odd) || err.Error() != "b: "+file+": odd" {
		t.Errorf("a contender's error: %v", err)
	}
}

func TestTruth(t *testing.T) {
	photos := []samples.Photo{{File: "a", Objects: []samples.Object{
		{Box: box(0, 0, 30), Tags: map[string]string{"pose": "1"}},
		{Box: box(0, 0, 30), Tags: map[string]string{"pose": "3"}},
		{Box: box(0, 0, 12), Tags: map[string]string{"pose": "3"}},
		{Box: box(0, 0, 30), Ignore: true},
	}}}
	all := must.Get(Truth(photos, &TruthOptions{MinSize: 20, Ignore: map[string][]string{"pose": {"1", "5"}}}))
	for i, want := range []bool{true, false, true, true} {
		if all[0].Objects[i].Ignore != want {
			t.Errorf("object %d is ignored: %v, want %v", i+1, !want, want)
		}
	}
	if _, err := Truth(photos, &TruthOptions{Ignore: map[string][]string{"posture": {"1"}}}); err == nil || err.Error() != `eval: objects are to be ignored by "posture", but none of them has such a column` {
		t.Error(err)
	}
	photos[0].Objects = []samples.Object{{}}
	if _, err := Truth(photos, nil); err == nil || err.Error() != "eval: a: object 1 has neither a box nor landmarks" {
		t.Error(err)
	}
}

// Where no detection is wrong, what nearly passes calibrates a model: true positives
// keep high scores, and what passes with nothing to spare gets a low one.
func TestCalibrateBelow(t *testing.T) {
	c, photos := hundred(t)
	strict := must.Get(Calibrate(context.Background(), c, photos, &CalibrateOptions{FalsePositivesPerMegapixel: 1e-9}))
	if strict.After.FalsePositives != 0 || strict.Right == 0 || strict.Wrong != 0 {
		t.Fatalf("%+v: want none but true positives", strict)
	}
	if strict.Below < strict.Right {
		t.Errorf("%d false positives with lower thresholds, want as many as the %d true positives", strict.Below, strict.Right)
	}
	fit := strict.Cascade.Calibration
	if smallest := logistic(fit.Offset); smallest > 0.5 {
		t.Errorf("a margin of 0 has a score of %v, want at most 0.5", smallest)
	}
	if last := strict.Bins[len(strict.Bins)-1]; last.Right == 0 {
		t.Errorf("no right detection has a score of 0.9: %+v", strict.Bins)
	}
	// The same thresholds, calibrated again, give the same curve.
	again, err := Calibrate(context.Background(), strict.Cascade, photos, nil)
	if err != nil || *again.Cascade.Calibration != *fit || again.Below != strict.Below {
		t.Errorf("again %+v of %d, want %+v of %d (%v)", again.Cascade.Calibration, again.Below, fit, strict.Below, err)
	}
}

// Each false positive has one kind, and the best threshold is the one with the
// largest F1 measure.
func TestFalsePositiveKinds(t *testing.T) {
	object := image.Rect(100, 100, 140, 140)
	for _, test := range []struct {
		box  image.Rectangle
		m    Matcher
		want Kind
	}{
		{image.Rect(300, 300, 340, 340), Centre{}, Background},
		{image.Rect(139, 139, 179, 179), Centre{}, Background},  // a corner
		{image.Rect(128, 100, 168, 140), Centre{}, BadlyPlaced}, // 0.7 sizes away
		{image.Rect(128, 100, 168, 140), Overlap{}, BadlyPlaced},
		{image.Rect(115, 115, 125, 125), Centre{}, WrongSize}, // a nose in a face
		{image.Rect(40, 40, 280, 280), Centre{}, WrongSize},   // a window around it
		{image.Rect(106, 106, 134, 134), Overlap{}, WrongSize},
	} {
		s := &Set{Photos: []Photo{{Objects: []Object{{Box: object}}}}}
		if got := s.kind(test.m, &Judged{Found: Found{Box: test.box}, Verdict: FalsePositive}); got != test.want {
			t.Errorf("%v with %v: %v, want %v", test.box, test.m, got, test.want)
		}
	}

	all := []Found{
		found(object, 9), found(image.Rect(300, 300, 340, 340), 8), found(image.Rect(202, 102, 242, 142), 7),
		found(object.Add(image.Pt(2, 0)), 6), found(image.Rect(128, 100, 168, 140), 5), found(image.Rect(115, 115, 125, 125), 4),
	}
	s := &Set{
		Photos:     []Photo{{File: "a", Objects: []Object{{Box: object}, {Box: image.Rect(200, 100, 240, 140)}}}},
		Sizes:      []image.Point{{400, 400}},
		Contenders: []*Contender{{Name: "x", Sweep: SweepScore}},
		Found:      [][][]Found{{all}},
	}
	l := s.Report(Centre{}).Lines[0]
	if want := (FalsePositiveKinds{Background: 1, WrongSize: 1, BadlyPlaced: 1, Duplicates: 1}); l.Kinds != want || l.FalsePositives != 4 {
		t.Errorf("%d false positives, %+v, want %+v", l.FalsePositives, l.Kinds, want)
	}
	if b := l.Best; b == nil || b.Threshold != 7 || b.Recall != 1 || b.Precision != 2.0/3 || b.F1 != 0.8 || b.Kinds != (FalsePositiveKinds{Background: 1}) {
		t.Errorf("best: %+v", l.Best)
	}
	text := must.Bytes(s.Report(Centre{}).WriteText)
	for _, want := range []string{
		"recall  precision    F1  false  background  wrong size  badly placed  duplicates  threshold  detector",
		" 100.0       66.7  80.0      1           1           0             0           0          7  x\n",
		" 100.0       33.3  50.0      4           1           1             1           1     lowest  x\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if e := s.Errors(0, Centre{}, 10); len(e.FalsePositives) != 4 || e.FalsePositives[1].Kind != DuplicateOf || e.FalsePositives[3].Kind != WrongSize {
		t.Errorf("%+v", e.FalsePositives)
	}
	// Nothing is found.
	s.Found = [][][]Found{{nil}}
	if l := s.Report(Centre{}).Lines[0]; l.Best != nil || l.Kinds != (FalsePositiveKinds{}) {
		t.Errorf("without detections: %+v", l)
	}
}

// Of classical stages the better of both ranks is taken; others keep theirs.
func TestPickSweep(t *testing.T) {
	object, far := image.Rect(100, 100, 140, 140), image.Rect(300, 300, 340, 340)
	for _, test := range []struct {
		either       bool
		right, wrong Found
		want         Sweep
		best         float64
	}{
		{true, Found{object, 2, 9}, Found{far, 5, 1}, SweepScore, 9},
		{true, Found{object, 5, 1}, Found{far, 2, 9}, SweepNeighbors, 5},
		{true, Found{object, 5, 9}, Found{far, 2, 1}, SweepNeighbors, 5}, // as good
		{false, Found{object, 2, 9}, Found{far, 5, 1}, SweepNeighbors, 2},
	} {
		given := []*Contender{{Name: "x", Sweep: SweepNeighbors, either: test.either}}
		s := &Set{
			Photos: []Photo{{File: "a", Objects: []Object{{Box: object}}}}, Sizes: []image.Point{{400, 400}},
			Contenders: given, Found: [][][]Found{{{test.wrong, test.right}}},
		}
		for range 2 { // the second time changes nothing
			s.PickSweep(Centre{})
			l := s.Report(Centre{}).Lines[0]
			if l.Sweep != test.want.String() || l.Best == nil || l.Best.Threshold != test.best {
				t.Errorf("%+v: swept by %s, best %+v", test, l.Sweep, l.Best)
			}
		}
		if given[0].Sweep != SweepNeighbors {
			t.Error("the caller's contender changed")
		}
	}
}

// boxed returns a cascade whose verifier corrects no box, with trees that could.
func boxed(t *testing.T) (*cascade.Cascade, []Photo) {
	c, photos := hundred(t)
	same := func(v float32) []cascade.Weak {
		return []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{v, v}}}
	}
	c.Verifier = &cascade.Verifier{Sides: 1.4, Weight: 1, Trees: same(0), Boxes: &cascade.Boxes{Left: same(0), Top: same(0), Right: same(0), Bottom: same(0)}}
	return c, photos
}

// CentreBoxes moves each edge by the mean error of true positives, and leaves the model
// that came as it was.
func TestCentreBoxes(t *testing.T) {
	c, photos := boxed(t)
	for i := range photos { // labels that are wider than the boxes, and lower
		for j := range photos[i].Objects {
			b := &photos[i].Objects[j].Box
			w, h := b.Dx()/10, b.Dy()/10
			*b = image.Rect(b.Min.X-w, b.Min.Y+h, b.Max.X+w, b.Max.Y+h)
		}
	}
	k := must.Get(Calibrate(context.Background(), c, photos, &CalibrateOptions{CentreBoxes: true}))
	var moved [4]float64
	for i, trees := range [...][]cascade.Weak{k.Cascade.Verifier.Boxes.Left, k.Cascade.Verifier.Boxes.Top, k.Cascade.Verifier.Boxes.Right, k.Cascade.Verifier.Boxes.Bottom} {
		moved[i] = float64(trees[0].Leaves[0])
		if trees[0].Leaves[1] != trees[0].Leaves[0] || math.Trunc(moved[i]*4096) != moved[i]*4096 {
			t.Errorf("edge %d: leaves %v, want two equal multiples of 2^-12", i, trees[0].Leaves)
		}
	}
	if moved[0] >= 0 || moved[1] <= 0 || moved[2] <= 0 || moved[3] <= 0 {
		t.Errorf("edges moved by %v, want left to the left, right to the right, and both others down", moved)
	}
	if c.Verifier.Boxes.Left[0].Leaves[0] != 0 {
		t.Error("the model that came was changed")
	}
	// Now the edges are right, to the pixel to which they are rounded.
	again := must.Get(Calibrate(context.Background(), k.Cascade, photos, &CalibrateOptions{CentreBoxes: true}))
	for i, trees := range [...][]cascade.Weak{again.Cascade.Verifier.Boxes.Left, again.Cascade.Verifier.Boxes.Top, again.Cascade.Verifier.Boxes.Right, again.Cascade.Verifier.Boxes.Bottom} {
		if by := float64(trees[0].Leaves[0]) - moved[i]; math.Abs(by) > 0.02 {
			t.Errorf("edge %d moved by %.4f, and once more by %.4f", i, moved[i], by)
		}
	}
	c.Verifier.Boxes = nil
	if _, err := Calibrate(context.Background(), c, photos, &CalibrateOptions{CentreBoxes: true}); !errors.Is(err, ErrCalibration) {
		t.Errorf("without trees for boxes: %v", err)
	}
}

// Wilson's interval is as tables have it, and within 0 and 1.
func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		found, of int
		low, high float64
	}{{45, 48, 0.8320, 0.9785}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {50, 100, 0.4038, 0.5962}} {
		low, high := wilson(test.found, test.of)
		if math.Abs(low-test.low) > 5e-4 || math.Abs(high-test.high) > 5e-4 {
			t.Errorf("%d of %d: %v to %v, want %v to %v", test.found, test.of, low, high, test.low, test.high)
		}
	}
	threshold := 1.0
	low, high := wilson(45, 48)
	l := Line{Rates: []Rate{{FalsePositives: 10, Recall: 45.0 / 48, Threshold: &threshold, Interval: &[2]float64{low, high}}}}
	if got := l.Estimate(); got != "94 per cent, between 83 and 98, at 10 false positives" {
		t.Error(got)
	}
	l.Rates[0].Interval = nil
	if got := l.Estimate(); got != "" {
		t.Error(got)
	}
}

// precisionSet is two photographs with four objects, and two contenders.
func precisionSet(one, two [][]Found) *Set {
	tags := func(level string) map[string]string { return map[string]string{"level": level} }
	return &Set{
		Photos: []Photo{
			{File: "a", Objects: []Object{
				{Box: box(0, 0, 10), Tags: tags("easy")},
				{Box: box(100, 0, 40), Tags: tags("hard")},
				{Box: box(200, 0, 40), Ignore: true, Tags: tags("easy")},
			}},
			{File: "b", Objects: []Object{{Box: box(0, 0, 100), Tags: tags("easy")}}},
		},
		Contenders: []*Contender{{Name: "one"}, {Name: "two"}},
		Found:      [][][]Found{one, two},
	}
}

func TestPrecision(t *testing.T) {
	s := precisionSet([][]Found{
		{
			found(box(100, 0, 40), 9),               // the hard one: ignored among the easy ones
			found(box(400, 0, 40), 8),               // background, which the other finds too
			found(image.Rect(0, 0, 10, 6), 7),       // the small one, with 0.6
			found(box(200, 0, 40), 6),               // ignored
			found(box(101, 0, 40), 5),               // a duplicate
			found(image.Rect(100, 80, 140, 120), 2), // background
		},
		{
			found(image.Rect(0, 0, 100, 40), 4), // a bad box: 0.4
		},
	}, [][]Found{{found(box(401, 0, 40), 1)}, nil})
	r := must.Get(s.Precision(&PrecisionOptions{
		IoUs:           []float64{0.3, 0.7},
		Subsets:        []Subset{{Name: "all"}, {"easy", "level", []string{"easy"}}},
		Columns:        []string{"level", SizeColumn},
		FalsePositives: []int{0, 1},
	}))
	if !slices.Equal(r.IoUs, []float64{0.3, 0.5, 0.7}) {
		t.Errorf("measured at %v, want the main one among them", r.IoUs)
	}
	l := r.Lines[0]
	for _, c := range []struct {
		subset  int
		objects int
		want    []float64
	}{
		// In their order: right, wrong, right, (duplicate) wrong, right or wrong.
		{0, 3, []float64{(1 + 2./3 + 3./5) / 3, (1 + 2./3) / 3, 1. / 3}},
		// Duplicates of the hard one are ignored with it: wrong, right, right.
		{1, 2, []float64{(2./3 + 2./3) / 2, 1. / 2 / 2, 0}},
	} {
		g := l.Subsets[c.subset]
		if g.Objects != c.objects {
			t.Errorf("%s: %d objects, want %d", g.Name, g.Objects, c.objects)
		}
		for i, want := range c.want {
			if math.Abs(g.AveragePrecision[i]-want) > 1e-12 {
				t.Errorf("%s at %g: average precision %v, want %v", g.Name, r.IoUs[i], g.AveragePrecision[i], want)
			}
		}
	}
	if last := l.Subsets[0].Curve[len(l.Subsets[0].Curve)-1]; last != (PrecisionPoint{2, 2. / 6, 2. / 3}) {
		t.Errorf("the curve ends with %v", last)
	}
	if want := []BoxFit{{1, 1, 1}, {2, 0.8, 1}, {3, 0.6, 2. / 3}}; !slices.Equal(l.Fits, want) {
		t.Errorf("fits %v, want %v", l.Fits, want)
	}
	var columns []string
	for _, c := range l.Columns {
		columns = append(columns, c.Column+"="+c.Value)
		want := map[string][]float64{
			"level=easy": {0, 0.5, 0.5}, "level=hard": {1, 1, 1},
			"size=below 16": {0, 1, 1}, "size=32 to 64": {1, 1, 1}, "size=64 to 128": {0, 0, 0},
		}[c.Column+"="+c.Value]
		if !slices.Equal(c.Recall, want) {
			t.Errorf("%s=%s: recall %v, want %v", c.Column, c.Value, c.Recall, want)
		}
	}
	if want := []string{"level=easy", "level=hard", "size=below 16", "size=32 to 64", "size=64 to 128"}; !slices.Equal(columns, want) {
		t.Errorf("columns %q, want %q", columns, want)
	}
	if n := len(l.Errors); n != 3 {
		t.Fatalf("%d error counts, want one a number of false positives and one of all", n)
	}
	if e := l.Errors[0]; e.FalsePositives != 0 || *e.Threshold != 9 {
		t.Errorf("without false positives: %+v", e)
	}
	// The other contender's one is its first false positive.
	if e := l.Errors[1]; e.FalsePositives != 1 || e.Unlabelled != 1 {
		t.Errorf("at one false positive: %+v", e)
	}
	if e := l.Errors[2]; e.FalsePositives != 4 || e.Duplicates != 1 || e.BadBoxes != 1 || e.Background != 1 || e.Unlabelled != 1 {
		t.Errorf("of all: %+v", e)
	}
	text := must.Bytes(r.WriteText)
	for _, want := range []string{"75.6", "level=easy", "perhaps unlabelled", "size=below 16"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, string(text))
		}
	}
}

// An object belongs to the box that overlaps most, even if it is taken: as in
// benchmarks, the second detection of it is wrong.
func TestPrecisionTakesTheBestObject(t *testing.T) {
	s := &Set{
		Photos:     []Photo{{Objects: []Object{{Box: box(0, 0, 40)}, {Box: box(8, 0, 40)}}}},
		Contenders: []*Contender{{Name: "one"}},
		Found:      [][][]Found{{{found(box(0, 0, 40), 2), found(box(1, 0, 40), 1)}}},
	}
	r := must.Get(s.Precision(nil))
	if e := r.Lines[0].Errors[len(r.Lines[0].Errors)-1]; e.Duplicates != 1 {
		t.Errorf("%+v, want a duplicate", e)
	}
}

func TestPrecisionErrors(t *testing.T) {
	s := precisionSet([][]Found{nil, nil}, [][]Found{nil, nil})
	for name, o := range map[string]*PrecisionOptions{
		"a column that is not there": {Columns: []string{"pose"}},
		"a subset without objects":   {Subsets: []Subset{{"medium", "level", []string{"medium"}}}},
		"an overlap above 1":         {IoUs: []float64{1.5}},
		"numbers out of order":       {FalsePositives: []int{5, 2}},
		"a negative number":          {FalsePositives: []int{-1}},
	} {
		if _, err := s.Precision(o); !errors.Is(err, ErrPrecision) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := s.Precision(nil)
	if err != nil || r.Lines[0].Subsets[0].AveragePrecision[0] != 0 {
		t.Errorf("nothing found: %v, %v", r, err)
	}
	if e := r.Lines[0].Errors[0]; e.Threshold != nil {
		t.Errorf("nothing found, at a threshold of %v", *e.Threshold)
	}
}

func TestParseSubset(t *testing.T) {
	u, err := ParseSubset("medium:level=easy,medium")
	if err != nil || u.Name != "medium" || u.Column != "level" || !slices.Equal(u.Values, []string{"easy", "medium"}) {
		t.Errorf("%+v, %v", u, err)
	}
	for _, bad := range []string{"", "level=easy", "a:level", ":level=easy", "a:=easy", "a:level="} {
		if _, err := ParseSubset(bad); !errors.Is(err, ErrPrecision) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

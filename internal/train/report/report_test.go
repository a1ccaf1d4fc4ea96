package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/engine"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/train"
)

// crosses returns windows of a light cross on noise.
func crosses(n int, seed uint64) []*image.Gray {
	r := rand.New(rand.NewPCG(seed, 1))
	var all []*image.Gray
	for range n {
		g := noise(r, 12, 12)
		for i := 3; i < 9; i++ {
			for j := 5; j < 7; j++ {
				g.Pix[i*12+j] += 45
				if i < 5 || i >= 7 {
					g.Pix[j*12+i] += 45
				}
			}
		}
		all = append(all, g)
	}
	return all
}

func noise(r *rand.Rand, w, h int) *image.Gray {
	return picturetest.Grey(w, h, func(int, int) byte { return byte(r.IntN(120)) })
}

// trained returns the run of a short training.
func trained(t *testing.T, shape train.Shape, heldOut bool) *Run {
	t.Helper()
	d := &train.Data{Positives: crosses(150, 1), Validation: crosses(40, 2)}
	r := rand.New(rand.NewPCG(3, 3))
	for range 4 {
		d.Backgrounds = append(d.Backgrounds, train.Plain{Gray: noise(r, 120, 90)})
	}
	s := &train.Settings{Name: "cross", Width: 12, Height: 12, Shape: shape, Stages: train.StageGoals{Count: 2}, Soft: train.SoftGoals{Rounds: 8}, Features: 300, MinStdDev: 2, Negatives: 100}
	if shape == train.Soft {
		s.Booster, s.Weak = train.RAB, train.Histograms
	}
	if heldOut {
		for range 2 {
			d.ValidationBackgrounds = append(d.ValidationBackgrounds, train.Plain{Gray: noise(r, 120, 90)})
		}
	}
	run := &Run{
		Name: "cross", Spent: 95 * time.Second, Positives: set("photo", d.Positives), Validation: set("other", d.Validation),
		Program: "a test", Command: `train-cascade train -data "out & more"`,
		Settings: map[string]any{"rounds": 8, "loss": 0.03},
		Data:     []Data{{Role: "positives", Names: []string{"drawn <by> a test"}, Count: 150, SHA256: "0123abcd"}},
		Notes:    []string{"a note"},
	}
	result := must.Get(train.Run(context.Background(), d, s, &train.Hooks{Stepped: func(ctx context.Context, s *train.Snapshot) error {
		now := *run
		now.Cascade, now.Steps = s.Cascade, slices.Clone(s.Steps)
		now.Negatives, now.HeldOut, now.HeldOutRate = found("background", s.Negatives), found("apart", s.HeldOut), s.HeldOutRate
		c, err := now.Measure(ctx)
		if err == nil && c != nil {
			run.Curves = append(run.Curves, *c)
		}
		run.Negatives, run.HeldOut, run.HeldOutRate = now.Negatives, now.HeldOut, now.HeldOutRate
		return err
	}}))
	if result.Cascade == nil {
		t.Fatalf("no cascade: %v", result.Reason)
	}
	times := make([]time.Duration, len(result.Steps))
	for i := range times {
		times[i] = time.Duration(i+1) * 700 * time.Millisecond
	}
	run.Cascade, run.Ended, run.Steps, run.Times = result.Cascade, result.Reason.String(), result.Steps, times
	return run
}

// set is windows of photographs with one object each.
func set(name string, windows []*image.Gray) Set {
	return Set{windows, func(i int) Origin { return Origin{File: fmt.Sprintf("data/%s<%d>.png", name, i), Object: 1} }}
}

// found is windows of backgrounds.
func found(name string, all []train.Negative) Set {
	s := Set{From: func(i int) Origin {
		return Origin{File: fmt.Sprintf("data/%s%d.png", name, all[i].Origin.Picture), Box: all[i].Origin.Box}
	}}
	for _, n := range all {
		s.Windows = append(s.Windows, n.Window)
	}
	return s
}

// write returns the report of r, after checking that it is well-formed, that
// its images decode, and that it refers to nothing outside.
func write(t *testing.T, r *Run) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(Write(&b, r))
	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "script" || e.Name.Local == "link" {
			t.Errorf("the page has an element %s", e.Name.Local)
		}
		for _, a := range e.Attr {
			if a.Name.Local == "href" {
				t.Errorf("%s refers to %s", e.Name.Local, a.Value)
			}
			if a.Name.Local != "src" {
				continue
			}
			data, ok := strings.CutPrefix(a.Value, "data:image/png;base64,")
			raw, err := base64.StdEncoding.DecodeString(data)
			if !ok || err != nil {
				t.Fatalf("source %.40q, %v", a.Value, err)
			}
			if _, err := png.Decode(bytes.NewReader(raw)); err != nil {
				t.Error(err)
			}
		}
	}
	for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "%!"} {
		if strings.Contains(regexp.MustCompile(`base64,[^"]*`).ReplaceAllString(b.String(), ""), bad) {
			t.Errorf("the page says %s", bad)
		}
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	for shape, want := range map[train.Shape][]string{
		train.Staged: {"12x12 Haar features, staged", "<b>Hit rate</b>", "<b>Margins</b>"},
		train.Chain:  {"<b>Scores along the cascade</b>"},
		train.Soft:   {"12x12 Haar features, soft, 8 weak classifiers, 8 exits", "<b>Scores along the cascade</b>", "positives, lowest 2%"},
	} {
		r := trained(t, shape, false)
		page := write(t, r)
		want = append(want, "<title>cross: training report</title>", "The training ended because: "+r.Ended,
			"Validation that passes", "<b>Mean</b> of 150 positives", "<b>First features</b>", "<b>ROC: hit rate against false positives</b>",
			"<b>Background windows that pass</b>", "<b>Time</b>", "<h2>Hardest positives</h2>", "<h2>Hardest positives of the validation set</h2>",
			"<h2>Hardest negatives</h2>", "<b>Average precision</b>", "<b>Hard negatives found</b>", "<b>ROC: hit rate against false positives</b>", "<dt>Time</dt><dd>1m35s</dd>", "<td>700ms</td>",
			`<pre>train-cascade train -data &#34;out &amp; more&#34;</pre>`, "drawn &lt;by&gt; a test", "sha256 0123abcd", "<li>a note</li>",
			"<dt>loss</dt><dd>0.03</dd>")
		for _, w := range want {
			if !strings.Contains(page, w) {
				t.Errorf("%v: no %q in the page", shape, w)
			}
		}
		if write(t, r) != page {
			t.Errorf("%v: another page for the same run", shape)
		}
	}
}

// TestHardest checks that hard windows stand with where they are from.
func TestHardest(t *testing.T) {
	r := trained(t, train.Soft, true)
	page := write(t, r)
	for _, want := range []string{
		`<span title="data/photo&lt;`, `<span>object 1</span>`, `<span title="data/other&lt;`,
		`<h2>Hardest negatives that are held out</h2>`, "windows of validation backgrounds, which nothing was learned from",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	place := regexp.MustCompile(`<span title="data/background[0-3]\.png">background[0-3]\.png</span> <span>-?\d+,-?\d+ \d+×\d+</span>`)
	if n := len(place.FindAllString(page, -1)); n != min(maxHardest, len(r.Negatives.Windows)) {
		t.Errorf("%d negatives stand with file and box", n)
	}
	for i := range r.Curves {
		if c := &r.Curves[i]; c.Step != i+1 || !c.Validation || !c.HeldOut || c.AveragePrecision <= 0 || c.AveragePrecision > 1 {
			t.Errorf("curve %d: %+v", i, c)
		}
	}
	if first, last := r.Curves[0], r.Curves[len(r.Curves)-1]; first.AveragePrecision >= last.AveragePrecision {
		t.Errorf("average precision fell from %v to %v", first.AveragePrecision, last.AveragePrecision)
	}
}

// A recorded curve on held-out windows is better than one that can be measured anew
// without them.
func TestRecordedCurve(t *testing.T) {
	r := trained(t, train.Staged, true)
	last := r.Curves[len(r.Curves)-1]
	r.HeldOut, r.HeldOutRate, r.sets = Set{}, 0, nil
	now, err := r.Measure(context.Background())
	if err != nil || now == nil || now.HeldOut {
		t.Fatalf("%+v, %v", now, err)
	}
	if all := r.curves(now); len(all) != len(r.Steps) || !reflect.DeepEqual(all[len(all)-1], last) {
		t.Errorf("%+v, want the recorded one", all)
	}
}

// TestWriteParts checks that missing parts are left out, as in a run that was
// interrupted early.
func TestWriteParts(t *testing.T) {
	page := write(t, &Run{})
	if !strings.Contains(page, "There is no cascade yet.") || strings.Contains(page, "<svg") || strings.Contains(page, "<img") {
		t.Errorf("an empty run's page:\n%s", page)
	}
	page = write(t, &Run{Positives: Set{Windows: crosses(3, 1)}, Steps: []train.Step{{Weak: 3, HitRate: 1, Validation: math.NaN(), FalsePositiveRate: 0.5, Negatives: 9}}})
	if !strings.Contains(page, "<b>Mean</b>") || strings.Contains(page, "alidation that") || strings.Contains(page, "Background windows that pass") {
		t.Error("a run of one step, without validation and backgrounds, has another page")
	}
	r := trained(t, train.Staged, false)
	r.Validation, r.Negatives, r.Steps, r.Times = Set{}, Set{}, nil, nil
	page = write(t, r)
	if strings.Contains(page, "<h2>Hardest negatives") || strings.Contains(page, "hit rate against") || !strings.Contains(page, "<b>Margins</b>") {
		t.Error("a run without negatives and steps has another page")
	}
	flat := image.NewGray(image.Rect(0, 0, 12, 12))
	r = &Run{Cascade: r.Cascade, Positives: Set{Windows: []*image.Gray{flat}}}
	if page = write(t, r); !strings.Contains(page, "<h2>Hardest positives</h2>") {
		t.Error("a window without contrast is not shown")
	}
}

func TestWriteErrors(t *testing.T) {
	r, want := trained(t, train.Staged, false), errors.New("disk full")
	if err := Write(failing{want}, r); !errors.Is(err, want) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestCurve(t *testing.T) {
	hits := []float64{math.Inf(-1), 1, 2, 3}
	negatives := []float64{math.Inf(-1), math.Inf(-1), -2, 1.5, 2.5}
	// The step began with four negatives, which one background window in a
	// hundred resembles.
	got, precision := curve(hits, negatives, 0.01/4)
	want := []point{{0.0025, 0.25}, {0.005, 0.5}, {0.0075, 0.75}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// Precision at each: objects that pass, one in a million windows, over all that do.
	sum := 0.0
	for _, p := range want {
		sum += 0.25 * p[1] * 1e-6 / (p[1]*1e-6 + p[0])
	}
	if math.Abs(precision-sum) > 1e-15 {
		t.Errorf("average precision %v, want %v", precision, sum)
	}
	// Negatives with the same score pass together.
	if got, _ := curve([]float64{1}, []float64{0, 0, 0}, 0.5); !reflect.DeepEqual(got, []point{{1.5, 1}}) {
		t.Errorf("three equal negatives: %v", got)
	}
	if line := cumulative(hits); !reflect.DeepEqual(line, []point{{1, 0.5}, {2, 0.75}, {3, 1}}) {
		t.Errorf("cumulative: %v", line)
	}
	many := make([]float64, 5000)
	for i := range many {
		many[i] = float64(i)
	}
	long, _ := curve(many, many, 1.0/5000)
	if len(long) < 30 || len(long) > maxPoints+1 || long[0] != (point{1.0 / 5000, 1.0 / 5000}) || long[len(long)-1] != (point{1, 1}) {
		t.Errorf("%d points from %v to %v", len(long), long[0], long[len(long)-1])
	}
}

// TestScore compares the exits that windows pass with the detector.
func TestScore(t *testing.T) {
	for _, shape := range []train.Shape{train.Staged, train.Soft} {
		r := trained(t, shape, false)
		e := must.Get(engine.New(r.Cascade, &engine.Options{Windows: engine.WindowsAll}))
		windows := append(r.Negatives.Windows[:30:30], r.Validation.Windows...)
		all := must.Get(score(context.Background(), r.Cascade, windows, 0, 2, shape == train.Soft))
		for i, s := range all {
			found := must.Get(e.AppendWindows(context.Background(), nil, windows[i]))
			if passes := s.exits == len(r.Cascade.Exits); passes != (len(found) == 1) || passes && math.Abs(s.margin-found[0].Margin) > 1e-9 {
				t.Errorf("%v: window %d passes %d exits with margin %v, the detector found %v", shape, i, s.exits, s.margin, found)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis    axis
		percent bool
		want    string
	}{
		{axis{low: 0, high: 1}, true, "0% 20% 40% 60% 80% 100%"},
		{axis{low: 0.985, high: 1}, true, "98.5% 99.0% 99.5% 100.0%"},
		{axis{low: 1, high: 14}, false, "2 4 6 8 10 12 14"},
		{axis{low: -3, high: 35}, false, "0 10 20 30"},
		{axis{low: 1e-5, high: 1, log: true}, false, "10⁻⁵ 10⁻⁴ 10⁻³ 0.01 0.1 1"},
	} {
		var got []string
		for _, k := range c.axis.ticks(c.percent) {
			got = append(got, k.label)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v, want %s", c.axis, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1 000", 12345678: "12 345 678"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is written %q", n, got)
		}
	}
	for v, want := range map[float64]string{1: "100.0%", 0: "0.0%", 0.9512: "95.1%", 0.9987: "99.87%", 0.0012: "0.12%"} {
		if got := percent(v); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}

package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/must"
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

// squares writes a photograph of white squares, and returns its truth.
func squares(t *testing.T, path string, boxes ...image.Rectangle) samples.Photo {
	g := image.NewGray(image.Rect(0, 0, 500, 200))
	p := samples.Photo{File: path}
	for _, b := range boxes {
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				g.Pix[y*g.Stride+x] = 255
			}
		}
		p.Objects = append(p.Objects, samples.Object{Box: b, Tags: map[string]string{"size": fmt.Sprint(b.Dx())}})
	}
	savePNG(t, path, g)
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
	file := savePNG(t, filepath.Join(t.TempDir(), "a.png"), noise(30, 30, 1))
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

// noise is an image that is the same each time.
func noise(w, h int, seed uint64) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range g.Pix {
		g.Pix[i] = byte(100 + r.IntN(20))
	}
	return g
}

func savePNG(t *testing.T, path string, g image.Image) string {
	t.Helper()
	f := must.Get(os.Create(path))
	defer f.Close()
	must.Do(png.Encode(f, g))
	return path
}

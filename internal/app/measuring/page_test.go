package measuring

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/eval"
	"haarlem/internal/must"
)

// The table needs the model among the contenders, under its own name.
func TestPageTable(t *testing.T) {
	at := func(n, found int) eval.Rate {
		v := 0.5
		return eval.Rate{FalsePositives: n, Found: found, Recall: float64(found) / 200, PerMegapixel: float64(n) / 50, Threshold: &v}
	}
	none := eval.Rate{FalsePositives: 0}
	var r eval.Report
	data := must.Get(json.Marshal(map[string]any{"objects": 200, "contenders": []eval.Line{
		{Name: "x", Sweep: "score", Rates: []eval.Rate{at(0, 100), at(10, 190)}},
		{Name: "alt", Sweep: "neighbours", Rates: []eval.Rate{none, at(10, 150)}},
		{Name: "alt2", Sweep: "neighbours", Rates: []eval.Rate{none, at(10, 160)}},
	}}))
	must.Do(json.Unmarshal(data, &r))
	var b strings.Builder
	p := &modelPage{model: &cascade.Cascade{Name: "x"}}
	must.Do(p.table(&b, &r))
	clitest.Contains(t, b.String(), "\n| **x** | 50.0 | 95.0 |\n| alt, by neighbours | - | 75.0 |\n", "\nAt 10 false positives (0.2 a megapixel) it misses 5.0 per cent of the faces; of the others here alt2 misses fewest, 20.0.\n")
}

// Default options are the model's: detections below its MinScore are left out.
func TestReliabilityText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	k := eval.Calibrated{Photos: 3, Objects: 20, Megapixels: 1.5, Right: 16, Wrong: 24, After: eval.Raised{Found: 16, FalsePositives: 24}}
	for i := range 10 {
		k.Bins = append(k.Bins, eval.Bin{From: float64(i) / 10, To: float64(i+1) / 10, Detections: 4, Right: []int{0, 0, 0, 1, 1, 2, 2, 3, 3, 4}[i]})
	}
	data := must.Get(json.Marshal(k))
	must.Do(os.WriteFile(path, data, 0o600))
	for smallest, want := range map[float64]string{
		0:   "With default options it detects 16 of 20 faces (80.0 per cent) in 3 pictures, with 24 false positives on 1.5 megapixels. How often a score is right:\n",
		0.5: "With default options (scores of 0.5 and more) it detects 14 of 20 faces (70.0 per cent) in 3 pictures, with 6 false positives on 1.5 megapixels. At any score it detects 16, with 24 false positives. How often a score is right:\n",
	} {
		p := &modelPage{model: &cascade.Cascade{Search: cascade.Search{MinScore: smallest}}}
		if got, err := p.reliability(path); err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("a least score of %g: %v\n%s", smallest, err, got)
		}
	}
	p := &modelPage{model: &cascade.Cascade{Search: cascade.Search{MinScore: 0.55}}}
	if _, err := p.reliability(path); err == nil {
		t.Error("no error about a least score within a bin")
	}
}

func TestTwoDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.0123: "0.012", 3.14: "3.1", 62.4: "62", 107.6: "108", 12345: "12345"} {
		if got := twoDigits(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
}

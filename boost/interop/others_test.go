package interop

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

// made is a folder with models of the real libraries, of testdata/others.py.
var made = flag.String("made", "", "read the models of testdata/others.py in this folder")

// theirs is a row as a model wants it whose levels have names.
func theirs(m *Model, x []float64) []float64 {
	schema := &m.schema().Schema
	x = slices.Clone(x)
	for j, v := range x {
		x[j] = float64(float32(v))
		if levels := schema.LevelsOf(j); levels != nil {
			name := fmt.Sprintf("%.0f", v)
			if name == "5" && slices.Contains(levels, "five") {
				name = "five"
			}
			if j == 2 {
				name = fmt.Sprintf("c%.0f", math.Floor(v))
			}
			if x[j] = float64(slices.Index(levels, name)); x[j] < 0 {
				x[j] = math.NaN()
			}
		}
	}
	return x
}

// TestOthers: random models of the real libraries have the libraries' predictions.
func TestOthers(t *testing.T) {
	if *made == "" {
		return // testdata/check.sh gives one
	}
	rows := table(t, "rows.csv")
	files, err := filepath.Glob(*made + "/*.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no models, %v", err)
	}
	worst, refused := map[string]float64{}, map[string]int{}
	for _, f := range files {
		found, err := filepath.Glob(strings.TrimSuffix(f, ".csv") + ".[jtuo]*")
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %q, %v", f, found, err)
		}
		kind := strings.SplitN(filepath.Base(found[0]), ".", 2)[1]
		text := must.Get(os.ReadFile(found[0]))
		m, err := Read(bytes.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", found[0], err)
			refused[kind]++
			continue
		}
		want := table(t, f)
		for i, x := range rows {
			got := m.raw(theirs(m, x))
			for k, v := range got[len(got)-len(want[i]):] { // ONNX has predictions only
				if want[i][k] != want[i][k] {
					continue // scikit-learn knows no missing values
				}
				e := math.Abs(v-want[i][k]) / (1 + math.Abs(want[i][k]))
				worst[kind] = max(worst[kind], e)
				if !(e <= 2e-6) {
					t.Fatalf("%s, row %d: %v, want %v", found[0], i, m.raw(theirs(m, x)), want[i])
				}
			}
		}
	}
	t.Logf("%d models, largest differences %v, refused %v", len(files), worst, refused)
}

// TestCatBoostTooLarge: combinations of levels that would become a model of gigabytes
// are refused.
func TestCatBoostTooLarge(t *testing.T) {
	const levels = 60
	var f cbFile
	f.Features.Categories = []cbFeature{{Column: 0, Name: "a"}, {Column: 1, Index: 1, Name: "b"}, {Column: 2, Index: 2, Name: "c"}, {Column: 3, Index: 3, Name: "d"}}
	f.Tables = map[string]*cbTable{"both": {Stride: 3}}
	r := rand.New(rand.NewPCG(1, 2))
	for a := range uint32(levels) {
		f.Features.Hashes = append(f.Features.Hashes, cbName{a, fmt.Sprint(a)})
		for b := range uint32(levels) {
			hash := cbHash(cbHash(0, cbLevel(a)), cbLevel(b))
			f.Tables["both"].Values = append(f.Tables["both"].Values, json.Number(fmt.Sprint(hash)), json.Number(fmt.Sprint(r.IntN(9))), "5")
		}
	}
	for _, pair := range [][2]int{{0, 1}, {2, 3}, {0, 2}, {1, 3}} {
		both := []cbTest{{Element: "cat_feature_value", Cat: pair[0]}, {Element: "cat_feature_value", Cat: pair[1]}}
		f.Features.CTRs = append(f.Features.CTRs, cbCTR{Type: "Borders", Table: "both", Elements: both, Borders: []float32{0.5}, PriorOf: 1, Scale: 1})
	}
	f.Info.Params.Loss.Type = "RMSE"
	f.Scale = []json.RawMessage{[]byte("1"), []byte("[0]")}
	for _, splits := range []int{1, 4} {
		f.Oblivious = append(f.Oblivious[:0], cbOblivious{Values: make([]float64, 1<<splits)})
		for k := range splits {
			f.Oblivious[0].Splits = append(f.Oblivious[0].Splits, cbTest{Split: "OnlineCtr", Number: k, Border: 0.5})
		}
		text := must.Get(json.Marshal(&f))
		if m, err := ReadCatBoost(bytes.NewReader(text)); splits == 1 && (err != nil || len(m.One.Terms[0].Weak.(*boost.Tree).Nodes) < levels) {
			t.Fatalf("one split: error %v", err)
		} else if splits == 4 && !errors.Is(err, ErrUnsupported) {
			t.Errorf("four splits: error %v, want ErrUnsupported", err)
		}
	}
}

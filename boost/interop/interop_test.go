package interop

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

// others is a folder for models and predictions that testdata/check.py holds the
// real libraries to.
var others = flag.String("others", "", "write models for testdata/check.py into this folder")

// table reads a CSV of numbers; an empty field is a missing value.
func table(t *testing.T, name string) [][]float64 {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join("testdata", name)
	}
	f := must.Get(os.Open(name))
	defer f.Close()
	records := must.Get(csv.NewReader(f).ReadAll())
	var rows [][]float64
	for _, r := range records {
		var row []float64
		for _, s := range r {
			v := math.NaN()
			if s != "" {
				v = must.Get(strconv.ParseFloat(s, 64))
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return rows
}

func read(t testing.TB, name string) *Model {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("testdata", name)))
	m, err := Read(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

var writers = map[string]func(io.Writer, *Model) error{".json": WriteXGBoost, ".ubj": WriteXGBoostUBJSON, ".txt": WriteLightGBM, ".onnx": WriteONNX, ".tl": WriteTreelite}

// raw returns a model's raw scores and predictions of a row.
func (m *Model) raw(x []float64) (out []float64) {
	if m.Several != nil {
		return append(m.Several.Scores(nil, x), m.Several.Probabilities(nil, x)...)
	}
	mean := m.One.Mean(x)
	if mean != mean {
		mean = m.One.Score(x)
	}
	return []float64{m.One.Score(x), mean}
}

func compare(t *testing.T, name string, m *Model, rows, want [][]float64) {
	t.Helper()
	if len(rows) != len(want) {
		t.Fatalf("%s: %d predictions of %d rows", name, len(want), len(rows))
	}
	for i, x := range rows {
		got := m.raw(x)
		for k, v := range got[len(got)-len(want[i]):] { // ONNX has predictions only
			if k == 0 && (strings.HasPrefix(name, "lgb-forest") || strings.Contains(name, "-sigmoid")) {
				continue // LightGBM adds up what it averages; some formats have no factor
			}
			if math.Abs(v-want[i][k]) > 1e-6*(1+math.Abs(want[i][k])) {
				t.Fatalf("%s, row %d: %v, want %v", name, i, m.raw(x), want[i])
			}
		}
	}
}

// TestRead: models of the real libraries give the libraries' predictions, also
// after writing and reading again, and as our own files.
func TestRead(t *testing.T) {
	rows := table(t, "rows.csv")
	files, err := filepath.Glob("testdata/*-*.csv")
	if err != nil || len(files) != 23 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".csv")
		want := table(t, name+".csv")
		ext := map[string]string{"lgb": ".txt", "onn": ".onnx", "tl-": ".tl"}[name[:3]]
		if ext == "" {
			ext = ".json"
		}
		m := read(t, name+ext)
		rows := rows
		if m.schema().Levels != nil {
			rows = slices.Clone(rows)
			for i, x := range rows {
				rows[i] = theirs(m, x)
			}
		}
		compare(t, name, m, rows, want)
		for to, write := range writers {
			var b bytes.Buffer
			if err := write(&b, m); err != nil {
				if name != "onnx-forest" || !errors.Is(err, ErrUnsupported) { // the others have no such probabilities
					t.Errorf("%s as %s: %v", name, to, err)
				}
				continue
			}
			again, err := Read(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Errorf("%s as %s is not read: %v", name, to, err)
				continue
			}
			compare(t, name+to, again, rows, want)
			if m.schema().Levels == nil { // check.py knows no names of levels
				keep(t, name+".as"+to, b.Bytes(), rows, again)
			}
		}
		var b bytes.Buffer
		var again Model
		var err error
		if m.One != nil {
			if err = m.One.Save(&b); err == nil {
				again.One, err = boost.Load(&b)
			}
		} else if err = m.Several.Save(&b); err == nil {
			again.Several, err = boost.LoadMulti(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
		compare(t, name+" as a file of ours", &again, rows, want)
	}
}

// keep writes a model and its predictions for check.py.
func keep(t *testing.T, name string, text []byte, rows [][]float64, m *Model) {
	t.Helper()
	if *others == "" {
		return
	}
	var b strings.Builder
	for _, x := range rows {
		for k, v := range m.raw(x) {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, v)
		}
		b.WriteByte('\n')
	}
	for file, text := range map[string][]byte{name: text, name + ".csv": []byte(b.String())} {
		must.Do(os.WriteFile(filepath.Join(*others, file), text, 0o666))
	}
}

// data is the rows as data of ours, whose fourth column is categorical.
func data(t *testing.T) *boost.Data {
	d := &boost.Data{Schema: boost.Schema{
		Names:  []string{"a", "b", "c", "kind"},
		Levels: [][]string{nil, nil, nil, {"0", "1", "2", "3", "4", "5"}},
	}, Columns: make([][]float64, 4)}
	for _, x := range table(t, "rows.csv") {
		for j, v := range x {
			d.Columns[j] = append(d.Columns[j], float64(float32(v))) // as XGBoost sees them
		}
	}
	return d
}

// TestWriteOurs: our models give the same predictions in the other formats.
func TestWriteOurs(t *testing.T) {
	d := data(t)
	numbers := *d
	classes := *d
	several := *d
	several.Classes = []string{"x", "y", "z"}
	for i, v := range d.Columns[1] {
		y := v + 2*d.Columns[2][i]*d.Columns[1][i]
		if k := d.Columns[3][i]; k == 2 || k == 5 {
			y++
		}
		numbers.Targets = append(numbers.Targets, y)
		several.Targets = append(several.Targets, math.Trunc(min(2, max(0, y+1))))
		label := int8(1)
		if y < 0.3 {
			label = -1
		}
		classes.Labels = append(classes.Labels, label)
	}
	fit := func(d *boost.Data, b boost.Booster, l boost.Learner) *Model {
		res := must.Get(boost.Fit(context.Background(), d, b, l, &boost.Settings{Rounds: 12, Shrinkage: 0.5}))
		return &Model{One: res.Model}
	}
	multi := must.Get(boost.FitMulti(context.Background(), &several, &boost.Softmax{}, &boost.Trees{Leaves: 5}, &boost.Settings{Rounds: 8}))
	var rows [][]float64
	for i := range d.Rows() {
		rows = append(rows, d.Row(nil, i))
	}
	for name, m := range map[string]*Model{
		"ours-newton":  fit(&classes, &boost.Newton{}, &boost.Trees{Leaves: 7}),
		"ours-real":    fit(&classes, &boost.Real{}, &boost.Trees{Leaves: 5}),
		"ours-logit":   fit(&classes, &boost.LogitBoost{}, &boost.Stumps{}),
		"ours-numbers": fit(&numbers, &boost.Newton{}, &boost.Trees{Depth: 4}),
		"ours-several": {Several: multi.Model},
	} {
		var want [][]float64
		for _, x := range rows {
			want = append(want, m.raw(x))
		}
		for to, write := range writers {
			var b bytes.Buffer
			if err := write(&b, m); err != nil {
				t.Fatalf("%s as %s: %v", name, to, err)
			}
			again, err := Read(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatalf("%s as %s is not read: %v", name, to, err)
			}
			for i, x := range rows {
				got := again.raw(x)
				last := len(got) - 1
				if math.Abs(got[last]-want[i][last]) > 1e-6*(1+math.Abs(want[i][last])) {
					t.Fatalf("%s%s, row %d: %v, want %v", name, to, i, got, want[i])
				}
			}
			keep(t, name+".as"+to, b.Bytes(), rows, again)
		}
	}
	for name, m := range map[string]*Model{
		"histograms": fit(&classes, &boost.Gentle{}, &boost.Histograms{}),
		"damped":     fit(&classes, &boost.WeightBoost{}, &boost.Stumps{}),
	} {
		for to, write := range writers {
			if err := write(io.Discard, m); !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s as %s: error %v, want ErrUnsupported", name, to, err)
			}
		}
	}
}

// TestReadNaN: XGBoost writes NaN where a node was deleted. A node that is in use has none.
func TestReadNaN(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/xgb-pandas.json"))
	bad := bytes.ReplaceAll(text, []byte(`"feature_names":["a"`), []byte(`"feature_names":["NaN, \\\"Infinity"`))
	bad = bytes.ReplaceAll(bad, []byte(`"loss_changes":[`), []byte(`"loss_changes":[NaN,-Infinity ,`))
	if m, err := ReadXGBoost(bytes.NewReader(bad)); err != nil || m.One.Names[0] != `NaN, \"Infinity` {
		t.Errorf("model %v, error %v", m, err)
	}
	bad = bytes.ReplaceAll(text, []byte(`"split_conditions":[1E-45,7E-1`), []byte(`"split_conditions":[1E-45,NaN`))
	if _, err := ReadXGBoost(bytes.NewReader(bad)); bytes.Equal(bad, text) || !errors.Is(err, boost.ErrFormat) {
		t.Errorf("a threshold of NaN: error %v", err)
	}
}

// TestUBJSON: UBJSON has the same models as JSON, in any of its forms, and nothing less.
func TestUBJSON(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/xgb-several.ubj"))
	got, err := Read(bytes.NewReader(text))
	if want := read(t, "xgb-several.json"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the model is not that of JSON, error %v", err)
	}
	for n := range text {
		if _, err := ReadXGBoost(bytes.NewReader(text[:n])); !errors.Is(err, boost.ErrFormat) {
			t.Fatalf("%d of %d bytes: error %v", n, len(text), err)
		}
	}
	for in, want := range map[string]string{
		"{i\x01aT}":          `{"a":true}`,
		"[FZU\xffI\x01\x00]": `[false,null,255,256]`,
		"[$i#i\x02\xff\x01":  `[-1,1]`,
		"[#i\x02Si\x01\"D\x3f\xf8\x00\x00\x00\x00\x00\x00": `["\"",1.5]`,
		"{":                     "ends",
		"{i\x01aH}":             "type 'H'",
		"[$T#l\x7f\xff\xff\xff": "array of type 'T'",
		"[$d#l\x7f\xff\xff\xff": "2147483647 things of 4 bytes",
		"[#l\xff\xff\xff\xff":   "-1 things",
		"Sd":                    "length of type 'd'",
		"d\x7f\x80\x00\x00":     "null",
		"TT":                    "after the end",
		strings.Repeat("[", 99): "too deep",
	} {
		if got, err := fromUBJSON([]byte(in)); err == nil && string(got) != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, error %v, want %s", in, got, err, want)
		}
	}
}

// TestWide: a threshold of 64 bits is equivalent to one of 32 for rounded
// values.
func TestWide(t *testing.T) {
	for _, c := range []float32{0, 1, -1, 0.1, 1e-45, -1e-45, 3.4e38, -3.4e38, 1.1754944e-38, 16777216} {
		w := wide(c)
		for _, v := range []float64{w, math.Nextafter(w, math.Inf(1)), math.Nextafter(w, math.Inf(-1)), float64(c), float64(c) * (1 + 1e-8), float64(c) * (1 - 1e-8), 0, math.Inf(1)} {
			if (float32(v) < c) != (v < w) {
				t.Errorf("%v: %v as 32 bits is below: %v, below %v: %v", c, v, float32(v) < c, w, v < w)
			}
		}
	}
}

// TestReadRefuses: the content of files is checked.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ file, old, new, want string }{
		{"xgb-binary.json", "binary:logistic", "binary:magic", "objective"},
		{"xgb-binary.json", `"name":"gbtree"`, `"name":"gblinear"`, "gblinear"},
		{"xgb-binary.json", `"left_children":[1,3`, `"left_children":[1,1`, "parents"},
		{"xgb-binary.json", `"left_children":[1,3`, `"left_children":[1,99`, "node 99"},
		{"xgb-binary.json", `"split_indices":[3,`, `"split_indices":[4,`, "feature 4"},
		{"xgb-binary.json", `"categories_sizes":[4]`, `"categories_sizes":[400]`, "categories"},
		{"xgb-binary.json", `"categories":[0,2`, `"categories":[0,256`, "256"},
		{"xgb-binary.json", `"num_feature":"4","num_target"`, `"num_feature":"16777216","num_target"`, "features"},
		{"xgb-binary.json", `[5.25E-1]`, `[1E0]`, "base score"},
		{"xgb-binary.json", `"tree_info":[0,`, `"tree_info":[1,`, "class 1"},
		{"xgb-several.json", `"size_leaf_vector":"1"`, `"size_leaf_vector":"3"`, "several values"},
		{"xgb-pandas.json", `"offsets":[0,1,2`, `"offsets":[0,2,1`, "bytes 2 to 1"},
		{"xgb-pandas.json", `"values":[48,`, `"values":[-61,`, "ASCII"},
		{"xgb-pandas.json", `"values":[48,49`, `"values":[48,48`, "two are called"},
		{"onnx-modes.onnx", "SOFTMAX", "SOFTMIN", "post_transform SOFTMIN"},
		{"onnx-modes.onnx", "BRANCH_GT", "BRANCH_GX", "BRANCH_GX"},
		{"onnx-modes.onnx", "TreeEnsembleClassifier", "TreeEnsembleClassifieR", "operator"},
		{"onnx-modes.onnx", "nodes_nodeids", "nodes_nodeidS", "0 nodes"},
		{"onnx-modes.onnx", "class_ids", "class_idz", "weights of leaves"},
		{"onnx-modes.onnx", "classlabels_strings", "classlabels_stringz", "0 scores"},
		{"onnx-average.onnx", "AVERAGE", "MAXIMUM", "MAXIMUM"},
		{"onnx-average.onnx", "\x0a\x09n_targets\x18\x01", "\x0a\x09n_targets\x18\x02", "2 targets"},
		{"tl-vectors.tl", "softmax", "softmix", `"softmix" of 3 scores`},
		{"tl-vectors.tl", "\x04\x00\x00\x00\x08", "\x03\x00\x00\x00\x08", "version 3"},
		{"tl-vectors.tl", "\x02\x02", "\x02\x03", "leaves of type 3"},
		{"tl-vectors.tl", "\xff\xff\xff\xff", "\xfe\xff\xff\xff", "class -2 of 3"},
		{"tl-sigmoid.tl", "\xff\xff\xff\xff", "\x00\x00\x00\x00", "feature -1"},
		{"tl-sigmoid.tl", "\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01", "\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01", "2 targets"},
		{"lgb-binary.txt", "tree\n", "bush\n", "no format"},
		{"lgb-binary.txt", "objective=binary", "objective=magic", "objective"},
		{"lgb-binary.txt", "max_feature_idx=3", "max_feature_idx=2", "feature_names"},
		{"lgb-binary.txt", "left_child=5", "left_child=0", "parents"},
		{"lgb-binary.txt", "left_child=5", "left_child=77", "node 77"},
		{"lgb-binary.txt", "split_feature=3", "split_feature=4", "feature 4"},
		{"lgb-binary.txt", "num_leaves=7", "num_leaves=8", "want 8"},
		{"lgb-binary.txt", "cat_boundaries=0 1", "cat_boundaries=0 9", "set"},
		{"lgb-binary.txt", "is_linear=0", "is_linear=1", "linear"},
		{"lgb-binary.txt", "end of trees", "end", "without"},
		{"cb-combination.json", `"Logloss"`, `"Magic"`, "loss"},
		{"cb-combination.json", `"scale_and_bias":[1,[0]]`, `"scale_and_bias":[1,[0,0]]`, "2 scores"},
		{"cb-combination.json", `"flat_feature_index":2`, `"flat_feature_index":3`, "one column"},
		{"cb-combination.json", `"ctr_type":"Borders"`, `"ctr_type":"Magic"`, "CTR"},
		{"cb-combination.json", `"target_border_idx":0`, `"target_border_idx":2`, "target 2"},
		{"cb-combination.json", `"leaf_values":[`, `"leaf_values":[1,`, "values for"},
		{"cb-combination.json", `"split_type":"FloatFeature"`, `"split_type":"TextFeature"`, "TextFeature"},
		{"cb-combination.json", `"split_index":6,"split_type":"OnlineCtr"`, `"split_index":99,"split_type":"OnlineCtr"`, "OnlineCtr"},
		{"cb-several.json", `"values":[-1738597404`, `"values":[-1738597405`, "no name"},
		{"cb-lossguide.json", `"left":`, `"light":`, "one child"},
		{"lgb-binary.txt", "feature_names=a b", "feature_names=b b", "two are called"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		bad := strings.Replace(string(text), c.old, c.new, 1)
		if bad == string(text) {
			t.Fatalf("%s: %q is not in it", c.file, c.old)
		}
		_, err = Read(strings.NewReader(bad))
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, boost.ErrFormat) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s with %q: error %v, want %q in it", c.file, c.new, err, c.want)
		}
		for n := 0; n < len(text)-1; n += 97 {
			if _, err := Read(bytes.NewReader(text[:n])); err == nil && !strings.Contains(string(text[:n]), "end of trees") {
				t.Fatalf("%s: %d of %d bytes make a model", c.file, n, len(text))
			}
		}
	}
}

func fuzz(f *testing.F, pattern string, read func(io.Reader) (*Model, error)) {
	files, err := filepath.Glob("testdata/" + pattern)
	if err != nil || len(files) == 0 {
		f.Fatal("no files")
	}
	for _, name := range files {
		text := must.Get(os.ReadFile(name))
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := read(bytes.NewReader(text))
		if err != nil {
			if !errors.Is(err, boost.ErrFormat) && !errors.Is(err, ErrUnsupported) {
				t.Errorf("error %v", err)
			}
			return
		}
		m.raw(make([]float64, m.schema().Columns))
	})
}

func FuzzReadXGBoost(f *testing.F)  { fuzz(f, "xgb-*.json", ReadXGBoost) }
func FuzzReadUBJSON(f *testing.F)   { fuzz(f, "*.ubj", ReadXGBoost) }
func FuzzReadONNX(f *testing.F)     { fuzz(f, "*.onnx", ReadONNX) }
func FuzzReadLightGBM(f *testing.F) { fuzz(f, "*.txt", ReadLightGBM) }
func FuzzReadTreelite(f *testing.F) { fuzz(f, "*.tl", ReadTreelite) }
func FuzzReadCatBoost(f *testing.F) { fuzz(f, "cb-*.json", ReadCatBoost) }

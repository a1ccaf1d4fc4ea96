package interop

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
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

var writers = map[string]func(io.Writer, *Model) error{".haarlem": func(w io.Writer, m *Model) error { return m.Save(w) }, ".json": WriteXGBoost, ".ubj": WriteXGBoostUBJSON, ".txt": WriteLightGBM, ".onnx": WriteONNX, ".tl": WriteTreelite}

// through returns a model as it is written and as that is read.
func through(t *testing.T, write func(io.Writer, *Model) error, m *Model) ([]byte, *Model) {
	t.Helper()
	text := must.Bytes(func(w io.Writer) error { return write(w, m) })
	return text, must.Get(Read(bytes.NewReader(text)))
}

// asXGBoost is a model as XGBoost's JSON, and what that says.
func asXGBoost(m *Model) (text []byte, f xgbFile) {
	text = must.Bytes(func(w io.Writer) error { return WriteXGBoost(w, m) })
	must.Do(json.Unmarshal(text, &f))
	return text, f
}

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
		if m.Shape().Levels != nil {
			rows = slices.Clone(rows)
			for i, x := range rows {
				rows[i] = theirs(m, x)
			}
		}
		compare(t, name, m, rows, want)
		for to, write := range writers {
			if err := write(io.Discard, m); errors.Is(err, ErrUnsupported) && name == "onnx-forest" {
				continue // the others have no such probabilities
			}
			text, again := through(t, write, m)
			compare(t, name+to, again, rows, want)
			if m.Shape().Levels == nil { // check.py knows no names of levels
				keep(t, name+".as"+to, text, rows, again)
			}
		}
	}
}

// keep writes a model and its predictions for check.py.
func keep(t *testing.T, name string, text []byte, rows [][]float64, m *Model) {
	t.Helper()
	if *others == "" || strings.HasSuffix(name, ".haarlem") {
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
			text, again := through(t, write, m)
			for i, x := range rows {
				got := again.raw(x)
				last := len(got) - 1
				if math.Abs(got[last]-want[i][last]) > 1e-6*(1+math.Abs(want[i][last])) {
					t.Fatalf("%s%s, row %d: %v, want %v", name, to, i, got, want[i])
				}
			}
			keep(t, name+".as"+to, text, rows, again)
		}
	}
	for name, m := range map[string]*Model{
		"histograms": fit(&classes, &boost.Gentle{}, &boost.Histograms{}),
		"damped":     fit(&classes, &boost.WeightBoost{}, &boost.Stumps{}),
	} {
		for to, write := range writers {
			if err := write(io.Discard, m); to != ".haarlem" && !errors.Is(err, ErrUnsupported) {
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
	if m, err := readXGBoost(bad); err != nil || m.One.Names[0] != `NaN, \"Infinity` {
		t.Errorf("model %v, error %v", m, err)
	}
	bad = bytes.ReplaceAll(text, []byte(`"split_conditions":[1E-45,7E-1`), []byte(`"split_conditions":[1E-45,NaN`))
	if _, err := readXGBoost(bad); bytes.Equal(bad, text) || !errors.Is(err, boost.ErrFormat) {
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
		if _, err := readXGBoost(text[:n]); !errors.Is(err, boost.ErrFormat) {
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
		{"xgb-pandas.json", `"values":[48,49`, `"values":[48,48`, "are called"},
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
		{"tl-sigmoid.tl", "\xff\xff\xff\xff", "\x00\x00\x00\x00", "kind 0"},
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
		{"lgb-binary.txt", "feature_names=a b", "feature_names=b b", "are called"},
	} {
		text := must.Get(os.ReadFile(filepath.Join("testdata", c.file)))
		bad := strings.Replace(string(text), c.old, c.new, 1)
		if bad == string(text) {
			t.Fatalf("%s: %q is not in it", c.file, c.old)
		}
		_, err := Read(strings.NewReader(bad))
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

func fuzz(f *testing.F, pattern string, read func([]byte) (*Model, error)) {
	files, err := filepath.Glob("testdata/" + pattern)
	if err != nil || len(files) == 0 {
		f.Fatal("no files")
	}
	for _, name := range files {
		text := must.Get(os.ReadFile(name))
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := read(text)
		if err != nil {
			if !errors.Is(err, boost.ErrFormat) && !errors.Is(err, ErrUnsupported) {
				t.Errorf("error %v", err)
			}
			return
		}
		m.raw(make([]float64, m.Shape().Columns))
	})
}

func FuzzReadXGBoost(f *testing.F)  { fuzz(f, "xgb-*.json", readXGBoost) }
func FuzzReadUBJSON(f *testing.F)   { fuzz(f, "*.ubj", readXGBoost) }
func FuzzReadONNX(f *testing.F)     { fuzz(f, "*.onnx", readONNX) }
func FuzzReadLightGBM(f *testing.F) { fuzz(f, "*.txt", readLightGBM) }
func FuzzReadTreelite(f *testing.F) { fuzz(f, "*.tl", readTreelite) }
func FuzzReadCatBoost(f *testing.F) { fuzz(f, "cb-*.json", readCatBoost) }

// made is a folder with models of the real libraries, of testdata/others.py.
var made = flag.String("made", "", "read the models of testdata/others.py in this folder")

// theirs is a row as a model wants it whose levels have names.
func theirs(m *Model, x []float64) []float64 {
	schema := &m.Shape().Schema
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
		if m, err := readCatBoost(text); splits == 1 && (err != nil || len(m.One.Terms[0].Weak.(*boost.Tree).Nodes) < levels) {
			t.Fatalf("one split: error %v", err)
		} else if splits == 4 && !errors.Is(err, ErrUnsupported) {
			t.Errorf("four splits: error %v, want ErrUnsupported", err)
		}
	}
}

// deep makes a random tree of that many leaves over the four columns of rows.csv,
// split now here, now there, so that children are far from each other in Nodes.
func deep(r *rand.Rand, leaves int) *boost.Tree {
	t := &boost.Tree{Leaves: []float64{r.NormFloat64()}}
	var place []*int32 // of each leaf in its parent
	for len(t.Leaves) < leaves {
		k := r.IntN(len(t.Leaves))
		n := boost.Node{Column: r.IntN(4), Threshold: float64(float32(r.NormFloat64())), MissingLeft: r.IntN(2) == 0, Left: int32(-k), Right: int32(-len(t.Leaves))}
		if n.Column == 3 {
			n.In, n.Threshold = &[8]uint32{r.Uint32() & 63}, 0
		}
		at := int32(len(t.Nodes))
		t.Nodes = append(t.Nodes, n)
		place = place[:0]
		for i := range t.Nodes[:at] {
			for _, c := range []*int32{&t.Nodes[i].Left, &t.Nodes[i].Right} {
				if *c == int32(-k) && (k > 0 || i > 0 || c == &t.Nodes[i].Left) {
					place = append(place, c)
				}
			}
		}
		if at > 0 {
			if len(place) != 1 {
				panic("a leaf has one place")
			}
			*place[0] = at
		}
		t.Leaves = append(t.Leaves, r.NormFloat64())
	}
	return t
}

// deepModels are twenty models of ten trees of 4 to 40 leaves.
func deepModels() []*Model {
	var all []*Model
	for n := range 20 {
		r := rand.New(rand.NewPCG(uint64(n), 6))
		m := &boost.Model{Columns: 4, Booster: "newton", Link: []boost.Link{boost.LogisticLink, boost.IdentityLink, boost.NoLink}[n%3], Bias: r.NormFloat64()}
		for range 10 {
			m.Terms = append(m.Terms, boost.Term{Coef: 0.3, Weak: deep(r, 4+2*n)})
		}
		all = append(all, &Model{One: m})
	}
	return all
}

// TestDeepTrees: XGBoost finds the right child next to the left one, whatever the
// file's right_children say. Its scores, as LightGBM's, are ours; check.py holds the
// real libraries to that.
func TestDeepTrees(t *testing.T) {
	rows := table(t, "rows.csv")
	for _, x := range rows {
		for j, v := range x {
			x[j] = float64(float32(v)) // as XGBoost sees them
		}
	}
	for n, m := range deepModels() {
		_, f := asXGBoost(m)
		for i, tree := range f.Learner.Booster.Model.Trees {
			for k, left := range tree.LeftChildren {
				if left >= 0 && tree.RightChildren[k] != left+1 {
					t.Fatalf("model %d, tree %d, node %d: children %d and %d, want siblings side by side", n, i, k, left, tree.RightChildren[k])
				}
			}
			if !slices.IsSorted(tree.CategoriesNodes) {
				t.Fatalf("model %d, tree %d: nodes %v of categories, want them to ascend", n, i, tree.CategoriesNodes)
			}
		}
		for to, write := range writers {
			text, again := through(t, write, m)
			for i, x := range rows {
				if got, want := again.One.Score(x), m.One.Score(x); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
					t.Fatalf("model %d as %s, row %d: score %v, want %v", n, to, i, got, want)
				}
			}
			keep(t, fmt.Sprintf("deep-%02d.as%s", n, to), text, rows, m)
		}
	}
}

// TestPandasCategorical: the names of LightGBM's and XGBoost's categories become levels,
// in the order of the codes, and come back; what does not fit is refused.
func TestPandasCategorical(t *testing.T) {
	m := &boost.Model{Columns: 2, Booster: "newton", Link: boost.IdentityLink, Schema: boost.Schema{Names: []string{"size", "colour"}, Levels: [][]string{nil, {"blue", "green", "red"}}}}
	m.Terms = []boost.Term{{Coef: 1, Weak: &boost.Tree{Nodes: []boost.Node{{Column: 1, In: &[8]uint32{5}, Left: 0, Right: -1}}, Leaves: []float64{2, 3}}}}
	var text string
	for _, write := range []func(io.Writer, *Model) error{WriteXGBoost, WriteLightGBM} {
		file, again := through(t, write, &Model{One: m})
		text = string(file)
		if got := again.One.LevelsOf(1); !slices.Equal(got, m.Levels[1]) || again.One.LevelsOf(0) != nil {
			t.Errorf("levels %q, want %q", again.One.Levels, m.Levels)
		}
		d := must.Get(again.One.Align(&boost.Data{Schema: boost.Schema{Names: []string{"colour", "size"}, Levels: [][]string{{"red", "green"}, nil}}, Columns: [][]float64{{0, 1}, {1, 1}}}))
		if scores, err := again.One.Scores(d); err != nil || !slices.Equal(scores, []float64{2, 3}) {
			t.Errorf("red and green score %v, want 2 and 3 (%v)", scores, err)
		}
	}
	const line = `pandas_categorical:[["blue","green","red"]]`
	if !strings.Contains(text, line) {
		t.Fatalf("no %s in\n%s", line, text)
	}
	for bad, want := range map[string]string{
		`pandas_categorical:[["blue","green"],["x"]]`: "2 lists",
		`pandas_categorical:[["blue"`:                 "pandas_categorical",
		`pandas_categorical:[["blue","blue","red"]]`:  "are called",
	} {
		if _, err := readLightGBM([]byte(strings.Replace(text, line, bad, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", bad, err, want)
		}
	}
	numbers, err := readLightGBM([]byte(strings.Replace(text, line, `pandas_categorical:[[10,20,30]]`, 1)))
	if err != nil || !slices.Equal(numbers.One.LevelsOf(1), []string{"10", "20", "30"}) {
		t.Errorf("numbers as categories: %v", err)
	}
}

// TestLogitRaw: the base score of a model without a link is the score's, as
// XGBoost has it, in both directions.
func TestLogitRaw(t *testing.T) {
	m := &boost.Model{Columns: 1, Booster: "newton", Link: boost.NoLink, Bias: 0.25, Terms: []boost.Term{{Coef: 1, Weak: &boost.Tree{Leaves: []float64{1}}}}}
	file, f := asXGBoost(&Model{One: m})
	if f.Learner.Objective["name"] != "binary:logitraw" || f.Learner.Param.BaseScore != "0E0" {
		t.Errorf("objective %v with the base score %s, want binary:logitraw with 0E0", f.Learner.Objective, f.Learner.Param.BaseScore)
	}
	text := strings.Replace(string(file), `"base_score":"0E0"`, `"base_score":"7.5E-1"`, 1)
	again := must.Get(readXGBoost([]byte(text)))
	if got := again.One.Score([]float64{0}); got != 2 {
		t.Errorf("score %v, want 0.75 + 1.25", got)
	}
}

// programs are a model of two classes, with categories, missing values, thresholds of
// missing values alone and a tree with branches, and one of three classes; and
// rows to predict.
func programs() (*Model, *Model, [][]float64) {
	r := rand.New(rand.NewPCG(3, 4))
	node := func(n *boost.Node) {
		n.In = nil
		switch n.MissingLeft = r.IntN(2) == 0; r.IntN(5) {
		case 0:
			n.Column, n.In = 3, &[8]uint32{r.Uint32(), r.Uint32(), 0, 0, 0, 0, 0, r.Uint32()}
		case 1:
			n.Column, n.Threshold = r.IntN(3), math.Inf(1)
		default:
			n.Column, n.Threshold = r.IntN(3), r.NormFloat64()
		}
	}
	one := func(link boost.Link) *boost.Model {
		m := &boost.Model{Columns: 4, Bias: r.NormFloat64(), Link: link, Schema: boost.Schema{Levels: [][]string{nil, nil, nil, {}}}}
		for k := range 52 { // two functions
			t := deep(r, append([]int{8, 20, 1, 2}, make([]int, 48)...)[k]+3*(min(k, 4)/4))
			for i := range t.Nodes {
				node(&t.Nodes[i])
			}
			for i := range t.Leaves {
				t.Leaves[i] = r.NormFloat64()
			}
			m.Terms = append(m.Terms, boost.Term{Coef: r.Float64() / 10, Weak: t})
		}
		return m
	}
	several := &boost.MultiModel{Columns: 4, Softmax: true}
	for range 3 {
		several.Models = append(several.Models, one(boost.NoLink))
	}
	var rows [][]float64
	for i := range 200 {
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), float64(r.IntN(256))}
		if i%3 == 0 {
			x[r.IntN(4)] = math.NaN()
		}
		rows = append(rows, x)
	}
	return &Model{One: one(boost.LogisticLink)}, &Model{Several: several}, rows
}

// TestPrograms: programs of Go and C predict the model's numbers to the bit.
func TestPrograms(t *testing.T) {
	one, several, rows := programs()
	var input, want strings.Builder
	for _, x := range rows {
		for _, v := range x {
			fmt.Fprintln(&input, strconv.FormatFloat(v, 'g', -1, 64))
		}
		for _, v := range append([]float64{one.One.Score(x), one.One.Mean(x)}, several.Several.Probabilities(nil, x)...) {
			fmt.Fprintf(&want, "%016x\n", math.Float64bits(v))
		}
	}
	dir := t.TempDir()
	file := func(name string, data []byte) {
		must.Do(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		must.Do(os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	file("one/one.go", must.Bytes(func(w io.Writer) error { return WriteGo(w, one, "one") }))
	file("three/three.go", must.Bytes(func(w io.Writer) error { return WriteGo(w, several, "three") }))
	file("c/one.c", must.Bytes(func(w io.Writer) error { return WriteC(w, one, "one") }))
	file("c/three.c", must.Bytes(func(w io.Writer) error { return WriteC(w, several, "three") }))
	file("go.mod", []byte("module m\n\ngo 1.21\n"))
	file("main.go", []byte(`package main

import (
	"fmt"
	"math"
	"m/one"
	"m/three"
)

func main() {
	x, p := make([]float64, 4), [3]float64{}
	for {
		if n, _ := fmt.Scan(&x[0], &x[1], &x[2], &x[3]); n < 4 {
			return
		}
		three.Predict(x, &p)
		for _, v := range []float64{one.Score(x), one.Predict(x), p[0], p[1], p[2]} {
			fmt.Printf("%016x\n", math.Float64bits(v))
		}
	}
}
`))
	file("c/main.c", []byte(`#include <inttypes.h>
#include <stdio.h>
#include <string.h>
double one_score(const double *), one_predict(const double *);
void three_predict(const double *, double *);
int main(void) {
	double x[4], v[5];
	while (scanf("%lf %lf %lf %lf", x, x + 1, x + 2, x + 3) == 4) {
		v[0] = one_score(x), v[1] = one_predict(x), three_predict(x, v + 2);
		for (int i = 0; i < 5; i++) {
			uint64_t u;
			memcpy(&u, v + i, 8);
			printf("%016" PRIx64 "\n", u);
		}
	}
	return 0;
}
`))
	for name, build := range map[string][]string{
		"go.exe": {"go", "build", "-o", "go.exe", "."},
		"c.exe":  {"cc", "-std=c99", "-O1", "-Wall", "-Werror", "-o", "c.exe", "c/main.c", "c/one.c", "c/three.c", "-lm"},
	} {
		if _, err := exec.LookPath(build[0]); err != nil {
			t.Logf("no %s here", build[0])
			continue
		}
		run := func(args ...string) string {
			c := exec.Command(args[0], args[1:]...)
			c.Dir, c.Stdin = dir, strings.NewReader(input.String())
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
			return string(out)
		}
		run(build...)
		if got := run(filepath.Join(dir, name)); got != want.String() {
			t.Errorf("%s prints other numbers than the model", name)
		}
	}
	if err := WriteGo(&bytes.Buffer{}, &Model{One: &boost.Model{Columns: 1, Link: boost.LogisticLink, Terms: []boost.Term{{Coef: 1, Weak: &boost.Histogram{}}}}}, "m"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("error %v of a histogram", err)
	}
	if err := WriteC(&bytes.Buffer{}, &Model{One: &boost.Model{Columns: 1}}, "m"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("error %v without a link", err)
	}
}

package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

var nan = math.NaN()

const csvSample = "\ufeffx,colour,class\n0.5,red,yes\n?,\"blue, or so\",no\n-2e3,,yes\n"

func TestReadCSV(t *testing.T) {
	got := must.Get(ReadCSV(strings.NewReader(csvSample), nil))
	sameTable(t, got, &boost.Data{
		Schema:  boost.Schema{Names: []string{"x", "colour"}, Classes: []string{"no", "yes"}, Levels: [][]string{nil, {"blue, or so", "red"}}},
		Labels:  []int8{1, -1, 1},
		Columns: [][]float64{{0.5, nan, -2000}, {1, 0, nan}},
	})
}

func TestReadCSVOptions(t *testing.T) {
	in := "3;1;2;0.5\n4;2;10;1\n1;1;2;2\n"
	got := must.Get(ReadCSV(strings.NewReader(in), &Options{
		Comma: ';', NoHeader: true, Class: "c1", Positive: []string{"4", "3"}, Weight: "c4", Nominal: []string{"c3"},
	}))
	sameTable(t, got, &boost.Data{
		Schema: boost.Schema{Names: []string{"c2", "c3"}, Classes: []string{"1", "4|3"}, Levels: [][]string{nil, {"2", "10"}}},
		Labels: []int8{1, 1, -1}, Weights: []float64{0.5, 1, 2},
		Columns: [][]float64{{1, 2, 1}, {0, 1, 0}},
	})
}

// The last class by number is positive, whichever comes first in the file.
func TestClassOrderIsNumeric(t *testing.T) {
	for _, in := range []string{"x,c\n1,10\n2,9\n", "x,c\n2,9\n1,10\n"} {
		got := must.Get(ReadCSV(strings.NewReader(in), nil))
		if !slices.Equal(got.Classes, []string{"9", "10"}) {
			t.Errorf("classes %q", got.Classes)
		}
	}
}

type reader func(io.Reader, *Options) (*boost.Data, error)

type refusal struct {
	in   string
	o    Options
	want string
}

// refuses: each text is an error that says why.
func refuses(t *testing.T, read reader, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		_, err := read(strings.NewReader(c.in), &c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.in, err, c.want)
		}
		if err != nil && strings.Contains(c.want, "over the limit") != errors.Is(err, ErrLimit) {
			t.Errorf("%q: errors.Is(%v, ErrLimit) is %v", c.in, err, errors.Is(err, ErrLimit))
		}
	}
}

func TestBadCSV(t *testing.T) {
	refuses(t, ReadCSV, []refusal{
		{"", Options{}, "line 1: syntax error: the file is empty"},
		{"a,b\n", Options{}, "found 0"},
		{"a,b\n1,x\n", Options{}, `found 1, "x"`},
		{"a,b\n1,x\n1\n", Options{}, "line 3"},
		{"a,b\n1,x\n1,y,z\n", Options{}, "line 3"},
		{"a,b\n1,x\nq,y\n", Options{}, `line 3: syntax error: column "a": "q" is no finite number but line 2 has one`},
		{"a,b\nq,x\n1,y\n", Options{}, `line 3: syntax error: column "a": "1" is a number but line 2 has a name`},
		{"a,b\n1,x\ninf,y\n", Options{}, `"inf" is no finite number`},
		{"a,b\n1,x\n1e999,y\n", Options{}, `"1e999" is no finite number`},
		{"a,b\n1,x\n1_0,y\n", Options{}, `"1_0" is no finite number`},
		{"a,b\n1,x\n1,y\n1,z\n", Options{}, `line 4: not two classes: "z" is the third class`},
		{"a,b\n1,x\n1,?\n", Options{}, "line 3: syntax error: the class is missing"},
		{"a,b\n1,x\n1,\"y\n", Options{}, "line 3"},
		{"a,b\n1,x\n1,y\"z\n", Options{}, "line 3"},
		{"a,a\n1,x\n", Options{}, `two columns are called "a"`},
		{"a,,c\n1,x,y\n", Options{}, `column 2 is called ""`},
		{"a\n1\n", Options{}, "leave no attribute"},
		{"a,b\n1,x\n", Options{Class: "z"}, `no column is called "z", which should be the class`},
		{"a,b\n1,x\n", Options{Weight: "z"}, `no column is called "z", which should be the weight`},
		{"a,b\n1,x\n", Options{Nominal: []string{"z"}}, `no column is called "z"`},
		{"a,b\n1,x\n", Options{Weight: "b"}, "cannot be two of class, weight"},
		{"a,b\n1,x\n", Options{Weight: "a"}, "leave no attribute"},
		{"a,w,b\n1,0,x\n", Options{Weight: "w"}, `weight "0"`},
		{"a,w,b\n1,?,x\n", Options{Weight: "w"}, `weight "?"`},
		{"a,b\n1,x\n1,y\n", Options{Positive: []string{"z"}}, `no row has the positive class "z"`},
		{"a,b\n1,x\n1,y\n", Options{Positive: []string{"x", "y"}}, "every class is positive"},
		{"a,b\n\"1\r2\",x\n", Options{}, "carriage return"},
		{"a,b,c\n1,1,x\n", Options{Limits: Limits{Columns: 1}}, "2 columns, over the limit of 1"},
		{"a,b\n1,x\n2,y\n", Options{Limits: Limits{Rows: 1}}, "line 3: row 2, over the limit of 1 rows"},
		{"a,b,c\n1,1,x\n2,2,y\n", Options{Limits: Limits{Cells: 3}}, "over the limit of 3 cells"},
		{"a,b\nu,x\nv,y\n", Options{Limits: Limits{Levels: 1}}, "over the limit of 1"},
		{"a,b\n1,x\n2,y\n", Options{Limits: Limits{Bytes: 11}}, "over the limit of 11 bytes"},
		{"a;b;c\n1;2;x\n", Options{}, "separated by semicolons"},
		{"a\tb\tc\n1\t2\tx\n", Options{}, "separated by tabs"},
		{"a;b;c\n1,5;2;x\n2,25;3;y\n", Options{Comma: ';'}, `column "a": "1,5" has a decimal comma`},
		{"w;a;y\n0,5;1;1\n", Options{Comma: ';', Weight: "w"}, `column "w": "0,5" has a decimal comma`},
		{"a;y\n1;2,5\n", Options{Comma: ';', Target: Numbers}, `column "y": "2,5" has a decimal comma`},
		{"a;y\n-1.5;1\n", Options{Comma: ';', DecimalComma: true}, `column "a": "-1.5" has a decimal point`},
		{"a;y\n1;1.5\n", Options{Comma: ';', DecimalComma: true, Target: Numbers}, `column "y": "1.5" has a decimal point`},
		{"a,u,y\n1,x,2\n", Options{Upper: "u", Target: Numbers}, `the upper bound "x" is no number`},
		{"a,u,y\n1,1,2\n", Options{Upper: "u", Target: Numbers}, "upper bound 1 of target 2"},
		{"\x1f\x8b, cut off", Options{}, "dataset: gzip: "},
	})
	// A file of exactly the limit is not over it.
	if _, err := ReadCSV(strings.NewReader("a,b\n1,x\n2,y\n"), &Options{Limits: Limits{Bytes: 12}}); err != nil {
		t.Error(err)
	}
}

const arffSample = `% a comment
@RELATION 'the weather'

@attribute outlook {sunny, 'over cast', "it\'s raining"} % three
@attribute temperature REAL
@Attribute play {yes, no}
@attribute windy {TRUE,FALSE}

@DATA
sunny, 85, no, FALSE
'over cast', ?, yes, TRUE, {2.5}
"it's raining",-1e2,yes,?   % wet
{1 3, 2 no}
{}, {0.5}
`

func TestReadARFF(t *testing.T) {
	got := must.Get(ReadARFF(strings.NewReader(arffSample), &Options{Class: "play"}))
	sameTable(t, got, &boost.Data{
		Schema: boost.Schema{Names: []string{"outlook", "temperature", "windy"}, Classes: []string{"yes", "no"}, Levels: [][]string{{"sunny", "over cast", "it's raining"}, nil, {"TRUE", "FALSE"}}},
		Labels: []int8{1, -1, -1, 1, -1}, Weights: []float64{1, 2.5, 1, 1, 0.5},
		Columns: [][]float64{{0, 1, 2, 0, 0}, {85, nan, -100, 3, 0}, {1, 0, nan, 0, 0}},
	})
}

func TestBadARFF(t *testing.T) {
	const head = "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
	refuses(t, ReadARFF, []refusal{
		{"", Options{}, "line 1: syntax error: the file ends before @data"},
		{"hello\n", Options{}, `found "hello"`},
		{"@relation\n", Options{}, "want one line of the form @relation NAME"},
		{"@relation a\n@relation b\n", Options{}, "line 2"},
		{"@attribute x\n", Options{}, "want @attribute NAME TYPE"},
		{"@attribute x string\n", Options{}, "type string is not supported"},
		{"@attribute x date 'yyyy'\n", Options{}, "follows the type"},
		{"@attribute x colour\n", Options{}, `unknown type "colour"`},
		{"@attribute x {a,a}\n", Options{}, `two names are "a"`},
		{"@attribute x {a b}\n", Options{}, "want a comma"},
		{"@attribute x {a,}\n", Options{}, "a comma at the end"},
		{"@attribute x {a\n", Options{}, "want numeric or {names}"},
		{"@attribute x real\n@attribute x real\n", Options{}, "line 2: syntax error: attribute name \"x\" is empty or taken"},
		{"@attribute x {a}\n@data\n", Options{}, "1 attributes"},
		{"@attribute x {a}\n@data 3\n", Options{}, "must stand alone"},
		{"@attribute x {a}\n@attribute y real\n@data\n", Options{}, `the class "y" is numeric`},
		{"@attribute x {a}\n@attribute y {a,b,c}\n@data\n", Options{}, "not two classes: the class has 3 names"},
		{head, Options{}, "no rows"},
		{head, Options{Class: "z"}, `no attribute is called "z"`},
		{head + "1\n", Options{}, "line 5: syntax error: 1 values for 2 attributes"},
		{head + "1,a\n\n1,d\n", Options{}, `line 7: syntax error: attribute "c": "d" is not declared, want one of "a", "b"`},
		{head + "x,a\n", Options{}, `"x" is no finite number`},
		{head + "Inf,a\n", Options{}, `"Inf" is no finite number`},
		{head + "1,?\n", Options{}, "the class is missing"},
		{head + "1 a\n", Options{}, "want a comma"},
		{head + ",a\n", Options{}, "want a value"},
		{head + "1,'a\n", Options{}, "a quote is not closed"},
		{head + "1,a,{0}\n", Options{}, `weight "0"`},
		{head + "1,a{2}\n", Options{}, "row's weight"},
		{head + "{0 1\n", Options{}, "not closed"},
		{head + "{0 1, 0 2}\n", Options{}, "occurs twice"},
		{head + "{2 1}\n", Options{}, `sparse index "2"`},
		{head + "{-1 1}\n", Options{}, `sparse index "-1"`},
		{head + "{0 1,}\n", Options{}, "want a comma and another value"},
		{head + "{0 1 1 a}\n", Options{}, "want a comma and another value"},
		{head + "{0}\n", Options{}, "want INDEX VALUE"},
		{"@attribute x {}\n@attribute c {a,b}\n@data\n{1 b}\n", Options{}, "has no names"},
		{head + "1,a\n1,b\n", Options{Limits: Limits{Rows: 1}}, "over the limit of 1 rows"},
		{head + "1,a\n1,b\n", Options{Limits: Limits{Levels: 1}}, "over the limit of 1"},
		{head + "1,a\n1,b\n", Options{Limits: Limits{Bytes: 40}}, "over the limit of 40 bytes"},
		{"@attribute a real\n@attribute b real\n@attribute c {x,y}\n@data\n", Options{Limits: Limits{Columns: 1}}, "2 columns, over the limit"},
	})
}

func TestARFFPositive(t *testing.T) {
	in := "@attribute x real\n@attribute c {L,B,R}\n@data\n1,L\n2,B\n3,R\n"
	got := must.Get(ReadARFF(strings.NewReader(in), &Options{Positive: []string{"B"}}))
	sameTable(t, got, &boost.Data{
		Schema:  boost.Schema{Names: []string{"x"}, Classes: []string{"L|R", "B"}},
		Labels:  []int8{-1, 1, -1},
		Columns: [][]float64{{1, 2, 3}},
	})
}

func TestReadLIBSVM(t *testing.T) {
	in := "+1 1:0.5 3:-2 # a comment\n\n-1 2:1e3\n1\n"
	got := must.Get(ReadLIBSVM(strings.NewReader(in), nil))
	sameTable(t, got, &boost.Data{
		Schema:  boost.Schema{Names: []string{"1", "2", "3"}, Classes: []string{"-1", "1"}},
		Labels:  []int8{1, -1, 1},
		Columns: [][]float64{{0.5, 0, 0}, {0, 1000, 0}, {-2, 0, 0}},
	})
}

func TestBadLIBSVM(t *testing.T) {
	refuses(t, ReadLIBSVM, []refusal{
		{"", Options{}, "found 0"},
		{"+1 1:1\n", Options{}, `found 1, "1"`},
		{"+1\n-1\n", Options{}, "no columns"},
		{"+1 1:1\nx 1:1\n", Options{}, `line 2: syntax error: label "x"`},
		{"+1 0:1\n", Options{}, `index "0"`},
		{"+1 -1:1\n", Options{}, `index "-1"`},
		{"+1 qid:1 1:1\n", Options{}, `index "qid"`},
		{"+1 1\n", Options{}, `"1", want INDEX:VALUE`},
		{"+1 2:1 2:1\n", Options{}, "index 2 follows index 2"},
		{"+1 2:1 1:1\n", Options{}, "want them to ascend"},
		{"+1 1:nan\n", Options{}, `value "nan" of index 1`},
		{"+1 1:1\n-1 1:1\n0 1:1\n", Options{}, "line 3: not two classes"},
		{"+1 9999999999:1\n", Options{}, "index \"9999999999\""},
		{"+1 999999999:1\n", Options{}, "over the limit of 100000"},
		{"+1 60:1\n-1 1:1\n", Options{Limits: Limits{Cells: 100}}, "over the limit of 100 cells"},
		{"+1 1:1\n-1 60:1\n", Options{Limits: Limits{Cells: 100}}, "over the limit of 100 cells"},
		{"+1 1:1\n-1 1:1\n", Options{Limits: Limits{Rows: 1}}, "over the limit of 1 rows"},
		{"+1 1:1\n-1 1:1\n", Options{Limits: Limits{Bytes: 10}}, "over the limit of 10 bytes"},
	})
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"one.csv": csvSample, "two.arff": strings.ReplaceAll(arffSample, "yes,?", "yes,TRUE"), "three.libsvm": "+1 1:1\n-1 1:2\n",
		"four.svm": "+1 1:1\n-1 1:2\n", "five.TSV": "x\tc\n1\ta\n2\tb\n",
	} {
		path := filepath.Join(dir, name)
		must.Do(os.WriteFile(path, []byte(text), 0o600))
		if _, err := ReadFile(path, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := filepath.Join(dir, "bad.csv")
	must.Do(os.WriteFile(bad, []byte("a,b\n1,x\n1,y\nz,x\n"), 0o600))
	for path, want := range map[string]string{
		bad:                               "bad.csv: dataset: CSV line 4",
		filepath.Join(dir, "none.csv"):    "no such file",
		filepath.Join(dir, "one.parquet"): `extension ".parquet"`,
	} {
		if _, err := ReadFile(path, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", path, err, want)
		}
	}
}

// sameValues compares bits, so that NaN equals itself and 0 is not -0.
func sameValues(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x != x && y != y || math.Float64bits(x) == math.Float64bits(y) })
}

func sameTable(t *testing.T, got, want *boost.Data) {
	t.Helper()
	if !reflect.DeepEqual(got.Labels, want.Labels) || !reflect.DeepEqual(got.Weights, want.Weights) || !reflect.DeepEqual(got.Schema, want.Schema) {
		t.Fatalf("%v %v %q, want %v %v %q", got.Labels, got.Weights, got.Schema, want.Labels, want.Weights, want.Schema)
	}
	if !slices.EqualFunc(got.Columns, want.Columns, sameValues) {
		t.Fatalf("columns %v, want %v", got.Columns, want.Columns)
	}
}

// fuzz: what is read is a whole table within the limits.
func fuzz(f *testing.F, read reader, texts ...string) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := Options{Limits: Limits{Bytes: 1 << 16, Rows: 1000, Columns: 1000, Cells: 1 << 16, Levels: 100}} // small
		d, err := read(bytes.NewReader(data), &o)
		if err != nil {
			return
		}
		must.Do(d.Check())
		if l := o.Limits; d.Rows() > l.Rows || len(d.Columns) > l.Columns || d.Rows()*len(d.Columns) > l.Cells {
			t.Fatalf("%d rows of %d columns, over the limits", d.Rows(), len(d.Columns))
		}
	})
}

func FuzzReadCSV(f *testing.F) {
	fuzz(f, ReadCSV, csvSample, "a,b\n1,x\n2,y\n", "a,b,c\n\"q\"\"r\",NA,x\n\"1\n2\",?,y\n", "a;b\n1;x")
}

func FuzzReadARFF(f *testing.F) {
	fuzz(f, ReadARFF, arffSample, "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n1,a\n{0 2, 1 b}, {3}\n",
		"@attribute '' {'a\\n', \"b'\"}\n@data")
}

func FuzzReadLIBSVM(f *testing.F) {
	fuzz(f, ReadLIBSVM, "+1 1:0.5 3:-2 # a comment\n\n-1 2:1e3\n1\n", "0 1:-0\n-0 1:1e-300\n3")
}

// TestCSVAsUCIWritesIt: blanks after separators are no part of a field, so that
// numbers stay numbers and " ?" is missing; a column that turns into names is told.
func TestCSVAsUCIWritesIt(t *testing.T) {
	var notes []string
	o := &Options{Note: func(s string) { notes = append(notes, s) }}
	got := must.Get(ReadCSV(strings.NewReader("age, colour, \"n b\", class\n39, red, 1, <=50K\n 50, ?, 2, >50K\n38, blue,\t3 ,<=50K\n"), o))
	sameTable(t, got, &boost.Data{
		Schema: boost.Schema{Names: []string{"age", "colour", "n b"}, Classes: []string{"<=50K", ">50K"}, Levels: [][]string{nil, {"blue", "red"}, nil}},
		Labels: []int8{-1, 1, -1}, Columns: [][]float64{{39, 50, 38}, {1, nan, 0}, {1, 2, 3}},
	})
	if len(notes) != 0 {
		t.Errorf("notes %q, want none: a column of words is plainly one", notes)
	}
	if _, err := ReadCSV(strings.NewReader("a,b\n1 000,x\n2 500,y\n"), o); err != nil || len(notes) != 1 || !strings.Contains(notes[0], `column "a"`) || !strings.Contains(notes[0], `"1 000"`) {
		t.Errorf("notes %q and error %v, want a note about names that look like numbers", notes, err)
	}
}

// TestCSVDecimalCommas: columns, targets and weights have them; a comma that divides
// the lines of semicolons is noted.
func TestCSVDecimalCommas(t *testing.T) {
	var notes []string
	o := &Options{Comma: ';', DecimalComma: true, Target: Numbers, Weight: "w", Note: func(s string) { notes = append(notes, s) }}
	got, err := ReadCSV(strings.NewReader("a;w;y\n1,5;0,5;2,5\n-2,25e3;1,5;-0,5\n"), o)
	if err != nil || !slices.Equal(got.Columns[0], []float64{1.5, -2250}) || !slices.Equal(got.Weights, []float64{0.5, 1.5}) || !slices.Equal(got.Targets, []float64{2.5, -0.5}) {
		t.Errorf("%v, error %v", got, err)
	}
	ReadCSV(strings.NewReader("x;y, in m;c\n1;2,5;no\n"), &Options{Note: o.Note})
	if len(notes) == 0 || !strings.Contains(notes[0], "semicolons") {
		t.Errorf("notes %q, want one about semicolons", notes)
	}
}

// TestCompressed: a .gz is read as what it holds, within the limits.
func TestCompressed(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(csvSample))
	w.Close()
	path := filepath.Join(t.TempDir(), "one.CSV.gz")
	must.Do(os.WriteFile(path, b.Bytes(), 0o600))
	if d, err := ReadFile(path, nil); err != nil || d.Rows() != 3 {
		t.Errorf("%v, error %v", d, err)
	}
	if _, err := ReadFile(path, &Options{Limits: Limits{Bytes: 20}}); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want ErrLimit: what is read is %d bytes long", err, len(csvSample))
	}
	if d, err := ReadCSV(bytes.NewReader(b.Bytes()), nil); err != nil || d.Rows() != 3 {
		t.Errorf("without a name: %v, error %v", d, err)
	}
	if _, err := ReadCSV(bytes.NewReader(b.Bytes()[:b.Len()-1]), nil); err == nil || !strings.HasPrefix(err.Error(), "dataset: CSV: ") {
		t.Errorf("a file that is cut off: error %v", err)
	}
}

// TestTargets: numbers, several classes and no target at all are read from each
// format.
func TestTargets(t *testing.T) {
	type format struct {
		read reader
		text map[Target]string
	}
	formats := map[string]format{
		"csv": {ReadCSV, map[Target]string{
			Numbers:        "a,b,class\n1,x,2.5\n?,y,-1\n3,x,0\n",
			SeveralClasses: "a,b,class\n1,x,red\n?,y,green\n3,x,blue\n4,x,red\n",
			NoTarget:       "a,b\n1,x\n?,y\n3,x\n",
		}},
		"arff": {ReadARFF, map[Target]string{
			Numbers:        "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute class numeric\n@data\n1,x,2.5\n?,y,-1\n3,x,0\n",
			SeveralClasses: "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute class {blue,green,red}\n@data\n1,x,red\n?,y,green\n3,x,blue\n4,x,red\n",
			NoTarget:       "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n?,y\n3,x\n",
		}},
		"libsvm": {ReadLIBSVM, map[Target]string{
			Numbers:        "2.5 1:1 2:5\n-1 2:3\n0 1:3\n",
			SeveralClasses: "3 1:1 2:5\n2 2:3\n1 1:3\n3 1:4\n",
		}},
	}
	bounds := must.Get(ReadCSV(strings.NewReader("a,u,y\n1,3,2\n2,,2\n3,Inf,2\n4,2,2\n"), &Options{Target: Numbers, Upper: "u"}))
	if inf := math.Inf(1); !slices.Equal(bounds.Upper, []float64{3, inf, inf, 2}) || len(bounds.Columns) != 1 {
		t.Errorf("upper bounds %v, %d columns", bounds.Upper, len(bounds.Columns))
	}
	for name, f := range formats {
		for target, text := range f.text {
			table, err := f.read(strings.NewReader(text), &Options{Target: target})
			if err != nil {
				t.Errorf("%s, target %d: %v", name, target, err)
				continue
			}
			switch target {
			case Numbers:
				if !slices.Equal(table.Targets, []float64{2.5, -1, 0}) || table.Classes != nil {
					t.Errorf("%s: targets %v", name, table.Targets)
				}
			case SeveralClasses:
				if len(table.Classes) != 3 || !slices.Equal(table.Targets, []float64{2, 1, 0, 2}) {
					t.Errorf("%s: classes %v of %q", name, table.Targets, table.Classes)
				}
			case NoTarget:
				if table.Targets != nil || table.Rows() != 3 || len(table.Columns) != 2 {
					t.Errorf("%s: %d rows, %d columns, targets %v", name, table.Rows(), len(table.Columns), table.Targets)
				}
			}
			if table.Labels != nil {
				t.Errorf("%s: labels %v", name, table.Labels)
			}
		}
	}
	if _, err := ReadCSV(strings.NewReader("a,class\n1,x\n"), &Options{Target: Numbers}); !errors.Is(err, ErrSyntax) {
		t.Errorf("a name for a number: error %v", err)
	}
	if _, err := ReadCSV(strings.NewReader("a,class\n1,x\n2,x\n"), &Options{Target: SeveralClasses}); !errors.Is(err, ErrClasses) {
		t.Errorf("one class: error %v", err)
	}
}

// TestMissingWords: words of the options mean a missing value too.
func TestMissingWords(t *testing.T) {
	const text = "a,b,class\n1,null,x\nnone,2,y\nNA,3,x\n"
	table := must.Get(ReadCSV(strings.NewReader(text), &Options{Missing: []string{"null", "none"}}))
	if want := [][]float64{{1, nan, nan}, {nan, 2, 3}}; !slices.EqualFunc(table.Columns, want, sameValues) || table.Levels != nil {
		t.Errorf("columns %v, want %v", table.Columns, want)
	}
	if _, err := ReadCSV(strings.NewReader(text), nil); err == nil {
		t.Error("without the option the words are names among numbers, and no error")
	}
}

// TestReadSparse: a sparse table has the values of the full one, and its limit is
// one on what the file has.
func TestReadSparse(t *testing.T) {
	const text = "+1 1:2 4:0.5\n-1\n+1 2:-3 3:0\n-1 1000:7\n"
	s, d := must.Get2(ReadSparse(strings.NewReader(text), nil))
	full := must.Get(ReadLIBSVM(strings.NewReader(text), nil))
	if s.Columns != 1000 || len(s.Starts) != 5 || !slices.Equal(d.Labels, full.Labels) || !slices.Equal(d.Classes, full.Classes) || !slices.Equal(d.Names, full.Names) {
		t.Fatalf("%d columns, starts %v, labels %v", s.Columns, s.Starts, d.Labels)
	}
	for i := range 4 {
		row := make([]float64, 1000)
		for k := s.Starts[i]; k < s.Starts[i+1]; k++ {
			row[s.Index[k]] = s.Value[k]
		}
		for j, v := range row {
			if v != full.Columns[j][i] {
				t.Errorf("row %d, column %d: %v, want %v", i, j, v, full.Columns[j][i])
			}
		}
	}
	limits := Limits{Cells: 6}
	if _, _, err := ReadSparse(strings.NewReader(text), &Options{Limits: limits}); err != nil {
		t.Errorf("five values: %v", err)
	}
	limits.Cells = 4
	if _, _, err := ReadSparse(strings.NewReader(text), &Options{Limits: limits}); !errors.Is(err, ErrLimit) {
		t.Errorf("five values with a limit of four: %v", err)
	}
	if _, err := ReadLIBSVM(strings.NewReader(text), &Options{Limits: Limits{Cells: 6}}); !errors.Is(err, ErrLimit) {
		t.Errorf("the full table has four thousand cells: %v", err)
	}
}

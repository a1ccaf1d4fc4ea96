package boost

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// colours is a table with a categorical column between two numeric ones.
func colours(rows int, seed uint64) *Data {
	d := mixture(rows, seed)
	d.Columns = d.Columns[:3]
	d.Schema = Schema{
		Names:   []string{"length", "colour", "width"},
		Levels:  [][]string{nil, {"a", "b", "c", "d"}, nil},
		Classes: []string{"bad", "good"},
	}
	for i, v := range d.Columns[1] {
		d.Columns[1][i] = math.Trunc(min(3, max(0, 2+v)))
	}
	return d
}

// TestModelKeepsSchema: a model knows what it was fitted on, in a file too.
func TestModelKeepsSchema(t *testing.T) {
	d := colours(200, 1)
	m := mustFit(t, d, &Gentle{}, &Stumps{}, nil).Model
	var file bytes.Buffer
	must.Do(m.Save(&file))
	text := file.String()
	read := must.Get(Load(strings.NewReader(text)))
	for _, m := range []*Model{m, read} {
		if !slices.Equal(m.Names, d.Names) || !slices.EqualFunc(m.Levels, d.Levels, slices.Equal) || !slices.Equal(m.Classes, d.Classes) {
			t.Errorf("schema %+v, want %+v", m.Schema, d.Schema)
		}
	}
	for n := range len(text) - 1 {
		if _, err := Load(strings.NewReader(text[:n])); !errors.Is(err, ErrFormat) {
			t.Fatalf("%d bytes: error %v, want ErrFormat", n, err)
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{"levels 3", "levels 2", "2 levels for 3 columns"},
		{"numeric\n", "number\n", "want \"numeric\""},
		{"categorical 4", "categorical 5", "quoted name"},
		{`"b"`, `"a"`, "two levels"},
		{"classes 2", "classes 1", "want at least two names"},
		{`"good"`, `"bad"`, "two classes"},
		{`"width"`, `"length"`, "two columns"},
		{"linkscale 0", "linkscale -1", "negative"},
	} {
		bad := strings.Replace(text, c.old, c.new, 1)
		if bad == text {
			t.Fatalf("%q is not in the text", c.old)
		}
		if _, err := Load(strings.NewReader(bad)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one that says %q", c.new, c.old, err, c.want)
		}
	}
}

// TestOldModelFiles: a file of version 1 is read, and what it can say is still
// written in it.
func TestOldModelFiles(t *testing.T) {
	const old = "haarlem-boost 1\nbooster gentle\nlink doublelogistic\nbias 0\ndamping 0\ncolumns 2\nnames 2\n\"x\"\n\"y\"\n" +
		"terms 1\nterm 1\ntree 1\nnode 0 2.5 right 0 -1\nleaf 1\nleaf -1\nend\n"
	m := must.Get(Load(strings.NewReader(old)))
	var again bytes.Buffer
	if err := m.Save(&again); err != nil || again.String() != old {
		t.Errorf("saved again (%v):\n%s", err, again.String())
	}
	d := &Data{Schema: Schema{Names: []string{"y", "x"}}, Columns: [][]float64{{1}, {9}}, Labels: []int8{1}}
	if _, err := m.Scores(d); !errors.Is(err, ErrSchema) {
		t.Errorf("columns in another order: error %v, want ErrSchema", err)
	}
	if _, err := Load(strings.NewReader(strings.Replace(old, "doublelogistic", "erf", 1))); !errors.Is(err, ErrFormat) {
		t.Errorf("a link of version 2 in a file of version 1: error %v", err)
	}
}

// TestScoringChecksSchema: data of another schema is an error that says what
// differs, in everything that scores.
func TestScoringChecksSchema(t *testing.T) {
	d := colours(200, 2)
	m := mustFit(t, d, &Gentle{}, &Stumps{}, nil).Model
	change := func(f func(d *Data)) *Data {
		c := d.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7})
		c.Schema = d.Schema.clone()
		f(c)
		return c
	}
	for name, c := range map[string]struct {
		d    *Data
		want string
	}{
		"a column less": {change(func(d *Data) { d.Columns, d.Names, d.Levels = d.Columns[:2], d.Names[:2], d.Levels[:2] }), `no column is called "width"`},
		"a column more": {change(func(d *Data) {
			d.Columns, d.Names, d.Levels = append(d.Columns, d.Columns[0]), append(d.Names, "depth"), append(d.Levels, nil)
		}), `no column called "depth"`},
		"another name": {change(func(d *Data) { d.Names[2] = "with" }), `no column is called "width", and no model column "with"`},
		"another order": {change(func(d *Data) {
			d.Names[0], d.Names[2] = d.Names[2], d.Names[0]
			d.Columns[0], d.Columns[2] = d.Columns[2], d.Columns[0]
		}), `column 0 is "width", want "length"`},
		"no names, a column less": {change(func(d *Data) { d.Columns, d.Names, d.Levels = d.Columns[:2], nil, nil }), "2 columns, want 3"},
		"unknown level":           {change(func(d *Data) { d.Levels[1] = []string{"a", "b", "c", "z"} }), `level "z"`},
		"other numbers":           {change(func(d *Data) { d.Levels[1] = []string{"b", "c", "d"}; clear(d.Columns[1]) }), "another order"},
		"numbers for levels":      {change(func(d *Data) { d.Levels[1] = nil }), `column "colour" is numeric`},
		"levels for numbers":      {change(func(d *Data) { d.Levels[0] = []string{"x"}; clear(d.Columns[0]) }), `column "length" is categorical`},
		"no level":                {change(func(d *Data) { d.Levels = nil; d.Columns[1][3] = 4 }), "row 3 is 4"},
		"a part of a level":       {change(func(d *Data) { d.Levels = nil; d.Columns[1][3] = 0.5 }), "row 3 is 0.5"},
		"ragged":                  {change(func(d *Data) { d.Columns[2] = d.Columns[2][:5] }), "5 values, want 8"},
		"too few levels":          {change(func(d *Data) { d.Levels = d.Levels[:1] }), "levels of 1 columns"},
	} {
		_, scores := m.Scores(c.d)
		_, staged := m.stagedErrors(c.d)
		_, wrong := m.Error(c.d)
		_, margins := m.Margins(c.d)
		stages := m.Stages(c.d, func(int, []float64) bool { return true })
		for _, err := range []error{scores, staged, wrong, margins, stages, m.Check(c.d)} {
			if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrSchema) && !errors.Is(err, ErrData) {
				t.Errorf("%s: error %v, want one that says %s", name, err, c.want)
			}
		}
		if _, err := Fit(t.Context(), d, &Gentle{}, &Stumps{}, &Settings{Rounds: 1, Validation: c.d}); err == nil {
			t.Errorf("%s: the validation data are taken", name)
		}
	}
	swapped := change(func(d *Data) { d.Classes[0], d.Classes[1] = d.Classes[1], d.Classes[0] })
	if _, err := m.Error(swapped); !errors.Is(err, ErrSchema) {
		t.Errorf("classes exchanged: error %v, want ErrSchema", err)
	}
	if _, err := m.Scores(swapped); err != nil {
		t.Errorf("scores need no classes: %v", err)
	}
}

// TestScoreOfShortRow: a row of the wrong length is the caller's bug, and the
// panic says so.
func TestScoreOfShortRow(t *testing.T) {
	m := mustFit(t, colours(100, 3), &Gentle{}, &Stumps{}, nil).Model
	defer func() {
		if s, _ := recover().(string); !strings.Contains(s, "2 values for a model of 3 columns") {
			t.Errorf("panic %q", s)
		}
	}()
	m.Class([]float64{1, 2})
}

// TestAlign: columns and levels are found by their names.
func TestAlign(t *testing.T) {
	d := colours(200, 4)
	m := mustFit(t, d, &Gentle{}, &Stumps{}, nil).Model
	want := must.Get(m.Scores(d))
	other := &Data{
		Schema: Schema{
			Names:   []string{"id", "width", "colour", "length"},
			Levels:  [][]string{{"x"}, nil, {"never", "d", "c", "b", "a"}, nil},
			Classes: d.Classes,
		},
		Columns: [][]float64{make([]float64, d.Rows()), d.Columns[2], make([]float64, d.Rows()), d.Columns[0]},
		Labels:  d.Labels,
	}
	for i, v := range d.Columns[1] {
		other.Columns[2][i] = 4 - v
	}
	if _, err := m.Scores(other); !errors.Is(err, ErrSchema) {
		t.Fatalf("error %v before it is aligned", err)
	}
	a, err := m.Align(other)
	if err != nil {
		t.Fatal(err)
	}
	if got := must.Get(m.Scores(a)); !slices.Equal(got, want) {
		t.Error("other scores for the same rows")
	}
	other.Columns[2][7] = 0 // a level unknown to the model
	if _, err := m.Align(other); !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), `"never" in row 7`) {
		t.Errorf("error %v, want the unknown level and its row", err)
	}
	other.Columns[2][7] = math.NaN()
	if _, err := m.Align(other); err != nil {
		t.Errorf("a missing value: %v", err)
	}
	other.Names[1] = "breadth"
	if _, err := m.Align(other); !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), `no column is called "width"`) {
		t.Errorf("error %v, want the missing column", err)
	}
}

// TestResumeChecksSchema: a checkpoint of other columns is refused.
func TestResumeChecksSchema(t *testing.T) {
	d := colours(100, 5)
	run := must.Get(Start(&Problem{Data: d}, &Gentle{}, &Stumps{}, nil))
	c := run.Checkpoint()
	d.Schema = d.Schema.clone()
	d.Names[0] = "height"
	if _, err := Resume(&Problem{Data: d}, &Gentle{}, &Stumps{}, nil, c); !errors.Is(err, ErrSchema) {
		t.Errorf("error %v, want ErrSchema", err)
	}
}

package dataset

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

func small() *Table {
	return &Table{
		Name:    "small",
		Classes: [2]string{"no", "yes"},
		Labels:  []int8{-1, 1, 1},
		Weights: []float64{1, 2, 0.5},
		Columns: []Column{
			{Name: "x", Values: []float64{0.5, math.NaN(), -2}},
			{Name: "colour", Values: []float64{0, 2, math.NaN()}, Levels: []string{"blue", "green", "red"}},
			{Name: "flag", Values: []float64{1, 0, 1}, Levels: []string{"no", "yes"}},
			{Name: "same", Values: []float64{0, 0, 0}, Levels: []string{"one"}},
		},
	}
}

func TestCheck(t *testing.T) {
	if err := small().Check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Table){
		"no rows":               func(t *Table) { t.Labels = nil },
		"label of row 1":        func(t *Table) { t.Labels[1] = 0 },
		"2 weights":             func(t *Table) { t.Weights = t.Weights[:2] },
		"weight of row 2":       func(t *Table) { t.Weights[2] = math.NaN() },
		"weight of row 0":       func(t *Table) { t.Weights[0] = 0 },
		"both classes":          func(t *Table) { t.Classes[0] = "yes" },
		"no columns":            func(t *Table) { t.Columns = nil },
		`"flag"`:                func(t *Table) { t.Columns[0].Name = "flag" },
		"empty or taken":        func(t *Table) { t.Columns[0].Name = "" },
		"2 values for 3":        func(t *Table) { t.Columns[0].Values = t.Columns[0].Values[:2] },
		"infinite":              func(t *Table) { t.Columns[0].Values[0] = math.Inf(-1) },
		"index below 3":         func(t *Table) { t.Columns[1].Values[0] = 3 },
		"row 0 is 0.5":          func(t *Table) { t.Columns[1].Values[0] = 0.5 },
		"row 0 is -1":           func(t *Table) { t.Columns[1].Values[0] = -1 },
		`two levels are called`: func(t *Table) { t.Columns[1].Levels[1] = "red" },
	} {
		table := small()
		spoil(table)
		err := table.Check()
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestCounts(t *testing.T) {
	table := small()
	if table.Rows() != 3 || table.Positives() != 2 || table.Missing() != 2 {
		t.Errorf("%d rows, %d positive, %d missing", table.Rows(), table.Positives(), table.Missing())
	}
	if m := table.Matrix(); len(m) != 4 || &m[0][0] != &table.Columns[0].Values[0] {
		t.Error("the matrix does not hold the columns themselves")
	}
}

func TestSelect(t *testing.T) {
	s := small().Select([]int{2, 0, 2})
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(s.Labels, []int8{1, -1, 1}) || !reflect.DeepEqual(s.Weights, []float64{0.5, 1, 0.5}) ||
		!reflect.DeepEqual(s.Columns[0].Values, []float64{-2, 0.5, -2}) || s.Columns[1].Levels[2] != "red" {
		t.Errorf("%+v", s)
	}
}

func TestIndicators(t *testing.T) {
	in := small().Indicators()
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := []Column{
		{Name: "x", Values: []float64{0.5, nan, -2}},
		{Name: "colour=blue", Values: []float64{1, 0, nan}},
		{Name: "colour=green", Values: []float64{0, 0, nan}},
		{Name: "colour=red", Values: []float64{0, 1, nan}},
		{Name: "flag=yes", Values: []float64{1, 0, 1}},
	}
	if len(in.Columns) != len(want) {
		t.Fatalf("%d columns, want %d", len(in.Columns), len(want))
	}
	for i, c := range in.Columns {
		if c.Name != want[i].Name || c.Levels != nil || !sameValues(c.Values, want[i].Values) {
			t.Errorf("column %d is %+v, want %+v", i, c, want[i])
		}
	}
	clash := small()
	clash.Columns[0].Name = "colour=red"
	if err := clash.Indicators().Check(); err != nil {
		t.Error(err)
	}
}

// sameValues compares bits, so that NaN equals itself and 0 is not -0.
func sameValues(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.IsNaN(a[i]) != math.IsNaN(b[i]) || !math.IsNaN(a[i]) && math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// sameTable compares all but the name.
func sameTable(t *testing.T, got, want *Table) {
	t.Helper()
	if !reflect.DeepEqual(got.Labels, want.Labels) || !reflect.DeepEqual(got.Weights, want.Weights) || got.Classes != want.Classes {
		t.Fatalf("labels, weights or classes: %v %v %q, want %v %v %q",
			got.Labels, got.Weights, got.Classes, want.Labels, want.Weights, want.Classes)
	}
	if len(got.Columns) != len(want.Columns) {
		t.Fatalf("%d columns, want %d", len(got.Columns), len(want.Columns))
	}
	for i := range got.Columns {
		a, b := &got.Columns[i], &want.Columns[i]
		if a.Name != b.Name || !reflect.DeepEqual(a.Levels, b.Levels) || !sameValues(a.Values, b.Values) {
			t.Fatalf("column %d: %+v, want %+v", i, a, b)
		}
	}
}

func TestFoldsAreStratified(t *testing.T) {
	table := build(t, "balance-even")
	for _, k := range []int{2, 3, 10, 49} {
		folds, err := Folds(table.Labels, k, 4)
		if err != nil {
			t.Fatal(err)
		}
		size, positives := make([]int, k), make([]int, k)
		for row, f := range folds {
			size[f]++
			if table.Labels[row] > 0 {
				positives[f]++
			}
		}
		for f := range k {
			if size[f] < 625/k || size[f] > 625/k+1 || positives[f] < 49/k || positives[f] > 49/k+1 {
				t.Errorf("%d folds: fold %d has %d rows, %d positive", k, f, size[f], positives[f])
			}
			train, test := Split(folds, f)
			if len(test) != size[f] || len(train)+len(test) != 625 {
				t.Errorf("%d folds: fold %d is split %d to %d", k, f, len(train), len(test))
			}
		}
		again, _ := Folds(table.Labels, k, 4)
		other, _ := Folds(table.Labels, k, 5)
		if !reflect.DeepEqual(again, folds) || reflect.DeepEqual(other, folds) {
			t.Errorf("%d folds: the seed does not decide", k)
		}
	}
	if _, err := Folds(table.Labels, 50, 0); err == nil {
		t.Error("50 folds of 49 positives were made")
	}
	if _, err := Folds(table.Labels, 1, 0); err == nil {
		t.Error("one fold was made")
	}
}

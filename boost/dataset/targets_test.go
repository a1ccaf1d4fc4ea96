package dataset

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

// TestTargets: numbers, several classes and no target at all are read from each
// format.
func TestTargets(t *testing.T) {
	type format struct {
		read func(io.Reader, *Options) (*boost.Data, error)
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

package boost

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// readCrosscheck reads the file that testdata/crosscheck.py made: a table, and
// what scikit-learn says about it.
func readCrosscheck(t *testing.T) (*Data, map[string][]float64) {
	t.Helper()
	f := must.Get(os.Open("testdata/crosscheck.txt"))
	defer f.Close()
	d := &Data{}
	said := map[string][]float64{}
	section := ""
	for s := bufio.NewScanner(f); s.Scan(); {
		words := strings.Fields(s.Text())
		switch {
		case words[0] == "#":
		case words[0] == "data" || len(words) == 2 && (words[0] == "staged" || words[0] == "tree"):
			section = strings.Join(words, " ")
		default:
			var v []float64
			for _, w := range words {
				x := must.Get(strconv.ParseFloat(w, 64))
				v = append(v, x)
			}
			if section != "data" {
				said[section] = append(said[section], v...)
				continue
			}
			d.Labels = append(d.Labels, int8(v[0]))
			d.Weights = append(d.Weights, v[1])
			for j, x := range v[2:] {
				if len(d.Columns) == j {
					d.Columns = append(d.Columns, nil)
				}
				d.Columns[j] = append(d.Columns[j], x)
			}
		}
	}
	if d.Rows() != 200 || len(said) != 9 {
		t.Fatalf("%d rows and %d sections, want 200 and 9", d.Rows(), len(said))
	}
	return d, said
}

// TestAgainstScikitLearn compares staged training errors with AdaBoostClassifier
// (SAMME and SAMME.R), round by round, and the class probabilities of single trees.
//
// Where a leaf is pure, the output of scikit-learn's real AdaBoost is
// ln(2^52)/2, and that of Real the same except for the logarithm of the leaf's
// own weight. With stumps that happens in round 7 and shows in the errors from
// round 31 on.
func TestAgainstScikitLearn(t *testing.T) {
	d, said := readCrosscheck(t)
	plain := *d
	plain.Weights = nil
	for _, c := range []struct {
		name string
		d    *Data
		b    Booster
		l    Learner
	}{
		{"staged stumps", &plain, &Discrete{Friedman: true, Criterion: Gini}, SortedStumps{}},
		{"staged stumps", &plain, &Discrete{Friedman: true, Criterion: Gini}, &Stumps{}},
		{"staged weighted-stumps", d, &Discrete{Criterion: Gini}, &Stumps{}},
		{"staged entropy-stumps", d, &Discrete{Criterion: Entropy}, &Stumps{}},
		{"staged depth-2", d, &Discrete{}, &Trees{Depth: 2}},
		{"staged leaves-5", d, &Discrete{}, &Trees{Leaves: 5}},
		{"staged real-stumps", d, &Real{Criterion: Gini, unsmoothed: true}, &Stumps{}},
		{"staged real-depth-2", d, &Real{Criterion: Gini, unsmoothed: true}, &Trees{Depth: 2}},
	} {
		want := said[c.name]
		if c.name == "staged real-stumps" {
			want = want[:30]
		}
		got := must.Get(mustFit(t, c.d, c.b, c.l, &Settings{Rounds: len(want)}).Model.stagedErrors(c.d))[1:]
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-9 {
				t.Errorf("%s with %s: error %v after round %d, scikit-learn has %v", c.name, c.l.Name(), got[k], k+1, want[k])
				break
			}
		}
	}
	for name, l := range map[string]*Trees{
		"tree depth-3":  {Depth: 3, Criterion: Gini},
		"tree leaves-7": {Leaves: 7, Criterion: Entropy},
	} {
		q := query{Criterion: Gini, Leaf: Leaf{Kind: Mean}, Weights: append([]float64(nil), d.Weights...)}
		normalise(q.Weights)
		for _, y := range d.Labels {
			q.Targets = append(q.Targets, float64(y))
		}
		_, out := find(t, d, l, q, 1)
		for i, p := range said[name] {
			if math.Abs((1+out[i])/2-p) > 1e-9 {
				t.Errorf("%s: row %d has probability %v, scikit-learn has %v", name, i, (1+out[i])/2, p)
				break
			}
		}
	}
}

package refining

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/eval"
	"haarlem/internal/must"
)

// A new step begins with the weights of the first layers of another one, as far as these
// are alike, and with all if all are.
func TestBeginWith(t *testing.T) {
	from := must.Get(parseStep("48 2 conv16 max conv48 max conv64 dense160"))
	from.Scales = make([]float64, 5)
	for i := range from.Layers {
		if l := &from.Layers[i]; l.Outputs > 0 {
			l.Weights, l.Bias, l.Shift = []int8{int8(i)}, []int32{1}, []uint8{2}
		}
	}
	for _, test := range []struct {
		step  string
		alike int
	}{
		{"48 2 conv16 max conv48 max conv64 conv64 max dense80", 5},
		{"48 1.6 conv16 max conv32", 2},
		{"48 2 conv16 conv48", 1},
		{"48 2 conv16 max conv48 max conv64 dense160", 7},
		{"40 2 conv16 max conv48", 0},
	} {
		s := must.Get(parseStep(test.step))
		bare := must.Get(parseStep(test.step))
		beginWith(&s, &from)
		for i := range s.Layers {
			want := bare.Layers[i]
			if i < test.alike {
				want = from.Layers[i]
			}
			if !reflect.DeepEqual(s.Layers[i], want) {
				t.Errorf("%s: layer %d: %d weights, want %d", test.step, i, len(s.Layers[i].Weights), len(want.Weights))
			}
		}
		if all := test.alike == len(from.Layers); all != (s.Scales != nil) {
			t.Errorf("%s: scales %v", test.step, s.Scales)
		}
	}
}

// Copies of a picture, and photographs of one group, are in the same part; lists of
// another kind are refused.
func TestJoin(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "copies.csv")
	must.Do(os.WriteFile(list, []byte("file,group,part\na.png,1,train\nsub/b.png,1,train\n"), 0o666))
	photo := func(name, person string) eval.Photo {
		return eval.Photo{File: filepath.Join(dir, name), Objects: []eval.Object{{Tags: map[string]string{"person": person}}}}
	}
	photos := []eval.Photo{photo("a.png", ""), photo("sub/b.png", ""), photo("c.png", "Ann"), photo("d.png", "Ann"), photo("e.png", "")}
	v := &crossFlags{copies: list, group: "person"}
	must.Do(v.join(photos, "x"))
	tag := func(i int) string { return photos[i].Objects[0].Tags["x"] }
	if tag(0) == "" || tag(0) != tag(1) || tag(2) == "" || tag(2) != tag(3) || tag(0) == tag(2) || tag(4) != "" {
		t.Errorf("%q %q %q %q %q", tag(0), tag(1), tag(2), tag(3), tag(4))
	}
	v.copies = filepath.Join(dir, "truth.csv")
	must.Do(os.WriteFile(v.copies, []byte("file,x,y,width,height\na.png,1,1,2,2\n"), 0o666))
	if err := v.join(photos, "x"); err == nil || !strings.Contains(err.Error(), "no list of copies") {
		t.Errorf("error %v", err)
	}
}

// Errors that fall by the same factor with each doubling are expected to fall so again;
// those that grow do not.
func TestTwice(t *testing.T) {
	of := func(precision ...float64) []LearningStep {
		var all []LearningStep
		for i, p := range precision {
			all = append(all, LearningStep{Share: math.Exp2(float64(i - len(precision) + 1)), Objects: 10 << i, AveragePrecision: p})
		}
		return all
	}
	if got := twice(of(0.2, 0.6, 0.8)); math.Abs(got-0.9) > 1e-9 {
		t.Errorf("%v, want 0.9", got)
	}
	if got := twice(of(0.9, 0.8, 0.7)); got != 0.7 {
		t.Errorf("%v, want 0.7", got)
	}
	c := &Crossvalidated{Curve: of(0.2, 0.6, 0.8), Twice: 0.9}
	if said := c.More(); !strings.Contains(said, "twice as many promise about 90.0") {
		t.Error(said)
	}
	if c.Twice = 0.8; !strings.Contains(c.More(), "would not help") {
		t.Error(c.More())
	}
}

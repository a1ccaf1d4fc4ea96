package refining

import (
	"reflect"
	"testing"

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

package refining

import (
	"reflect"
	"testing"

	"haarlem/internal/must"
	"haarlem/models"
)

// A new step begins with the weights of the first layers of another one, as far as these
// are alike, and with all if all are.
func TestBeginWith(t *testing.T) {
	face := &must.Get(models.Open("face")).Network.Steps[1]
	for _, test := range []struct {
		step  string
		alike int
	}{
		{"48 2 conv16 max conv48 max conv64 conv64 max dense80", 5},
		{"48 1.6 conv16 max conv32", 2},
		{"48 2 conv16 conv48", 1},
		{"48 2 conv16 max conv48 max conv64 max conv64 dense160", 9},
		{"40 2 conv16 max conv48", 0},
	} {
		s := must.Get(parseStep(test.step))
		bare := must.Get(parseStep(test.step))
		beginWith(&s, face)
		for i := range s.Layers {
			want := bare.Layers[i]
			if i < test.alike {
				want = face.Layers[i]
			}
			if !reflect.DeepEqual(s.Layers[i], want) {
				t.Errorf("%s: layer %d: %d weights, want %d", test.step, i, len(s.Layers[i].Weights), len(want.Weights))
			}
		}
		if all := test.alike == len(face.Layers); all != (s.Scales != nil) {
			t.Errorf("%s: scales %v", test.step, s.Scales)
		}
	}
}

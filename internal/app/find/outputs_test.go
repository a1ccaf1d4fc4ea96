package find

import (
	"strings"
	"testing"
)

func TestStems(t *testing.T) {
	var inputs []input
	for path := range strings.FieldsSeq("a/x.jpg b/x.jpg x-2.png X.gif .jpg c/.jpg") {
		inputs = append(inputs, input{path: path})
	}
	inputs = append(inputs, input{path: "-", stdin: true})
	want := "x x-2 x-2-2 X-3 picture picture-2 stdin"
	if got := strings.Join(stems(inputs), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

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
	inputs = append(inputs, in("a", "a/x.jpg"), in("a", "a/b/x.jpg"), in("a", "a/b/.jpg"))
	want := "x x-2 x-2-2 X-3 picture picture-2 stdin x-4 b/x b/picture"
	if got := strings.Join(stems(inputs), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

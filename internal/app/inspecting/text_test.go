package inspecting

import (
	"slices"
	"testing"
)

func TestListedExits(t *testing.T) {
	if got := listedExits(3); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("%v", got)
	}
	if got := listedExits(210); !slices.Equal(got, []int{0, 1, 2, 4, 6, 9, 19, 29, 49, 69, 99, 199, 209}) {
		t.Errorf("%v", got)
	}
}

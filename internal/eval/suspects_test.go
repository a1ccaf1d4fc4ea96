package eval

import (
	"fmt"
	"image"
	"strings"
	"testing"
)

// Each kind of wrong label is named once, the surest of each kind in turns; right ones,
// ignored regions and their detections are not.
func TestSuspects(t *testing.T) {
	at := func(x, y, side int) image.Rectangle { return image.Rect(x, y, x+side, y+side) }
	label := func(class string, r image.Rectangle) Object {
		return Object{Box: r, Tags: map[string]string{"class": class}}
	}
	var photos []Photo
	var found [][]Found
	for range 100 { // right ones
		photos = append(photos, Photo{Objects: []Object{label("cup", at(10, 10, 40))}})
		found = append(found, []Found{{Box: at(12, 10, 40), Rank: 5}, {Box: at(80, 80, 30), Rank: -5}})
	}
	photos = append(photos,
		Photo{Objects: []Object{label("cup", at(100, 0, 40)), label("cup", at(0, 100, 40))}}, // 100: nothing at the first
		Photo{Objects: []Object{{Box: at(100, 100, 80), Ignore: true}}},                      // 101: a missing box, and one in an ignored region
		Photo{Objects: []Object{label("cup", at(25, 20, 40)), label("bus", at(100, 0, 40))}}, // 102: shifted, and of another class
		Photo{Objects: []Object{label("cup", at(10, 14, 40)), label("cup", at(10, 10, 40))}}, // 103: double
		Photo{Objects: []Object{label("cup", at(0, 0, 30))}},                                 // 104: nothing but background there
	)
	found = append(found,
		[]Found{{Box: at(0, 100, 40), Rank: 5}},
		[]Found{{Box: at(0, 0, 40), Rank: 6}, {Box: at(120, 120, 40), Rank: 6}},
		[]Found{{Box: at(10, 10, 40), Rank: 5}, {Box: at(100, 0, 40), Rank: 5}},
		[]Found{{Box: at(10, 10, 40), Rank: 5}},
		[]Found{{Box: at(2, 0, 30), Rank: -5}},
	)
	name := func(all []Suspect) string {
		var out []string
		for _, s := range all {
			out = append(out, fmt.Sprintf("%d/%d %v", s.Photo, s.Object, s.Why))
		}
		return strings.Join(out, ", ")
	}
	bus := func(o *Object) bool { return o.Tags["class"] == "bus" }
	const want = "100/0 no object, 101/-1 missing box, 102/0 wrong box, 102/1 wrong class, 103/0 double box, 104/0 no object"
	if got := name(Suspects(photos, found, bus, nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// Probabilities are taken as they are, and detections alone are no doubt.
	for p := range found {
		for i := range found[p] {
			found[p][i].Rank = (found[p][i].Rank + 6) / 12
		}
	}
	if got := name(Suspects(photos[:100], found[:100], nil, nil)); got != "" {
		t.Errorf("of right labels: %s", got)
	}
	if got := Suspects(photos, make([][]Found, len(photos)), bus, nil); len(got) != 106 {
		t.Errorf("where nothing is found: %s", name(got))
	}
}

// With fits a label that is not found but frames an object well is not suspect, one that
// is found but does not is, in the order of fits; so with what has no label.
func TestSuspectsByFits(t *testing.T) {
	label := Object{Box: image.Rect(10, 10, 50, 50)}
	f := Found{Box: label.Box, Rank: 0.9}
	photos := []Photo{{Objects: []Object{label}}, {Objects: []Object{label}}, {Objects: []Object{label}}, {Objects: []Object{label}}, {}, {}}
	found := [][]Found{{f}, {f}, {}, {}, {f}, {{Box: label.Box, Rank: 0.05}}}
	fits := &Fits{Labels: [][]float64{{2}, {-4.5}, {2}, {-4}, {}, {}}, Found: [][]float64{{0}, {0}, {}, {}, {-3}, {9}}}
	var got []string
	for _, s := range Suspects(photos, found, nil, fits) {
		got = append(got, fmt.Sprintf("%d %v", s.Photo, s.Why))
	}
	const want = "5 missing box, 1 wrong box, 3 no object"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

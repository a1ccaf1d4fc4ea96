package input

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/samples"
)

func sentences(all []Doubt) string {
	var b strings.Builder
	for _, d := range all {
		fmt.Fprintln(&b, d)
	}
	return b.String()
}

// Copies of a box, boxes of the whole picture, tiny and far too wide ones are named,
// with what to do.
func TestDoubts(t *testing.T) {
	var photos []samples.Photo
	for i := range 20 {
		photos = append(photos, samples.Photo{File: fmt.Sprintf("%d.png", i), Objects: []samples.Object{{Box: image.Rect(10, 10, 30, 30)}}})
	}
	size := func(string) (image.Point, error) { return image.Pt(100, 100), nil }
	if all := Doubts(photos, size); all != nil {
		t.Errorf("good boxes: %v", all)
	}
	for range 8 {
		photos[3].Objects = append(photos[3].Objects, photos[3].Objects[0])
	}
	photos[4].Objects[0].Box = image.Rect(5, 5, 8, 8)
	photos[5].Objects[0].Box = image.Rect(0, 0, 100, 100)
	photos[6].Objects[0].Box = image.Rect(10, 10, 90, 30)
	got := sentences(Doubts(photos, size))
	clitest.Contains(t, got,
		"8 of 28 boxes: copies of a box in the same picture, such as 3.png: (10,10) 20x20: they count once",
		"1 of 28 boxes: boxes with a side of less than 8 pixels, such as 4.png: (5,5) 3x3",
		"1 of 28 boxes: boxes of the whole picture, such as 5.png",
		"1 of 28 boxes: boxes whose shape is far from the others' (width 1.00 times the height), such as 6.png: (10,10) 80x20",
	)
	if len(photos[3].Objects) != 1 {
		t.Errorf("%d copies of a box are left", len(photos[3].Objects))
	}
	for i := range photos {
		photos[i].Objects[0].Box = image.Rect(0, 10, 90, 30)
	}
	if got := sentences(Doubts(photos, size)); !strings.Contains(got, "boxes are 4.5 times as wide as high") {
		t.Errorf("wide boxes: %q", got)
	}
}

// Several classes are named with their counts, and refused unless -where chooses.
func TestCheckClasses(t *testing.T) {
	photo := func(classes ...string) samples.Photo {
		var p samples.Photo
		for _, c := range classes {
			p.Objects = append(p.Objects, samples.Object{Tags: map[string]string{"class": c}})
		}
		return p
	}
	photos := []samples.Photo{photo("cat", "dog"), photo("cat"), photo("mug")}
	err := CheckClasses(photos, nil)
	if want := "3 classes: cat (2), dog (1), mug (1). A cascade finds one kind: choose it with -where class=cat and train one for each, as auto -out FOLDER does, or take all as one kind with -where class=cat,dog,mug"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	if err := CheckClasses(photos, []string{"class=dog"}); err != nil {
		t.Error(err)
	}
	if err := CheckClasses(photos[1:2], nil); err != nil {
		t.Error(err)
	}
}

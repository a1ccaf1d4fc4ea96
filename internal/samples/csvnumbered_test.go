package samples

import (
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// Points may be numbered instead of named, beside a box and columns that only
// resemble a point's.
func TestNumberedMarks(t *testing.T) {
	photos := must.Get(readCSV(strings.NewReader("file,x1,y1,x10,y10,x,y,width,height,xa,ya,x3\na.png,1,2,3,4,5,6,7,8,9,10,11\n"), "t.csv", boxesOrLandmarks))
	o := photos[0].Objects[0]
	if want := []Point{{1, 2}, {3, 4}}; !slices.Equal(o.Marks, want) {
		t.Errorf("the points are %v, want %v", o.Marks, want)
	}
	if o.Box.Min.X != 5 || o.Box.Dy() != 8 || o.Tags["xa"] != "9" || o.Tags["x3"] != "11" {
		t.Errorf("the object is %+v", o)
	}
}

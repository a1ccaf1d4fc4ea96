//go:build gocv

package gocvmat

import (
	"cmp"
	"fmt"
	"image"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"haarlem/internal/must"
	"haarlem/opencv"
)

// Cascades of Debian's package opencv-data: Haar features of stumps and of trees, tilted
// ones, and local binary patterns.
var stock = []string{
	"haarcascades/haarcascade_frontalface_default.xml", "haarcascades/haarcascade_frontalface_alt2.xml",
	"haarcascades/haarcascade_eye_tree_eyeglasses.xml", "haarcascades/haarcascade_smile.xml", "lbpcascades/lbpcascade_frontalface_improved.xml",
}

// sorted returns boxes in an order of their own: OpenCV's is any with several threads,
// and gocv cannot ask for one. The C++ test in capi compares the order.
func sorted(boxes []image.Rectangle) []image.Rectangle {
	return slices.SortedFunc(slices.Values(boxes), func(a, b image.Rectangle) int {
		return cmp.Or(cmp.Compare(a.Min.X, b.Min.X), cmp.Compare(a.Min.Y, b.Min.Y), cmp.Compare(a.Max.X, b.Max.X), cmp.Compare(a.Max.Y, b.Max.Y))
	})
}

// Both packages find what gocv finds.
func TestGocv(t *testing.T) {
	whole := gocv.IMRead("../../samples/group.png", gocv.IMReadColor)
	defer whole.Close()
	r := rand.New(rand.NewPCG(1, 2))
	calls, found := 0, 0
	for _, name := range stock {
		path := filepath.Join("/usr/share/opencv4", name)
		theirs, mats, images := gocv.NewCascadeClassifier(), NewCascadeClassifier(), opencv.NewCascadeClassifier()
		if !theirs.Load(path) || !mats.Load(path) || !images.Load(path) {
			t.Fatalf("%s is not loaded; it is in the package opencv-data", path)
		}
		for call := range 20 {
			size := image.Pt(20+r.IntN(300), 20+r.IntN(220))
			if call == 0 {
				size = image.Pt(whole.Cols(), whole.Rows())
			}
			at := image.Pt(r.IntN(whole.Cols()-size.X+1), r.IntN(whole.Rows()-size.Y+1))
			picture := whole.Region(image.Rectangle{at, at.Add(size)}) // with gaps between rows
			img := must.Get(picture.ToImage())
			switch call % 3 {
			case 1:
				grey := gocv.NewMat()
				gocv.CvtColor(picture, &grey, gocv.ColorBGRToGray)
				picture = grey
			case 2:
				grey := gocv.NewMat()
				gocv.CvtColor(whole, &grey, gocv.ColorBGRToGray)
				picture = grey.Region(image.Rectangle{at, at.Add(size)})
			}
			scale, n := 1.03+r.Float64()/2, r.IntN(5)-1
			smallest, largest := image.Pt(r.IntN(40), r.IntN(40)), image.Pt(r.IntN(3)/2*r.IntN(200), r.IntN(200))
			want := theirs.DetectMultiScaleWithParams(picture, scale, n, 0, smallest, largest)
			where := fmt.Sprintf("%s, %v of %v: scale %v, %d neighbors, %v to %v", name, at, size, scale, n, smallest, largest)
			for kind, got := range map[string][]image.Rectangle{
				"gocvmat": mats.DetectMultiScaleWithParams(picture, scale, n, 0, smallest, largest),
				"opencv":  images.DetectMultiScaleWithParams(img, scale, n, 0, smallest, largest),
			} {
				if !slices.Equal(sorted(got), sorted(want)) {
					t.Errorf("%s: %s: %d boxes that differ from OpenCV's %d", kind, where, len(got), len(want))
				}
			}
			if call == 0 {
				want := theirs.DetectMultiScale(picture)
				if got := mats.DetectMultiScale(picture); !slices.Equal(sorted(got), sorted(want)) {
					t.Errorf("%s: %v, want %v", where, got, want)
				}
			}
			calls += 2
			found += len(want)
		}
		theirs.Close()
		mats.Close()
		images.Close()
	}
	if t.Logf("%d calls, %d rectangles", calls, found); found < 500 {
		t.Error("that proves little")
	}
}

func TestGocvGroupRectangles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 300 {
		var all []image.Rectangle
		for range 1 + r.IntN(80) {
			at := image.Pt(r.IntN(80)-20, r.IntN(80)-20)
			all = append(all, image.Rectangle{at, at.Add(image.Pt(1+r.IntN(50), 1+r.IntN(50)))})
		}
		threshold, eps := r.IntN(5)-1, []float64{0.2, 0.2, r.Float64()}[r.IntN(3)]
		want := gocv.GroupRectangles(all, threshold, eps)
		found += len(want)
		if got := GroupRectangles(all, threshold, eps); !slices.Equal(got, want) {
			t.Fatalf("%v with %d and %v: %v, want %v", all, threshold, eps, got, want)
		}
	}
	if found < 1000 {
		t.Errorf("%d rectangles prove little", found)
	}
}

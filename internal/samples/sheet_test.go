package samples

import (
	"image"
	"image/color"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

func TestSheet(t *testing.T) {
	windows := []*image.Gray{picturetest.Even(4, 3, 10), picturetest.Even(4, 3, 200), nil, picturetest.Even(2, 2, 90)}
	windows[0].SetGray(1, 2, color.Gray{255})
	s := Sheet(windows, 3, 5).(*image.Gray)
	if want := image.Rect(0, 0, 3*(4*5+2)+2, 2*(3*5+2)+2); s.Rect != want {
		t.Fatalf("a sheet of %v, want %v", s.Rect, want)
	}
	for _, c := range []struct {
		x, y int
		want uint8
	}{
		{0, 0, 40}, {2, 2, 10}, {21, 16, 10}, {22, 16, 40},
		{6, 12, 10}, {7, 12, 255}, {11, 16, 255}, {12, 16, 10}, // the white pixel, 5 by 5
		{24, 2, 200}, {46, 2, 40}, {2, 19, 90}, {11, 28, 90}, {12, 28, 40},
	} {
		if got := s.GrayAt(c.x, c.y).Y; got != c.want {
			t.Errorf("pixel %d,%d is %d, want %d", c.x, c.y, got, c.want)
		}
	}
	// Captions take space in their rows alone, and are cut off, not drawn over
	// the next one.
	with := Sheet(windows, 3, 5, "abcdefgh").(*image.Gray)
	if got, want := with.Rect.Dy(), s.Rect.Dy()+14; got != want {
		t.Errorf("a sheet with captions is %d high, want %d", got, want)
	}
	letters := 0
	for y := 17; y < 31; y++ {
		for x := range with.Rect.Dx() {
			if with.GrayAt(x, y).Y == 220 {
				letters++
				if x >= 22 {
					t.Fatalf("letters at %d,%d, below the next window", x, y)
				}
			}
		}
	}
	if letters < 10 || with.GrayAt(2, 19+14).Y != 90 {
		t.Errorf("%d pixels of letters", letters)
	}
	if s := Sheet(nil, 0, 0, "a"); s.Bounds().Empty() {
		t.Error("a sheet of nothing is empty, which no encoder likes")
	}
}

func TestMean(t *testing.T) {
	if got := Mean([]*image.Gray{picturetest.Even(3, 2, 10), picturetest.Even(3, 2, 11), picturetest.Even(3, 2, 20)}); got.Rect != image.Rect(0, 0, 3, 2) || got.Pix[5] != 14 {
		t.Errorf("%v %v, want 14", got.Rect, got.Pix)
	}
	if Mean(nil) != nil {
		t.Error("the mean of nothing")
	}
	if must.Recover(func() { Mean([]*image.Gray{picturetest.Even(3, 2, 10), picturetest.Even(2, 3, 10)}) }) == nil {
		t.Error("windows of several sizes have no mean, and there was no panic")
	}
}

package demo

import (
	"image"
	"testing"

	"haarlem/cascade/detector"
)

func TestMatch(t *testing.T) {
	truth := []image.Rectangle{image.Rect(0, 0, 10, 10), image.Rect(50, 0, 60, 10)}
	found := []detector.Detection{
		{Box: image.Rect(1, 0, 11, 10)},  // the first
		{Box: image.Rect(0, 0, 10, 10)},  // the first again: a false positive
		{Box: image.Rect(56, 0, 66, 10)}, // too little of the second
	}
	if hits, alarms := match(truth, found); hits != 1 || alarms != 2 {
		t.Errorf("%d hits and %d false positives, want 1 and 2", hits, alarms)
	}
}

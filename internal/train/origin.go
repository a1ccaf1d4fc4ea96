package train

import (
	"image"
	"slices"
)

// An Origin says where a mined window lies.
type Origin struct {
	Picture int             // index in [Data].Backgrounds, or ValidationBackgrounds
	Box     image.Rectangle // in the picture as it is, in its original orientation
}

// A Negative is a window of a background.
type Negative struct {
	Window *image.Gray
	Origin Origin
}

// windowsOf returns the windows without their origins.
func windowsOf(all []Negative) []*image.Gray {
	windows := make([]*image.Gray, len(all))
	for i := range all {
		windows[i] = all[i].Window
	}
	return windows
}

// negativeWindows are the windows of the step's negatives.
func (t *trainer) negativeWindows() []*image.Gray {
	windows := make([]*image.Gray, len(t.negatives))
	for i := range t.negatives {
		windows[i] = t.negatives[i].Window
	}
	return windows
}

// packed returns origins as a checkpoint holds them: picture and box, five numbers each.
func packed(negatives []negative) []int32 {
	all := make([]int32, 0, 5*len(negatives))
	for i := range negatives {
		o := &negatives[i].Origin
		for _, v := range [5]int{o.Picture, o.Box.Min.X, o.Box.Min.Y, o.Box.Max.X, o.Box.Max.Y} {
			all = append(all, int32(v))
		}
	}
	return all
}

// unpacked is the inverse of packed.
func unpacked(all []int32) []Origin {
	var origins []Origin
	for v := range slices.Chunk(all, 5) {
		origins = append(origins, Origin{int(v[0]), image.Rect(int(v[1]), int(v[2]), int(v[3]), int(v[4]))})
	}
	return origins
}

// A negative is a window that the cascade passed, with its running score.
type negative struct {
	Negative
	score float64
	fails bool // rejected by thresholds set since
}

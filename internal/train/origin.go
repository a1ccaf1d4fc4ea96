package train

import (
	"image"
)

// An Origin says where a mined window lies.
type Origin struct {
	Picture int             // index in [Data].Backgrounds, or ValidationBackgrounds; -1 if unknown
	Box     image.Rectangle // in the picture as it is, whatever its turn; empty if unknown
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

// unpacked returns n origins. Older checkpoints have none.
func unpacked(all []int32, n int) []Origin {
	origins := make([]Origin, n)
	for i := range origins {
		if len(all) != 5*n {
			origins[i].Picture = -1
			continue
		}
		v := all[5*i:]
		origins[i] = Origin{int(v[0]), image.Rectangle{image.Pt(int(v[1]), int(v[2])), image.Pt(int(v[3]), int(v[4]))}}
	}
	return origins
}

// A negative is a window that the cascade passed, with its running score.
type negative struct {
	Negative
	score float64
	fails bool // rejected by thresholds set since
}

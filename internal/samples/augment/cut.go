package augment

import "haarlem/internal/splitmix"

// cutOff ends the image inside the window, on one side or two adjacent ones.
func (m *renderer) cutOff(j *Effects, d splitmix.Source, v *view) {
	if !d.Chance(j.Cut) {
		return
	}
	left, right, top, bottom := 0, v.canvasWidth, 0, v.canvasHeight // what is left
	sides := 1
	if d.Chance(0.25) {
		sides = 2
	}
	first := d.IntN(4)
	for s := range sides {
		share := d.Between(0.03, 0.3)
		across := int(float64(share * float64(v.canvasWidth)))
		down := int(float64(share * float64(v.canvasHeight)))
		switch (first + s) % 4 {
		case 0:
			left = across
		case 1:
			top = down
		case 2:
			right -= across
		case 3:
			bottom -= down
		}
	}
	kind := d.IntN(3)
	level := [4]byte{0, 255, 128, byte(d.IntN(256))}[d.IntN(4)]
	for y := range v.canvasHeight {
		for x := range v.canvasWidth {
			if x >= left && x < right && y >= top && y < bottom {
				continue
			}
			fill := level
			switch kind {
			case 1: // the last pixel
				fill = m.bytes[max(top, min(y, bottom-1))*v.canvasWidth+max(left, min(x, right-1))]
			case 2: // mirrored
				fill = m.bytes[(top+folded(y-top, bottom-top))*v.canvasWidth+left+folded(x-left, right-left)]
			}
			m.bytes[y*v.canvasWidth+x] = fill
		}
	}
}

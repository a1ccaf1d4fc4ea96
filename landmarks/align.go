package landmarks

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// Upright returns the frame of a detector's box, rotated about the midpoint of
// two of the object's points, its eyes, so that they are level in the frame,
// with the left one in the image first. Equal points leave it unchanged.
func Upright(box image.Rectangle, left, right Point) Frame {
	w, h := float64(box.Dx()), float64(box.Dy())
	f := Frame{X: float64(box.Min.X) + w/2, Y: float64(box.Min.Y) + h/2, A: math.Sqrt(float64(w * h))}
	dx, dy := right.X-left.X, right.Y-left.Y
	d := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if d == 0 {
		return f
	}
	cos, sin := dx/d, dy/d
	mx, my := (left.X+right.X)/2, (left.Y+right.Y)/2
	x, y := f.X-mx, f.Y-my
	f.X = mx + (float64(cos*x) - float64(sin*y))
	f.Y = my + (float64(sin*x) + float64(cos*y))
	f.A, f.B = float64(f.A*cos), float64(f.A*sin)
	return f
}

// Crop returns the content of a frame, measured from img's upper left corner,
// at side by side pixels. Each is interpolated between four pixels of img, or
// an average where img is finer. Outside img its border is repeated. The frame
// must have a side, and neither img nor side may be empty.
func Crop(img image.Image, f Frame, side int) *image.RGBA {
	b := img.Bounds()
	size := f.Side()
	if b.Empty() || side < 1 || !(size > 0) || math.IsInf(size, 0) {
		panic(fmt.Sprintf("landmarks: a crop of %d pixels of the frame %v of a picture of %v", side, f, b.Size()))
	}
	out := image.NewRGBA(image.Rect(0, 0, side, side))
	n := int(min(max(math.Ceil(size/float64(side)-0.25), 1), 8)) // samples per pixel, each way
	for y := range side {
		for x := range side {
			var sum [4]float64
			for j := range n {
				for i := range n {
					p := f.At(
						(float64(x)+(float64(i)+0.5)/float64(n))/float64(side)-0.5,
						(float64(y)+(float64(j)+0.5)/float64(n))/float64(side)-0.5,
					)
					mixInto(&sum, img, b, p.X-0.5, p.Y-0.5)
				}
			}
			level := func(v float64) uint8 { return uint8(math.Floor(v/float64(n*n)/257 + 0.5)) }
			out.SetRGBA(x, y, color.RGBA{level(sum[0]), level(sum[1]), level(sum[2]), level(sum[3])})
		}
	}
	return out
}

// mixInto adds a bilinear sample.
func mixInto(sum *[4]float64, img image.Image, b image.Rectangle, x, y float64) {
	x, y = min(max(x, 0), float64(b.Dx()-1)), min(max(y, 0), float64(b.Dy()-1))
	x0, y0 := math.Floor(x), math.Floor(y)
	u, v := x-x0, y-y0
	for j := range 2 {
		for i := range 2 {
			w := float64(math.Abs(1-float64(i)-u) * math.Abs(1-float64(j)-v))
			if w == 0 {
				continue
			}
			r, g, bl, a := img.At(b.Min.X+int(x0)+i, b.Min.Y+int(y0)+j).RGBA()
			sum[0] += float64(w * float64(r))
			sum[1] += float64(w * float64(g))
			sum[2] += float64(w * float64(bl))
			sum[3] += float64(w * float64(a))
		}
	}
}

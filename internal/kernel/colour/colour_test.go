package colour

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
)

// fenced returns planes of n elements, and a check of what is in them. Nothing beside them
// may be written.
func fenced(t *testing.T, rng *rand.Rand, planes, n int) (all [][]byte, check func(want func(i int) []byte)) {
	var fences []*guard.Fence[byte]
	for range planes {
		fences = append(fences, guard.NewFence[byte](n, rng.IntN(64)))
		all = append(all, fences[len(fences)-1].Slice())
	}
	return all, func(want func(i int) []byte) {
		for i := range n {
			for p, w := range want(i) {
				if got := all[p][i]; got != w {
					t.Fatalf("pixel %d of %d: plane %d has %d, want %d", i, n, p, got, w)
				}
			}
		}
		for _, f := range fences {
			if broken := f.Broken(0, n); broken != "" {
				t.Fatal(broken)
			}
		}
	}
}

// Grey and YCbCr compute what the image packages do, for any number of pixels, opaque ones
// and others, read nothing behind the last one and write nothing else.
func TestPlanes(t *testing.T) {
	rng, wall := kerneltest.Rand(t), guard.NewWall(t, 1024)
	for k := range 2000 {
		n, premultiplied, opaque := k%(4*16+2), rng.IntN(3) == 0, rng.IntN(2) == 0
		pixels := guard.End[byte](wall, 4*n)
		for i := range pixels {
			switch pixels[i] = byte(rng.Uint32()); {
			case i%4 == 3 && (opaque || rng.IntN(3) > 0):
				pixels[i] = 255
			case rng.IntN(4) == 0:
				pixels[i] = byte(-rng.IntN(2))
			}
		}
		planes, check := fenced(t, rng, 4, n)
		if where := guard.Faults(func() {
			Grey(planes[0], pixels, premultiplied)
			YCbCr(planes[1], planes[2], planes[3], pixels, premultiplied)
		}); where != "" {
			t.Fatal(where)
		}
		var m image.Image = &image.NRGBA{Pix: pixels, Rect: image.Rect(0, 0, n, 1)}
		if premultiplied {
			m = &image.RGBA{Pix: pixels, Rect: image.Rect(0, 0, n, 1)}
		}
		check(func(i int) []byte {
			r, g, b, _ := m.At(i, 0).RGBA()
			y, cb, cr := color.RGBToYCbCr(byte(r>>8), byte(g>>8), byte(b>>8))
			return []byte{color.GrayModel.Convert(m.At(i, 0)).(color.Gray).Y, y, cb, cr}
		})
	}
}

// OpenCV and Chroma do so for pixels of 3 and 4 bytes in both orders.
func TestOrders(t *testing.T) {
	rng, wall := kerneltest.Rand(t), guard.NewWall(t, 1024)
	for k := range 2000 {
		n, size, blueFirst := k%(4*32+5), 3+rng.IntN(2), rng.IntN(2) == 0
		pixels := guard.End[byte](wall, size*n)
		for i := range pixels {
			if pixels[i] = byte(rng.Uint32()); rng.IntN(4) == 0 {
				pixels[i] = byte(-rng.IntN(2))
			}
		}
		planes, check := fenced(t, rng, 3, n)
		if where := guard.Faults(func() {
			OpenCV(planes[0], pixels, size, blueFirst)
			Chroma(planes[1], planes[2], pixels, size, blueFirst)
		}); where != "" {
			t.Fatal(where)
		}
		check(func(i int) []byte {
			p := pixels[size*i:]
			r, g, b := p[0], p[1], p[2]
			if blueFirst {
				r, b = b, r
			}
			_, cb, cr := color.RGBToYCbCr(r, g, b)
			return []byte{byte((9798*int(r) + 19235*int(g) + 3735*int(b) + 1<<14) >> 15), cb, cr}
		})
	}
}

func TestRefuses(t *testing.T) {
	for name, f := range map[string]func(){
		"few pixels":  func() { Grey(make([]byte, 3), make([]byte, 11), true) },
		"many pixels": func() { YCbCr(make([]byte, 3), make([]byte, 3), make([]byte, 3), make([]byte, 13), true) },
		"few of Cb":   func() { YCbCr(make([]byte, 3), make([]byte, 2), make([]byte, 3), make([]byte, 12), true) },
		"two bytes":   func() { OpenCV(make([]byte, 3), make([]byte, 6), 2, true) },
		"few of Cr":   func() { YCbCr(make([]byte, 3), make([]byte, 3), make([]byte, 2), make([]byte, 12), true) },
	} {
		if must.Recover(f) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

package colour

import (
	"image"
	"image/color"
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// compare compares planes with what pixels of them should be.
func compare(t *testing.T, planes [][]byte, want func(i int) []byte) {
	t.Helper()
	for i := range planes[0] {
		for p, w := range want(i) {
			if got := planes[p][i]; got != w {
				t.Fatalf("pixel %d of %d: plane %d has %d, want %d", i, len(planes[0]), p, got, w)
			}
		}
	}
}

// planes returns n planes of so many elements.
func planes(m *kerneltest.Memory, n, size int) (all [][]byte) {
	for range n {
		all = append(all, kerneltest.Out[byte](m, size))
	}
	return all
}

// Grey and YCbCr compute what the image packages do, for any number of pixels, opaque ones
// and others, read nothing behind the last one and write nothing else.
func TestPlanes(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for k := range 2000 {
			n, premultiplied, opaque := k%(4*16+2), m.IntN(3) == 0, m.IntN(2) == 0
			pixels := kerneltest.In[byte](m, 4*n)
			for i := range pixels {
				switch {
				case i%4 == 3 && (opaque || m.IntN(3) > 0):
					pixels[i] = 255
				case m.IntN(4) == 0:
					pixels[i] = byte(-m.IntN(2))
				}
			}
			p := planes(m, 4, n)
			m.Call(func() {
				Grey(p[0], pixels, premultiplied)
				YCbCr(p[1], p[2], p[3], pixels, premultiplied)
			})
			var picture image.Image = &image.NRGBA{Pix: pixels, Rect: image.Rect(0, 0, n, 1)}
			if premultiplied {
				picture = &image.RGBA{Pix: pixels, Rect: image.Rect(0, 0, n, 1)}
			}
			compare(t, p, func(i int) []byte {
				r, g, b, _ := picture.At(i, 0).RGBA()
				y, cb, cr := color.RGBToYCbCr(byte(r>>8), byte(g>>8), byte(b>>8))
				return []byte{color.GrayModel.Convert(picture.At(i, 0)).(color.Gray).Y, y, cb, cr}
			})
		}
	})
}

// OpenCV and Chroma do so for pixels of 3 and 4 bytes in both orders.
func TestOrders(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for k := range 2000 {
			n, size, blueFirst := k%(4*32+5), 3+m.IntN(2), m.IntN(2) == 0
			pixels := kerneltest.In[byte](m, size*n)
			for i := range pixels {
				if m.IntN(4) == 0 {
					pixels[i] = byte(-m.IntN(2))
				}
			}
			p := planes(m, 3, n)
			m.Call(func() {
				OpenCV(p[0], pixels, size, blueFirst)
				Chroma(p[1], p[2], pixels, size, blueFirst)
			})
			compare(t, p, func(i int) []byte {
				p := pixels[size*i:]
				r, g, b := p[0], p[1], p[2]
				if blueFirst {
					r, b = b, r
				}
				_, cb, cr := color.RGBToYCbCr(r, g, b)
				return []byte{byte((9798*int(r) + 19235*int(g) + 3735*int(b) + 1<<14) >> 15), cb, cr}
			})
		}
	})
}

func TestRefuses(t *testing.T) {
	kerneltest.Refuses(t, map[string]func(){
		"few pixels":  func() { Grey(make([]byte, 3), make([]byte, 11), true) },
		"many pixels": func() { YCbCr(make([]byte, 3), make([]byte, 3), make([]byte, 3), make([]byte, 13), true) },
		"few of Cb":   func() { YCbCr(make([]byte, 3), make([]byte, 2), make([]byte, 3), make([]byte, 12), true) },
		"two bytes":   func() { OpenCV(make([]byte, 3), make([]byte, 6), 2, true) },
		"few of Cr":   func() { YCbCr(make([]byte, 3), make([]byte, 3), make([]byte, 2), make([]byte, 12), true) },
	})
}

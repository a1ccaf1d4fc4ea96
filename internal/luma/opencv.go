package luma

// OpenCV's weights of colours, in 1/32768 (color_rgb.simd.hpp of OpenCV 4).
const (
	blueWeight  = 3735
	greenWeight = 19235
	redWeight   = 9798
	half        = 1 << 14
)

// OpenCV sets dst to the grey levels of pixels of 3 or 4 bytes, as OpenCV's cvtColor
// does. Of a pixel, the first byte is red, or blue if blueFirst.
func OpenCV(dst, pixels []byte, size int, blueFirst bool) {
	first, third := uint32(redWeight), uint32(blueWeight)
	if blueFirst {
		first, third = third, first
	}
	for i := range dst {
		p := pixels[size*i:][:3:3]
		dst[i] = byte((first*uint32(p[0]) + greenWeight*uint32(p[1]) + third*uint32(p[2]) + half) >> 15)
	}
}

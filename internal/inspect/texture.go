package inspect

import "image"

// The size of Texture's picture.
const TextureWidth, TextureHeight = 640, 480

// Texture draws a grey image as busy as a photograph of a room: smooth noise of
// many sizes, the large stronger than the fine, and boxes with sharp edges.
// Costs of cascades can be compared on it. It is drawn with integers, so it is
// the same everywhere.
func Texture() *image.Gray {
	g := image.NewGray(image.Rect(0, 0, TextureWidth, TextureHeight))
	for y := range TextureHeight {
		for x := range TextureWidth {
			v := 0
			for k := uint(1); k <= 7; k++ {
				v += (smoothNoise(uint64(k), x, y, k) - 128) << k
			}
			v /= 96
			// One box in three cells of 80x60 is darker or lighter.
			if r := scatter(9, x/80, y/60); r%3 == 0 {
				dx, dy := x%80-int(r>>8%20), y%60-int(r>>16%15)
				if dx >= 0 && dx < 20+int(r>>24%40) && dy >= 0 && dy < 15+int(r>>32%30) {
					v += int(r>>40%160) - 80
				}
			}
			g.Pix[y*g.Stride+x] = byte(min(max(128+v, 0), 255))
		}
	}
	return g
}

// smoothNoise is noise from 0 to 255, smooth between the points of a grid of
// 1<<k pixels.
func smoothNoise(seed uint64, x, y int, k uint) int {
	n := 1 << k
	at := func(dx, dy int) int { return int(scatter(seed, x>>k+dx, y>>k+dy) >> 56) }
	fx, fy := x&(n-1), y&(n-1)
	top := at(0, 0)*(n-fx) + at(1, 0)*fx
	bottom := at(0, 1)*(n-fx) + at(1, 1)*fx
	return (top*(n-fy) + bottom*fy) >> (2 * k)
}

// scatter is a hash of a position.
func scatter(seed uint64, x, y int) uint64 {
	z := seed<<48 ^ uint64(x)<<24 ^ uint64(y)
	for range 2 {
		z = (z ^ z>>31) * 0x9fb21c651e98df25
	}
	return z ^ z>>29
}

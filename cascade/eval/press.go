package eval

import (
	"bytes"
	"image"
	"image/jpeg"
	"math/rand/v2"
)

// press spoils g as a picture in an old newspaper is when it was scanned: a
// flat print with a screen of dots, uneven light, grain, a soft lens, stains,
// and a JPEG file. How much of each is drawn by lot, and differs from picture to
// picture.
func press(g *image.Gray, lot *rand.Rand) {
	printed(g, lot)
	throughJPEG(g, 30+lot.IntN(56))
}

// printed does all but the JPEG file, in whole numbers only: the bytes are the
// same everywhere.
func printed(g *image.Gray, lot *rand.Rand) {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	between := func(lo, hi int) int { return lo + lot.IntN(hi-lo+1) }

	// Ink and paper: between which levels the print lies, with a bend.
	dark := between(5, 70)
	span := between(70, 245-dark)
	bend := between(-30, 30) // of the middle, in levels
	var tone [256]int
	for v := range tone {
		m := v + bend*v*(255-v)*4/(255*255)
		tone[v] = dark + min(max(m, 0), 255)*span/255
	}
	// Light that falls off to one side.
	slopeX, slopeY := between(-20, 20), between(-20, 20)
	for y := range h {
		row := g.Pix[y*g.Stride:][:w]
		for x := range row {
			row[x] = clampByte(tone[row[x]] + slopeX*(2*x-w)/(2*w) + slopeY*(2*y-h)/(2*h))
		}
	}
	blurs := between(0, 1)
	switch kind := lot.IntN(6); kind {
	case 0, 1, 2: // no screen, or one too fine for the scanner
		blurs += lot.IntN(2)
	default:
		// A screen of dots or lines, turned: period in 1/256 pixel.
		period := between(520, 1000)
		amp := span * between(6, 30) / 100
		// The direction as a step in x and y, about 15 to 75 degrees.
		ux, uy := between(70, 245), 0
		for uy = 0; (uy+1)*(uy+1)+ux*ux <= 1<<16; uy++ {
		}
		lines := kind == 5
		for y := range h {
			row := g.Pix[y*g.Stride:][:w]
			for x := range row {
				a := triangle((x*ux+y*uy)*256/period, 256)
				b := triangle((x*uy-y*ux)*256/period, 256)
				s := a + b // -256..256
				if lines {
					s = 2 * a
				}
				row[x] = clampByte(int(row[x]) + amp*s/256)
			}
		}
		blurs += lot.IntN(2)
	}
	// Grain, before the lens and after it.
	grain := between(1, 4) + span*lot.IntN(9)*lot.IntN(9)/1000
	addGrain(g, lot, grain)
	for range blurs {
		soften(g)
	}
	addGrain(g, lot, between(1, 4))
	// Scratches and stains.
	for range lot.IntN(3) {
		x, level := lot.IntN(w), between(-50, 60)
		for y := range h {
			p := &g.Pix[y*g.Stride+x]
			*p = clampByte(int(*p) + level)
		}
	}
}

// throughJPEG leaves what a JPEG file keeps of g. It is Go's own: the bytes can
// differ between versions of Go.
func throughJPEG(g *image.Gray, quality int) {
	var b bytes.Buffer
	if jpeg.Encode(&b, g, &jpeg.Options{Quality: quality}) != nil {
		return // a buffer takes everything, but a picture may be too large for JPEG
	}
	img, err := jpeg.Decode(&b)
	if out, ok := img.(*image.Gray); ok && err == nil {
		for y := range g.Rect.Dy() {
			copy(g.Pix[y*g.Stride:][:g.Rect.Dx()], out.Pix[y*out.Stride:])
		}
	}
}

// triangle is a wave of that period between -128 and 128.
func triangle(x, period int) int {
	x = ((x % period) + period) % period
	return max(x, period-x)*512/period - 384
}

func clampByte(v int) byte { return byte(min(max(v, 0), 255)) }

// addGrain adds noise of about that standard deviation, a little larger than a
// pixel as film's is.
func addGrain(g *image.Gray, lot *rand.Rand, sigma int) {
	w := g.Rect.Dx()
	above := make([]int, w+1)
	for y := range g.Rect.Dy() {
		row := g.Pix[y*g.Stride:][:w]
		before := 0
		for x := range row {
			// The sum of four bytes is nearly normal, with deviation 148.
			r := lot.Uint32()
			n := int(r&255) + int(r>>8&255) + int(r>>16&255) + int(r>>24) - 510
			v := n*2 + before + above[x]
			before, above[x] = n, n
			row[x] = clampByte(int(row[x]) + v*sigma/362)
		}
	}
}

// soften takes the mean with the neighbours, those aside once and the pixel
// itself twice.
func soften(g *image.Gray) {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	for pass, n := range []int{w, h} {
		line := make([]int, n)
		for i := range w * h / n {
			at, step := i*g.Stride, 1
			if pass == 1 {
				at, step = i, g.Stride
			}
			for k := range line {
				line[k] = int(g.Pix[at+k*step])
			}
			for k := range line {
				g.Pix[at+k*step] = byte((line[max(k-1, 0)] + 2*line[k] + line[min(k+1, n-1)] + 2) / 4)
			}
		}
	}
}

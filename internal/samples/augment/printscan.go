package augment

import (
	"bytes"
	"image"
	"image/jpeg"
	"math/rand/v2"
)

// PrintAndScan degrades a whole image like a scanned old newspaper: a flat
// print with a halftone screen, uneven light, grain, a soft lens, scratches and
// a JPEG file. Strengths are random and differ between images.
//
// It is not [Degrader] with [OldPrint]: it uses another random source and
// rounds other integers. It made the mosaics for training and measuring
// built-in models, and their recipes have to give the same bytes.
func PrintAndScan(g *image.Gray, rng *rand.Rand) {
	printed(g, rng)
	throughJPEG(g, 30+rng.IntN(56))
}

// printed does everything but the JPEG file, in integers only, so that the
// bytes are the same on every machine.
func printed(g *image.Gray, rng *rand.Rand) {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	between := func(lo, hi int) int { return lo + rng.IntN(hi-lo+1) }

	// The tone curve between the levels of ink and paper.
	dark := between(5, 70)
	span := between(70, 245-dark)
	bend := between(-30, 30) // of the middle, in levels
	var tone [256]int
	for v := range tone {
		m := v + bend*v*(255-v)*4/(255*255)
		tone[v] = dark + min(max(m, 0), 255)*span/255
	}
	// Light that falls off towards one side.
	slopeX, slopeY := between(-20, 20), between(-20, 20)
	for y := range h {
		row := g.Pix[y*g.Stride:][:w]
		for x := range row {
			row[x] = clampByte(tone[row[x]] + slopeX*(2*x-w)/(2*w) + slopeY*(2*y-h)/(2*h))
		}
	}
	blurs := between(0, 1)
	switch kind := rng.IntN(6); kind {
	case 0, 1, 2: // no screen, or one too fine for the scanner
		blurs += rng.IntN(2)
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
		blurs += rng.IntN(2)
	}
	// Grain, before the lens and after it.
	grain := between(1, 4) + span*rng.IntN(9)*rng.IntN(9)/1000
	addNoise(g, rng, grain)
	for range blurs {
		smooth(g)
	}
	addNoise(g, rng, between(1, 4))
	// Scratches and stains.
	for range rng.IntN(3) {
		x, level := rng.IntN(w), between(-50, 60)
		for y := range h {
			p := &g.Pix[y*g.Stride+x]
			*p = clampByte(int(*p) + level)
		}
	}
}

// throughJPEG encodes and decodes g with image/jpeg, whose bytes can differ
// between versions of Go.
func throughJPEG(g *image.Gray, quality int) {
	var b bytes.Buffer
	if jpeg.Encode(&b, g, &jpeg.Options{Quality: quality}) != nil {
		return // only a picture too large for JPEG fails
	}
	img, err := jpeg.Decode(&b)
	if out, ok := img.(*image.Gray); ok && err == nil {
		for y := range g.Rect.Dy() {
			copy(g.Pix[y*g.Stride:][:g.Rect.Dx()], out.Pix[y*out.Stride:])
		}
	}
}

// triangle is a triangle wave of that period from -128 to 128.
func triangle(x, period int) int {
	x = ((x % period) + period) % period
	return max(x, period-x)*512/period - 384
}

func clampByte(v int) byte { return byte(min(max(v, 0), 255)) }

// addNoise adds noise of about that standard deviation, correlated over
// neighbouring pixels like film grain.
func addNoise(g *image.Gray, rng *rand.Rand, sigma int) {
	w := g.Rect.Dx()
	above := make([]int, w+1)
	for y := range g.Rect.Dy() {
		row := g.Pix[y*g.Stride:][:w]
		before := 0
		for x := range row {
			// The sum of four bytes is nearly normal, with deviation 148.
			r := rng.Uint32()
			n := int(r&255) + int(r>>8&255) + int(r>>16&255) + int(r>>24) - 510
			v := n*2 + before + above[x]
			before, above[x] = n, n
			row[x] = clampByte(int(row[x]) + v*sigma/362)
		}
	}
}

// smooth filters rows and columns with the weights 1, 2, 1.
func smooth(g *image.Gray) {
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

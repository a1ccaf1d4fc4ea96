package inspect

import (
	"image"
	"image/color"
	"slices"

	"haarlem/cascade"
)

// zoomOf is the size of a window's pixel in a map.
func zoomOf(c *cascade.Cascade) int { return max(1, (8*24+c.Width-1)/c.Width) }

// Coverage draws how much c uses each pixel of the window, over base as in Sheet:
// dark blue least, green, yellow most. Each weak classifier counts by the range of
// its outputs, spread over the pixels of its features.
func Coverage(c *cascade.Cascade, base *image.Gray) *image.RGBA {
	base = baseOf(c, base)
	sum := make([]float64, c.Width*c.Height)
	for i := range c.Weak {
		w := &c.Weak[i]
		low, high := leafRange(w)
		features := featuresOf(w)
		for _, f := range features {
			weights := weightsOf(c, f)
			pixels := 0
			for _, v := range weights {
				if v != 0 {
					pixels++
				}
			}
			if pixels == 0 {
				continue
			}
			share := float64(high-low) / float64(len(features)*pixels)
			for k, v := range weights {
				if v != 0 {
					sum[k] += share
				}
			}
		}
	}
	limit := large(sum)
	zoom := zoomOf(c)
	img := image.NewRGBA(image.Rect(0, 0, c.Width*zoom, c.Height*zoom))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			wx, wy := x/zoom, y/zoom
			heat := 0
			if limit > 0 {
				heat = min(int(255*sum[wy*c.Width+wx]/limit+0.5), 255)
			}
			g, h := int(base.Pix[wy*base.Stride+wx]), heatColour(heat)
			part := func(v byte) byte { return byte((g*2 + int(v)*3) / 5) }
			img.SetRGBA(x, y, color.RGBA{part(h.R), part(h.G), part(h.B), 255})
		}
	}
	return img
}

// large returns the 98th percentile of absolute values. The few pixels that
// small features share are much larger, and would reduce the contrast of the
// others.
func large(values []float64) float64 {
	var sizes []float64
	for _, v := range values {
		sizes = append(sizes, max(v, -v))
	}
	slices.Sort(sizes)
	return sizes[len(sizes)-1-len(sizes)/50]
}

// heat is a scale of evenly increasing lightness, readable without colours too.
var heat = [...]color.RGBA{{24, 16, 70, 255}, {48, 74, 140, 255}, {32, 140, 140, 255}, {96, 200, 98, 255}, {253, 231, 37, 255}}

// heatColour returns the colour of a heat from 0 to 255.
func heatColour(v int) color.RGBA {
	at := v * (len(heat) - 1)
	i := min(at/255, len(heat)-2)
	f := at - i*255
	part := func(a, b byte) byte { return byte((int(a)*(255-f) + int(b)*f) / 255) }
	a, b := heat[i], heat[i+1]
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}

// Template draws the object as a Haar cascade sees it: light where outputs
// increase with brightness, dark where they decrease with it, mid-grey
// elsewhere. It takes outputs as linear and ignores the order of exits. It is
// nil for local binary patterns.
func Template(c *cascade.Cascade) *image.Gray {
	if c.Kind != cascade.Haar {
		return nil
	}
	sum := make([]float64, c.Width*c.Height)
	for i := range c.Weak {
		for _, s := range slopes(&c.Weak[i]) {
			weights := Weights(&c.Features[s.feature], c.Width, c.Height)
			size := 0.0
			for _, v := range weights {
				size += float64(max(v, -v))
			}
			if size == 0 {
				continue
			}
			for k, v := range weights {
				sum[k] += float64(s.by * float64(v) / size)
			}
		}
	}
	limit := large(sum)
	zoom := zoomOf(c)
	img := image.NewGray(image.Rect(0, 0, c.Width*zoom, c.Height*zoom))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			v := 0.0
			if limit > 0 {
				v = min(max(sum[y/zoom*c.Width+x/zoom]/limit, -1), 1)
			}
			img.Pix[y*img.Stride+x] = byte(127.5 + float64(127*v))
		}
	}
	return img
}

// A slope is how much an output increases with a feature's value.
type slope struct {
	feature int32
	by      float64
}

// slopes returns the slopes of a weak classifier's features: for a node the
// difference between the mean leaves on its two sides, for a histogram the trend
// over its bins.
func slopes(w *cascade.Weak) []slope {
	if w.Histogram() {
		trend := 0.0
		for i, v := range w.Leaves {
			trend += float64(float64(2*i-len(w.Leaves)+1) * float64(v))
		}
		n := float64(len(w.Leaves))
		return []slope{{w.Feature, 3 * trend / (n * n)}}
	}
	// leaves returns the sum and the number of the leaves below a child.
	var leaves func(c int32) (float64, int)
	leaves = func(c int32) (float64, int) {
		if c <= 0 {
			return float64(w.Leaves[-c]), 1
		}
		l, nl := leaves(w.Nodes[c].Left)
		r, nr := leaves(w.Nodes[c].Right)
		return l + r, nl + nr
	}
	var all []slope
	for _, n := range w.Nodes {
		l, nl := leaves(n.Left)
		r, nr := leaves(n.Right)
		all = append(all, slope{n.Feature, r/float64(nr) - l/float64(nl)})
	}
	return all
}

//go:build (amd64 || arm64) && !purego

package conv8

// A loop computes one block of outputs at all places, or their maxima at so many. D is the
// type of outputs.
type loop[D byte | int32] func(dst *D, src *byte, places *int32, n int, weights *int8, bias, shift *int32, rows, inputs, stride, maxima int)

// blocks runs a loop for each block of outputs: double, if there is one, for two, paired
// where it may, last for half a block.
func blocks[D byte | int32](dst []D, src []byte, p *Places, w *Weights, stride, maxima int, double, paired, whole, last loop[D]) {
	for first, n := 0, 0; first < w.outputs; first += n {
		f := whole
		n = block
		switch {
		case w.outputs-first < block:
			f = last
		case double != nil && w.outputs-first >= 2*block:
			f, n = double, 2*block
		case w.paired[first/block]:
			f = paired
		}
		inputs := w.groups * Group
		f(&dst[first], &src[0], &p.all[0].In, len(p.all), &w.weights[first*w.rows*inputs], &w.bias[first], &w.shift[first], w.rows, inputs, stride, maxima)
	}
}

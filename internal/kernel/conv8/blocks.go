//go:build (amd64 || arm64) && !purego

package conv8

// A loop computes one block of outputs at all places. D is the type of outputs.
type loop[D byte | int32] func(dst *D, src *byte, places *int32, n int, weights *int8, bias, shift *int32, rows, inputs, stride int)

// blocks runs a loop for each block of outputs: paired where it may, last for half a block.
func blocks[D byte | int32](dst []D, src []byte, p *Places, w *Weights, stride int, paired, whole, last loop[D]) {
	for first := 0; first < w.outputs; first += block {
		f := whole
		switch {
		case w.outputs-first < block:
			f = last
		case w.paired[first/block]:
			f = paired
		}
		inputs := w.groups * Group
		f(&dst[first], &src[0], &p.all[0].In, len(p.all), &w.weights[first*w.rows*inputs], &w.bias[first], &w.shift[first], w.rows, inputs, stride)
	}
}

// Package quantize quantizes a feature of many training samples to one byte
// each: the inner loop of preparing a trainer's columns.
package quantize

import "haarlem/internal/cpu"

// Lanes is the number of samples per call.
const Lanes = 128

// A Column is one feature and its quantization.
type Column struct {
	// Corner holds the corners of up to three rectangles, as offsets into the
	// table: a rectangle's sum is t[a] - t[b] - t[c] + t[d]. Offsets count
	// elements; each table cell has Lanes of them.
	Corner [3][4]int32
	Weight [3]float32 // the last is zero where there are two rectangles
	Low    float32    // code 0 ends where (value-Low)*Scale is 1
	Scale  float32
	Max    float32 // the largest code, at most 255
}

// Make quantizes one column. For every i below Lanes, with r[k] the sum of
// rectangle k in table[i:] and every operation rounded to float32,
//
//	v = Weight[0]*r[0] + Weight[1]*r[1]
//	if Weight[2] != 0 { v += Weight[2]*r[2] }
//	dst[i] = byte(min(max((v*inv[i]-Low)*Scale, 0), Max))
func Make(dst *[Lanes]byte, table []int32, inv *[Lanes]float32, c *Column) {
	for _, r := range c.Corner {
		for _, o := range r {
			_ = table[o:][:Lanes]
		}
	}
	if cpu.Current() == cpu.PureGo {
		makeGo(dst, table, inv, c)
		return
	}
	makeColumn(dst, table, inv, c)
}

func makeGo(dst *[Lanes]byte, table []int32, inv *[Lanes]float32, c *Column) {
	var t [3][4][]int32
	for r := range t {
		for k, o := range c.Corner[r] {
			t[r][k] = table[o:][:Lanes]
		}
	}
	a, b := &t[0], &t[1]
	a0, a1, a2, a3 := a[0][:Lanes], a[1][:Lanes], a[2][:Lanes], a[3][:Lanes]
	b0, b1, b2, b3 := b[0][:Lanes], b[1][:Lanes], b[2][:Lanes], b[3][:Lanes]
	var values [Lanes]float32
	u, v := c.Weight[0], c.Weight[1]
	for i := range values {
		values[i] = float32(u*float32(a0[i]-a1[i]-a2[i]+a3[i])) + float32(v*float32(b0[i]-b1[i]-b2[i]+b3[i]))
	}
	if w := c.Weight[2]; w != 0 {
		d0, d1, d2, d3 := t[2][0][:Lanes], t[2][1][:Lanes], t[2][2][:Lanes], t[2][3][:Lanes]
		for i := range values {
			values[i] += float32(w * float32(d0[i]-d1[i]-d2[i]+d3[i]))
		}
	}
	for i, x := range values {
		x = float32(x * inv[i])
		dst[i] = byte(min(max(float32((x-c.Low)*c.Scale), 0), c.Max))
	}
}

package tiles

// weighSums sets dst[i] to the weighted sum of two or three rectangles, whose
// corners are at table[Tile*corner+i].
func weighSums(dst *Lane, table []int32, corner *[3][4]int32, weight *[3]float32) {
	var c [3][4][]int32
	n := 2
	if weight[2] != 0 {
		n = 3
	}
	for r := range c[:n] {
		for k := range c[r] {
			c[r][k] = table[Tile*int(corner[r][k]):][:Tile]
		}
	}
	weigh2(dst[:], &c[0], &c[1], weight[0], weight[1])
	if n == 3 {
		add1(dst[:], &c[2], weight[2])
	}
}

// weigh2 is the inner loop over two rectangles:
//
//	dst[i] = u*rect(a, i) + v*rect(b, i)
//
// with rect(a, i) = a[0][i] - a[1][i] - a[2][i] + a[3][i] in integers, and
// floating point rounded after every operation. The columns of a and b are at
// least as long as dst.
func weigh2(dst []float32, a, b *[4][]int32, u, v float32) {
	n := len(dst)
	a0, a1, a2, a3 := a[0][:n], a[1][:n], a[2][:n], a[3][:n]
	b0, b1, b2, b3 := b[0][:n], b[1][:n], b[2][:n], b[3][:n]
	for i := range dst {
		dst[i] = float32(u*float32(a0[i]-a1[i]-a2[i]+a3[i])) + float32(v*float32(b0[i]-b1[i]-b2[i]+b3[i]))
	}
}

// add1 adds one more rectangle: dst[i] += w*rect(a, i).
func add1(dst []float32, a *[4][]int32, w float32) {
	n := len(dst)
	a0, a1, a2, a3 := a[0][:n], a[1][:n], a[2][:n], a[3][:n]
	for i := range dst {
		dst[i] += float32(w * float32(a0[i]-a1[i]-a2[i]+a3[i]))
	}
}

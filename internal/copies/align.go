package copies

import "math"

const (
	minAgreement = 0.8
	minOverlap   = 0.2
	maxStretch   = 2 // of one direction against another
)

// align improves a map by Gauss-Newton steps on the difference of the textures, until
// they agree. It reports whether they do.
func align(a, b *Sketch, to Affine) (Pair, bool) {
	// m is in pixels of the textures.
	wa, ha, wb, hb := float64(a.across), float64(a.down), float64(b.across), float64(b.down)
	m := Affine{XX: to.XX * wb / wa, XY: to.XY * wb / ha, X: to.X * wb, YX: to.YX * hb / wa, YY: to.YY * hb / ha, Y: to.Y * hb}
	for step := range 12 {
		stride := 1
		if step < 4 {
			stride = 2
		}
		n := compare(a, b, &m, stride)
		overlap, agreement := float64(n.count*stride*stride)/float64(len(a.texture)), n.agreement()
		switch {
		case overlap < minOverlap, step >= 3 && agreement < 0.25, step >= 6 && agreement < 0.5:
			return Pair{}, false
		case stride == 1 && agreement >= minAgreement:
			to = Affine{XX: m.XX * wa / wb, XY: m.XY * ha / wb, X: m.X / wb, YX: m.YX * wa / hb, YY: m.YY * ha / hb, Y: m.Y / hb}
			return Pair{Map: to}, m.stretch() <= maxStretch
		}
		d, ok := n.solve()
		if !ok {
			return Pair{}, false
		}
		m = Affine{XX: m.XX + d[0], XY: m.XY + d[1], X: m.X + d[2], YX: m.YX + d[3], YY: m.YY + d[4], Y: m.Y + d[5]}
	}
	return Pair{}, false
}

// stretch is how much longer a map makes one direction than another.
func (a *Affine) stretch() float64 {
	squares := float64(a.XX*a.XX) + float64(a.XY*a.XY) + float64(a.YX*a.YX) + float64(a.YY*a.YY)
	area := 2 * math.Abs(float64(a.XX*a.YY)-float64(a.XY*a.YX))
	if area == 0 {
		return math.Inf(1)
	}
	r := squares / area // half the sum of the ratio and its inverse
	return r + math.Sqrt(max(float64(r*r)-1, 0))
}

// normal has the sums over the pixels in which two textures overlap.
type normal struct {
	count            int
	a, b, aa, bb, ab float64
	equations        [6][7]float64 // of Gauss and Newton, the upper half
}

// compare goes over every stride-th pixel of every stride-th row of a.
func compare(a, b *Sketch, m *Affine, stride int) *normal {
	n := &normal{}
	across, down, wide, high := int(a.across), int(a.down), int(b.across), int(b.down)
	for y := 0; y < down; y += stride {
		for x := 0; x < across; x += stride {
			px, py := float64(x)+0.5, float64(y)+0.5
			u, v := m.At(px, py)
			u, v = u-0.5, v-0.5
			if !(u >= 0 && v >= 0 && u < float64(wide-1) && v < float64(high-1)) {
				continue
			}
			at := int(v)*wide + int(u)
			fu, fv := u-float64(int(u)), v-float64(int(v))
			p, q := float64(b.texture[at]), float64(b.texture[at+1])
			r, s := float64(b.texture[at+wide]), float64(b.texture[at+wide+1])
			top, bottom := p+float64(fu*(q-p)), r+float64(fu*(s-r))
			is, want := top+float64(fv*(bottom-top)), float64(a.texture[y*across+x])
			gu, gv := q-p+float64(fv*(s-r-q+p)), bottom-top
			n.count++
			n.a, n.b = n.a+want, n.b+is
			n.aa, n.bb, n.ab = n.aa+float64(want*want), n.bb+float64(is*is), n.ab+float64(want*is)
			d := [7]float64{gu * px, gu * py, gu, gv * px, gv * py, gv, want - is}
			for i := range 6 {
				for j := i; j < 7; j++ {
					n.equations[i][j] += float64(d[i] * d[j])
				}
			}
		}
	}
	return n
}

// agreement is the correlation of the two.
func (n *normal) agreement() float64 {
	count := float64(n.count)
	aa, bb := float64(count*n.aa)-float64(n.a*n.a), float64(count*n.bb)-float64(n.b*n.b)
	if !(aa > 0 && bb > 0) {
		return 0
	}
	return (float64(count*n.ab) - float64(n.a*n.b)) / math.Sqrt(float64(aa*bb))
}

// solve solves the equations by elimination. They have no solution where a texture
// is flat.
func (n *normal) solve() (x [6]float64, ok bool) {
	m := &n.equations
	for i := range m {
		for j := range i {
			m[i][j] = m[j][i]
		}
		m[i][i] += float64(m[i][i]*1e-3) + 1e-6 // damped, as by Levenberg and Marquardt
	}
	for i := range m {
		if !(m[i][i] > 1e-9) {
			return x, false
		}
		for k := i + 1; k < len(m); k++ {
			f := m[k][i] / m[i][i]
			for j := i; j < 7; j++ {
				m[k][j] -= float64(f * m[i][j])
			}
		}
	}
	for i := len(m) - 1; i >= 0; i-- {
		v := m[i][6]
		for j := i + 1; j < len(m); j++ {
			v -= float64(m[i][j] * x[j])
		}
		x[i] = v / m[i][i]
	}
	return x, true
}

package export

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/must"
	"haarlem/models"
)

// rsqrt returns y and j with 1/sqrt(nf) = y * 2^(-30-j), about, as the C header does.
func rsqrt(nf uint64) (y uint32, j int) {
	s := bits.LeadingZeros64(nf) &^ 1
	n := uint64(uint32(nf << s >> 32))
	y = 2289988450 - uint32(n*1308461787>>32)
	for range 3 {
		t := n * (uint64(y) * uint64(y) >> 32) >> 32
		y = uint32(uint64(y) * (3<<28 - t) >> 29)
	}
	return y, 32 - s/2
}

// The error of rsqrt is within the bound that guards rely on.
func TestRsqrtError(t *testing.T) {
	worst := 0.0
	check := func(nf uint64) {
		y, j := rsqrt(nf)
		v := math.Ldexp(float64(y), -30-j) * math.Sqrt(float64(nf))
		worst = max(worst, math.Abs(v-1))
	}
	for nf := uint64(1); nf < 1<<18; nf++ {
		check(nf)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1 << 20 {
		check(r.Uint64() >> (16 + r.IntN(30)))
	}
	for shift := range 30 {
		check(1 << shift)
		check(1<<(shift+8) - 1)
	}
	t.Logf("at most 2^%.2f", math.Log2(worst))
	if !(worst < rsqrtError) {
		t.Errorf("error %v, want below %v", worst, rsqrtError)
	}
}

// The gate as a bound of whole numbers is that of the detector.
func TestGate(t *testing.T) {
	for _, deviation := range []float64{0, 0.01, 4, 6, 10, 100} {
		c := &cascade.Cascade{Width: 18, Height: 26, MinStdDev: deviation}
		area := float64(16 * 24)
		g := contrast.Gate{Area: area, Below: contrast.Below(area, 1/deviation)}
		lowest := gate(c)
		pass := func(nf uint64) bool { return float32(1/math.Sqrt(float64(nf))) < g.Below }
		if lowest < 1 || pass(lowest-1) || !pass(lowest) {
			t.Errorf("deviation %v: %d is not the least that passes", deviation, lowest)
		}
		want := area * area * deviation * deviation
		if math.Abs(float64(lowest)-want) > 1+want/1e6 {
			t.Errorf("deviation %v: least %d, want about %v", deviation, lowest, want)
		}
	}
}

// Scores of the models are exact in float64, and refused if they were not.
func TestUnit(t *testing.T) {
	for _, name := range models.Names() {
		c := must.Get(models.Open(name))
		n, upper, err := unitBits(c)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i := range c.Weak {
			for _, v := range c.Weak[i].Leaves {
				if u := math.Ldexp(float64(v), n); u != math.Trunc(u) {
					t.Fatalf("%s: leaf %v is no multiple of 2^-%d", name, v, n)
				}
			}
		}
		t.Logf("%s: 2^-%d, up to 2^%.1f units", name, n, math.Log2(upper))
		c.Weak[0].Leaves[0] = 1e-30
		if _, _, err := unitBits(c); err == nil {
			t.Errorf("%s with a leaf of 1e-30 is not refused", name)
		}
	}
}

// In the profile Small, all numbers have few bits, and rounding again changes nothing.
func TestRounded(t *testing.T) {
	for _, name := range models.Names() {
		c := must.Get(models.Open(name))
		r, n := rounded(c)
		if err := r.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		few := func(v float32, upper float64) {
			if u := math.Ldexp(float64(v), n); u != math.Trunc(u) || math.Abs(u) > upper {
				t.Fatalf("%s: %v is not a multiple of 2^-%d up to %v", name, v, n, upper)
			}
		}
		for _, x := range r.Exits {
			few(x.Threshold, math.MaxInt16)
		}
		twice, _ := rounded(r)
		for i := range r.Weak {
			for k, v := range r.Weak[i].Leaves {
				few(v, math.MaxInt8)
				if twice.Weak[i].Leaves[k] != v {
					t.Fatalf("%s: leaf %v becomes %v", name, v, twice.Weak[i].Leaves[k])
				}
			}
		}
	}
}

package cells

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
)

// Every level makes the sums of the plain loop, reads no further than Need says
// and writes no further than the last cell.
func TestMake(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, level := range cpu.Available() {
		t.Run(level.String(), func(t *testing.T) {
			cpu.ForTest(t, level)
			rng := rand.New(rand.NewPCG(seed, 0))
			wall := guard.NewWall(t, 4*Need(MostSide))
			for range 200 {
				n := Side * (2 + rng.IntN(MostSide/Side-1))
				p := guard.End[int32](wall, Need(n))
				most := int32(1) << rng.IntN(16)
				for i := range p {
					p[i] = rng.Int32N(most)
				}
				m := n / Side
				got, want := make([]Sums, m*m+1), make([]Sums, m*m+1)
				Make(got, p, n)
				for k := range m * m {
					want[k] = sums(p, n, k%m, k/m)
				}
				for k := range want {
					if got[k] != want[k] {
						t.Fatalf("%d by %d, cell %d: %v, want %v", n, n, k, got[k], want[k])
					}
				}
			}
		})
	}
}

// sums works out a cell by the words of Make, pixel by pixel.
func sums(p []int32, n, i, j int) (s Sums) {
	for y := max(j*Side, 1); y < min(j*Side+Side, n-1); y++ {
		for x := max(i*Side, 1); x < min(i*Side+Side, n-1); x++ {
			dx, dy := int(p[y*n+x+1]-p[y*n+x-1]), int(p[y*n+n+x]-p[y*n-n+x])
			a, b := dx, dy
			if a < 0 {
				a = -a
			}
			if b < 0 {
				b = -b
			}
			v := [4]int{64*a - 111*b, min(128*b, 111*a-64*b), min(128*a, 111*b-64*a), 64*b - 111*a}
			for k := range v {
				bin := k
				if dx*dy < 0 {
					bin = (bins - k) % bins
				}
				s[bin] += int32(max(v[k], 0))
				s[bins] += int32(max(v[k], 0))
			}
		}
	}
	return s
}

// What a gradient of any direction counts is what the comment of Make says, in
// real numbers.
func TestDirections(t *testing.T) {
	const n, strength = 8, 5000.0
	for degrees := range 360 {
		turn := float64(degrees) * math.Pi / 180
		p := make([]int32, Need(n))
		for y := range n {
			for x := range n {
				p[y*n+x] = int32(math.Round(16000 + strength/2*(float64(x-4)*math.Cos(turn)+float64(y-4)*math.Sin(turn))/2))
			}
		}
		var got [4]Sums
		Make(got[:], p, n)
		all := 0.0
		for b := range bins {
			d := math.Mod(turn-float64(b)*math.Pi/bins+2*math.Pi, math.Pi)
			d = min(d, math.Pi-d)
			want := 9 * one * strength / 2 * max(0, math.Cos(d)-math.Sin(d)/math.Tan(math.Pi/bins))
			if math.Abs(float64(got[3][b])-want) > 0.01*9*one*strength/2 {
				t.Errorf("%d degrees: %v, want %v at %d", degrees, got[3], want, 30*b)
			}
			all += float64(got[3][b])
		}
		if all != float64(got[3][bins]) {
			t.Errorf("%d degrees: %v, want %v in all", degrees, got[3], all)
		}
	}
}

func TestMakeRefuses(t *testing.T) {
	for _, n := range []int{0, 4, 9, 44} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a picture of %d pixels a side is taken", n)
				}
			}()
			Make(make([]Sums, 200), make([]int32, 4000), n)
		}()
	}
}

func BenchmarkMake(b *testing.B) {
	for _, level := range cpu.Available() {
		for _, n := range []int{20, 40} {
			b.Run(fmt.Sprint(level, "/", n), func(b *testing.B) {
				cpu.ForTest(b, level)
				rng := rand.New(rand.NewPCG(1, 0))
				p := make([]int32, Need(n))
				for i := range p {
					p[i] = rng.Int32N(1 << 14)
				}
				var dst [MostSide * MostSide / Side / Side]Sums
				for b.Loop() {
					Make(dst[:], p, n)
				}
			})
		}
	}
}

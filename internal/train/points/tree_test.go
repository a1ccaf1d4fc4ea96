package points

import (
	"math"
	"testing"

	"haarlem/internal/splitmix"
	"haarlem/landmarks"
)

// The two sums of a word are right for any signs.
func TestBinSums(t *testing.T) {
	var b bin
	var want [2 * words]float64
	d := splitmix.Unnamed(1)
	for range 1000 {
		for k := range want {
			v := int64(d.IntN(2_000_001) - 1_000_000)
			b[k/2] += v << (k % 2 * 32)
			want[k] += float64(v)
		}
	}
	if got := b.sums(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The chosen comparison is that of all pairs and thresholds with the smallest
// squared error, computed one by one.
func TestJudge(t *testing.T) {
	const n, components = 500, 3
	d := splitmix.Unnamed(2)
	s := &samples{n: n, weight: make([]int32, n)}
	for range 4 {
		s.columns = append(s.columns, make([]uint8, n))
	}
	left := make([]int32, n*components)
	for i := range n {
		s.weight[i] = 1 + int32(d.IntN(maxWeight))
		for k := range s.columns {
			s.columns[k][i] = uint8(60 + d.IntN(100))
		}
		for k := range components {
			left[i*components+k] = int32(d.IntN(2000) - 1000)
		}
		if int(s.columns[1][i])-int(s.columns[3][i]) > 15 {
			left[i*components] += 600
		}
	}
	b := &block{}
	b.take(s, left, components, 0, n, &d)
	best, at := math.Inf(-1), 0
	var seen []float64
	for above := -121; above <= 127; above += binWidth {
		var sums [2][components]float64
		var weights [2]float64
		for i := range n {
			side := 0
			if int(s.columns[1][i])-int(s.columns[3][i]) > above {
				side = 1
			}
			w := float64(s.weight[i])
			weights[side] += w
			for k := range components {
				sums[side][k] += w * float64(left[i*components+k])
			}
		}
		var gain float64
		for side := range 2 {
			for k := range components {
				gain += sums[side][k] * sums[side][k] / max(weights[side], 1)
			}
		}
		if min(weights[0], weights[1]) >= minWeight && gain > best {
			best, at = gain, above
		}
		seen = append(seen, gain)
	}
	c := choice{node: landmarks.Node{A: 1, B: 3}}
	var h [bins]bin
	c.findThreshold(s, b, b.order, &h)
	if int(c.node.Above) != at || math.Abs(c.gain/best-1) > 1e-9 {
		t.Errorf("threshold %d with gain %v, want %d with %v (of %v)", c.node.Above, c.gain, at, best, seen)
	}
	middle := b.part(s, c.node, 0, n)
	for i, k := range b.order {
		if above := int(s.columns[1][k])-int(s.columns[3][k]) > int(c.node.Above); above != (i >= middle) {
			t.Fatalf("sample %d is on the wrong side", k)
		}
	}
}

func TestPick(t *testing.T) {
	power := []float64{0, 1, 0, 1000, 10}
	first := 0
	for i := range 200 {
		d := splitmix.Unnamed(4, i)
		p := pick(power, 5, &d)
		seen := map[int]bool{}
		for _, k := range p {
			if k < 0 || k > 4 || seen[k] {
				t.Fatalf("picked %v, want each of 5 once", p)
			}
			seen[k] = true
		}
		if p[0] == 3 {
			first++
		}
	}
	if first < 190 {
		t.Errorf("what is most residuals came first %d of 200 times", first)
	}
}

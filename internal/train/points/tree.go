package points

import (
	"slices"

	"haarlem/internal/splitmix"
	"haarlem/landmarks"
)

// lanes is the number of residual components that the comparisons of a tree are
// chosen by.
const lanes = 2*words - 1

// bins is the number of possible thresholds: every binWidth levels of
// brightness.
const (
	binWidth = 8
	bins     = 512 / binWidth
)

// words is the number of words in a bin.
const words = 4

// A bin has two sums of 32 bits in each word, the weights and then those of the
// lanes: one is added times 1<<32, so that both are right as long as neither
// overflows.
type bin [words]int64

// sums returns the sums of a bin.
func (b *bin) sums() (all [2 * words]float64) {
	for i, w := range b {
		low := int32(w)
		all[2*i] = float64(low)
		all[2*i+1] = float64((w - int64(low)) >> 32)
	}
	return all
}

// A block is the samples that the comparisons of a tree are chosen by.
type block struct {
	from, n int
	sums    []bin   // weight, and weighted residuals, scaled
	order   []int32 // the samples, node after node
	spare   []int32
	bins    [][bins]bin // by worker
}

// A choice is a comparison and its gain.
type choice struct {
	node landmarks.Node
	gain float64
}

// take fills the block with samples from index from on, and with components
// that are sampled by the size of their residuals.
func (b *block) take(s *samples, left []int32, components, from, n int, d *splitmix.Source) {
	b.from, b.n = from, n
	if cap(b.sums) < n {
		b.sums = make([]bin, n)
		b.order, b.spare = make([]int32, n), make([]int32, n)
	}
	b.sums, b.order, b.spare = b.sums[:n], b.order[:n], b.spare[:n]

	power := make([]float64, components)
	var top int64
	for i := range n {
		w := int64(s.weight[from+i])
		for k, c := range left[(from+i)*components:][:components] {
			power[k] += float64(w) * float64(float64(c)*float64(c))
			top = max(top, w*int64(c), -w*int64(c))
		}
	}
	shift := 0
	for top>>shift*int64(n) >= 1<<31 {
		shift++
	}
	picked := pick(power, min(lanes, components), d)
	for i := range n {
		w := s.weight[from+i]
		sums := bin{int64(w)}
		for j, k := range picked {
			v := int64(w) * int64(left[(from+i)*components+k]) >> shift
			sums[(1+j)/2] += v << ((1 + j) % 2 * 32)
		}
		b.sums[i] = sums
		b.order[i] = int32(i)
	}
}

// pick samples n distinct numbers with probabilities proportional to power.
func pick(power []float64, n int, d *splitmix.Source) []int {
	rest := slices.Clone(power) // -1: picked
	var picked []int
	for range n {
		var sum float64
		for _, p := range rest {
			sum += max(p, 0)
		}
		at, k := float64(d.Float64()*sum), -1
		for i, p := range rest {
			if p < 0 {
				continue
			}
			k = i
			if at -= p; at < 0 {
				break
			}
		}
		picked = append(picked, k)
		rest[k] = -1
	}
	return picked
}

// grow chooses the comparisons of a tree.
func (t *trainer) grow(s *samples, b *block, d *splitmix.Source) []landmarks.Node {
	inner := 1<<t.s.Depth - 1
	nodes := make([]landmarks.Node, inner)
	ends := make([]int, 2*inner+2) // where the samples of node n begin and end in order
	begin := make([]int, 2*inner+2)
	begin[0], ends[0] = 0, b.n
	for from := 0; from < inner; from = 2*from + 1 {
		level := from + 1 // nodes in it
		choices := make([]choice, level*t.s.Pairs)
		for i := range choices {
			choices[i].node.A, choices[i].node.B = t.pair(d)
		}
		t.each(len(choices), func(worker, i int) {
			n := from + i/t.s.Pairs
			choices[i].findThreshold(s, b, b.order[begin[n]:ends[n]], &b.bins[worker])
		})
		for k := range level {
			n := from + k
			best := &choices[k*t.s.Pairs]
			for i := range choices[k*t.s.Pairs:][:t.s.Pairs] {
				if c := &choices[k*t.s.Pairs+i]; c.gain > best.gain {
					best = c
				}
			}
			nodes[n] = best.node
			middle := b.part(s, best.node, begin[n], ends[n])
			begin[2*n+1], ends[2*n+1] = begin[n], middle
			begin[2*n+2], ends[2*n+2] = middle, ends[n]
		}
	}
	return nodes
}

// findThreshold finds the best threshold of a comparison.
func (c *choice) findThreshold(s *samples, b *block, order []int32, h *[bins]bin) {
	clear(h[:])
	fa, fb := s.columns[c.node.A][b.from:], s.columns[c.node.B][b.from:]
	for _, i := range order {
		v := &b.sums[i]
		g := &h[(int(fa[i])-int(fb[i])+256)/binWidth&(bins-1)]
		g[0] += v[0]
		g[1] += v[1]
		g[2] += v[2]
		g[3] += v[3]
	}
	var whole bin
	for i := range h {
		for k := range whole {
			whole[k] += h[i][k]
		}
	}
	total := whole.sums()
	var low bin
	const first = (256 - 128) / binWidth // thresholds are int8
	for i := range h {
		for k := range low {
			low[k] += h[i][k]
		}
		at := (i+1)*binWidth - 1 - 256 // the largest difference that is below
		if i < first || at > 127 {
			continue
		}
		below := low.sums()
		wl, wr := below[0], total[0]-below[0]
		if wl < minWeight || wr < minWeight {
			continue
		}
		var l, r float64
		for k := 1; k <= lanes; k++ {
			x, y := below[k], total[k]-below[k]
			l += float64(x * x)
			r += float64(y * y)
		}
		if gain := l/wl + r/wr; gain > c.gain {
			c.gain, c.node.Above = gain, int8(at)
		}
	}
}

// minWeight is the smallest weight on either side of a comparison.
const minWeight = 16 * weightUnit

// part partitions the samples of a node by its comparison, those for which it
// fails first, and keeps their order.
func (b *block) part(s *samples, n landmarks.Node, from, to int) int {
	fa, fb := s.columns[n.A][b.from:], s.columns[n.B][b.from:]
	low, high := from, 0
	for _, i := range b.order[from:to] {
		if int(fa[i])-int(fb[i]) > int(n.Above) {
			b.spare[high] = i
			high++
		} else {
			b.order[low] = i
			low++
		}
	}
	copy(b.order[low:to], b.spare[:high])
	return low
}

// pair samples two features, preferring close ones.
func (t *trainer) pair(d *splitmix.Source) (a, b uint8) {
	n := len(t.positions)
	for {
		i, k := d.IntN(n), d.IntN(n)
		if i == k {
			continue
		}
		x, y := t.positions[i][0]-t.positions[k][0], t.positions[i][1]-t.positions[k][1]
		far := (float64(x*x) + float64(y*y)) / float64(t.near*t.near)
		if float64(d.Float64()*(1+far)) < 1 {
			return uint8(i), uint8(k)
		}
	}
}

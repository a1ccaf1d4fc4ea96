package train

import "math"

// dice are a small random source of our own (splitmix64: Steele, Lea, Flood,
// OOPSLA 2014), so that models do not change with the standard library.
type dice struct{ state uint64 }

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	return mix(d.state)
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// diceFor returns dice that depend on the numbers only.
func diceFor(seed uint64, numbers ...int) dice {
	d := dice{mix(seed)}
	for _, n := range numbers {
		d.state = mix(mix(d.state) + uint64(n+1)*0xd1342543de82ef95)
	}
	return d
}

// unit returns a number from 0 to below 1.
func (d *dice) unit() float64 { return float64(d.next()>>11) * 0x1p-53 }

func (d *dice) between(lo, hi float64) float64 { return lo + float64(d.unit()*(hi-lo)) }

func (d *dice) below(n int) int { return int(d.next() >> 32 * uint64(n) >> 32) }

func (d *dice) chance(p float64) bool { return d.unit() < p }

// bell returns a number that is nearly normally distributed, with a standard
// deviation of 1: the sum of four numbers of 16 bits. It is never farther than
// 3.5 from 0.
func (d *dice) bell() float64 {
	u := d.next()
	n := int64(u&0xffff) + int64(u>>16&0xffff) + int64(u>>32&0xffff) + int64(u>>48) - 2*0xffff
	return float64(n) / 37837 // 65536/sqrt(3)
}

// disc returns a place in the disc of radius 1.
func (d *dice) disc() (x, y float64) {
	for {
		x, y = d.between(-1, 1), d.between(-1, 1)
		if float64(x*x)+float64(y*y) <= 1 {
			return x, y
		}
	}
}

// shuffled returns the numbers below n in random order.
func (d *dice) shuffled(n int) []int {
	p := make([]int, n)
	for i := range p {
		k := d.below(i + 1)
		p[i], p[k] = p[k], i
	}
	return p
}

// round returns the nearest whole number; of two that are as near, the larger.
func round(v float64) float64 { return math.Floor(v + 0.5) }

package samples

import "hash/fnv"

// dice are a small random source of our own (splitmix64: Steele, Lea, Flood,
// OOPSLA 2014), so that windows do not change with the standard library.
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

// fork returns dice that have nothing to do with d, and leaves d as it is.
func (d dice) fork(n int) dice { return dice{mix(mix(d.state) + uint64(n+1)*0xd1342543de82ef95)} }

// unit returns a number from 0 to below 1.
func (d *dice) unit() float64 { return float64(d.next()>>11) * 0x1p-53 }

func (d *dice) between(lo, hi float64) float64 { return lo + float64(d.unit()*(hi-lo)) }

// seldom returns a number from 0 to most, more often small than large.
func (d *dice) seldom(most float64) float64 {
	u := d.unit()
	return float64(float64(u*u) * most)
}

func (d *dice) below(n int) int { return int(d.next() >> 32 * uint64(n) >> 32) }

func (d *dice) chance(p float64) bool { return d.unit() < p }

// bell returns a number that is nearly normally distributed, in units of
// 1/bellUnit of its standard deviation: the sum of four numbers of 16 bits. It
// is never farther than 3.5 standard deviations from 0.
func (d *dice) bell() int64 {
	u := d.next()
	return int64(u&0xffff) + int64(u>>16&0xffff) + int64(u>>32&0xffff) + int64(u>>48) - 2*0xffff
}

const bellUnit = 37837 // 65536/sqrt(3)

func (d *dice) normal() float64 { return float64(d.bell()) / bellUnit }

// diceFor returns the dice of one thing by its name, whatever stands beside it.
func diceFor(seed uint64, name string, numbers ...int) dice {
	h := fnv.New64a()
	h.Write([]byte(name))
	d := dice{mix(seed) ^ h.Sum64()}
	for _, n := range numbers {
		d = d.fork(n)
	}
	return d
}

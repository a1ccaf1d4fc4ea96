// Package splitmix is a small random source with the same numbers in every
// version of Go and on every machine: splitmix64 (Steele, Lea, Flood: Fast
// Splittable Pseudorandom Number Generators, OOPSLA 2014).
package splitmix

import "hash/fnv"

// A Source is a stream of random numbers.
type Source struct{ state uint64 }

// New returns an independent source for a name and numbers.
func New(seed uint64, name string, numbers ...int) Source {
	h := fnv.New64a()
	h.Write([]byte(name))
	return Source{mix(seed) ^ h.Sum64()}.Fork(numbers...)
}

// Unnamed is New without a name.
func Unnamed(seed uint64, numbers ...int) Source { return Source{mix(seed)}.Fork(numbers...) }

// Fork returns an independent source for numbers, and leaves d as it is.
func (d Source) Fork(numbers ...int) Source {
	for _, n := range numbers {
		d.state = mix(mix(d.state) + uint64(n+1)*0xd1342543de82ef95)
	}
	return d
}

// Uint64 returns 64 random bits.
func (d *Source) Uint64() uint64 {
	d.state += 0x9e3779b97f4a7c15
	return mix(d.state)
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Float64 returns a number from 0 to below 1.
func (d *Source) Float64() float64 { return float64(d.Uint64()>>11) * 0x1p-53 }

// Between returns a number from lo to below hi.
func (d *Source) Between(lo, hi float64) float64 { return lo + float64(d.Float64()*(hi-lo)) }

// Small returns a number from 0 to largest, skewed towards 0.
func (d *Source) Small(largest float64) float64 {
	u := d.Float64()
	return float64(float64(u*u) * largest)
}

// IntN returns a number from 0 to n-1.
func (d *Source) IntN(n int) int { return int(d.Uint64() >> 32 * uint64(n) >> 32) }

// Chance returns true with probability p.
func (d *Source) Chance(p float64) bool { return d.Float64() < p }

// Bell returns an approximately normal number, in units of 1/BellUnit of the
// standard deviation: the sum of four numbers of 16 bits. It is at most 3.5
// standard deviations from 0.
func (d *Source) Bell() int64 {
	u := d.Uint64()
	return int64(u&0xffff) + int64(u>>16&0xffff) + int64(u>>32&0xffff) + int64(u>>48) - 2*0xffff
}

// BellUnit is the standard deviation of [Source.Bell].
const BellUnit = 37837 // 65536/sqrt(3)

// Normal returns Bell's number in standard deviations.
func (d *Source) Normal() float64 { return float64(d.Bell()) / BellUnit }

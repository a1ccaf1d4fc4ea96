package boost

// block is a set of bins, the bin of missing values among them.
type block [4]uint64

func (b *block) add(bin int) { b[bin/64] |= 1 << (bin % 64) }

func (b *block) has(bin int) bool { return b[bin/64]>>(bin%64)&1 != 0 }

// levels returns the levels on the left of a set of codes, of a column with
// that many cuts. A value beyond the last cut has the last code.
func (b *block) levels(cuts int) *[8]uint32 {
	in := &[8]uint32{}
	for c := range maxBins {
		if b.has(min(c, cuts)) {
			in[c/32] |= 1 << (c % 32)
		}
	}
	return in
}

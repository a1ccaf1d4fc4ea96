package tiles

import "haarlem/haar"

// Offsets is a feature prepared for tables of one row stride: the corners of
// its rectangles, relative to the table cell of the window's top left corner.
//
// The tables are those of package integral. Cell (X, Y) of the sum table adds
// the pixels with x < X and y < Y. Cell (X, Y) of the tilted table adds the
// pixels with y < Y and |x-X+1| <= Y-y-1: the triangle that opens upwards
// from the cell. A tilted feature reads only the tilted table, an upright one
// only the sum table.
type Offsets struct {
	// Corner holds the offsets a, b, c, d of each rectangle: its sum is
	// table[a] - table[b] - table[c] + table[d].
	Corner [3][4]int32
	Weight [3]float32 // the last is zero when there are two rectangles
	Tilted bool       // which table to read
}

// Compile returns the feature's offsets in tables with the given row stride.
// Offsets must fit into 31 bits: check the feature against its window with
// [haar.Feature.Check] first.
func Compile(f *haar.Feature, stride int) Offsets {
	o := Offsets{Tilted: f.Tilted}
	at := func(x, y int32) int32 { return y*int32(stride) + x }
	for i, r := range f.Rects[:f.Count()] {
		o.Weight[i] = r.Weight
		if f.Tilted {
			o.Corner[i] = [4]int32{
				at(r.X, r.Y),
				at(r.X-r.H, r.Y+r.H),
				at(r.X+r.W, r.Y+r.W),
				at(r.X+r.W-r.H, r.Y+r.W+r.H),
			}
		} else {
			o.Corner[i] = [4]int32{
				at(r.X, r.Y),
				at(r.X+r.W, r.Y),
				at(r.X, r.Y+r.H),
				at(r.X+r.W, r.Y+r.H),
			}
		}
	}
	return o
}

// rect returns the sum of rectangle i, exact within 31 bits.
func (o *Offsets) rect(i int, table []int32, at int) int32 {
	c := &o.Corner[i]
	return table[at+int(c[0])] - table[at+int(c[1])] - table[at+int(c[2])] + table[at+int(c[3])]
}

// Sum returns the weighted sum of the feature in the window whose top left
// corner is table cell at. Rectangle sums are exact; the weighted sums are
// added in order, each operation rounded to float32, as in OpenCV. Multiply by
// the window's [Norm] to get the feature's value.
func (o *Offsets) Sum(table []int32, at int) float32 {
	v := float32(o.Weight[0]*float32(o.rect(0, table, at))) + float32(o.Weight[1]*float32(o.rect(1, table, at)))
	if o.Weight[2] != 0 {
		v += float32(o.Weight[2] * float32(o.rect(2, table, at)))
	}
	return v
}

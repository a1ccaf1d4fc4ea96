package track

import (
	"image"
	"math"

	"haarlem/internal/channels"
	"haarlem/internal/channels/columns"
	"haarlem/internal/luma"
)

// A Descriptor says what a face looks like: how brightness is spread over it, and which
// way its gradients go. Two of one face are more alike than those of two faces, as long
// as it looks in about the same direction. It is no means to recognise people: a minute
// later, in another light, it says little.
type Descriptor [descriptorSize]int8

const (
	pooled         = columns.Cells / 2 // cells of gradients, two by two taken together
	bright         = columns.Quarter * columns.Quarter
	directions     = columns.Layers - 1
	descriptorSize = bright + directions*pooled*pooled

	// describedSides is the side of what counts, in sides of the box. More would show
	// more of the head, and more of what passes behind it.
	describedSides = 1.0
)

// A Describer is the memory for one description at a time. The zero value is ready.
type Describer struct{ extractor channels.Extractor }

// Describe describes what is in a box.
func (d *Describer) Describe(g *image.Gray, box image.Rectangle) *Descriptor {
	plane, _ := luma.Of(g, nil)
	c := d.extractor.Extract(&plane, box, describedSides)
	var out Descriptor
	level(out[:bright], func(i int) int64 { return int64(c[columns.AtQuarter+i]) })
	level(out[bright:], func(i int) int64 {
		layer, y, x := i/(pooled*pooled), i/pooled%pooled, i%pooled
		at := columns.AtCells + layer*columns.Cells*columns.Cells + 2*y*columns.Cells + 2*x
		return int64(c[at]) + int64(c[at+1]) + int64(c[at+columns.Cells]) + int64(c[at+columns.Cells+1])
	})
	return &out
}

// level writes values without their mean, and with the same length as a vector whatever
// the contrast is.
func level(to []int8, value func(int) int64) {
	n := int64(len(to))
	var sum, squares int64
	for i := range to {
		sum += value(i)
	}
	for i := range to {
		v := value(i) - sum/n
		squares += v * v
	}
	length := math.Sqrt(float64(squares))
	if length == 0 {
		return
	}
	// A vector of even values would have 24 in each place of a hundred.
	scale := 240 / length
	for i := range to {
		to[i] = int8(min(max(math.RoundToEven(float64(value(i)-sum/n)*scale), -127), 127))
	}
}

// Similarity is 1 for equal descriptors, about 0 for those of unlike things, and never
// less than -1.
func Similarity(a, b *Descriptor) float64 {
	var ab, aa, bb int64
	for i := range a {
		x, y := int64(a[i]), int64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return float64(ab) / math.Sqrt(float64(aa)*float64(bb))
}

// A gallery is a few descriptors of one face that differ from each other: it is seen
// from several sides.
type gallery []*Descriptor

const (
	maxSeen = 8   // descriptors of a face
	alike   = 0.8 // and what is more like one of them adds nothing
)

func (g *gallery) add(d *Descriptor) {
	if d == nil || g.similarity(d) > alike {
		return
	}
	if len(*g) == maxSeen {
		*g = append((*g)[:1], (*g)[2:]...) // the first one is of a face that was found twice
	}
	*g = append(*g, d)
}

// similarity is that to the most similar one; -1 if there is none.
func (g gallery) similarity(d *Descriptor) float64 {
	best := -1.0
	for _, have := range g {
		best = max(best, Similarity(have, d))
	}
	return best
}

package boost

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// The file of an online learner is text like that of a model: its settings, and
// a line for each expert with its dual and its weight. Version 2 is for implicit
// steps.
const (
	onlineMagic  = "haarlem-boost-online 1"
	onlineMagic2 = "haarlem-boost-online 2"
)

// Save writes o as text. The learner that [LoadOnline] returns continues
// exactly as o would.
func (o *Online) Save(w io.Writer) error {
	b := bufio.NewWriter(w)
	magic := onlineMagic
	if o.implicit {
		magic = onlineMagic2
	}
	fmt.Fprintf(b, "%s\ngeometry %v\nloss %v\nrate %s\np %s\nexperts %d\n", magic, o.geometry, o.loss, number(o.rate), number(o.p), len(o.weights))
	for i := range o.weights {
		fmt.Fprintf(b, "expert %s %s\n", number(o.dual[i]), number(o.weights[i]))
	}
	fmt.Fprintln(b, "end")
	return b.Flush()
}

// LoadOnline reads a learner that Save wrote. Memory grows with what is read,
// never with what the file promises.
func LoadOnline(r io.Reader) (*Online, error) {
	l := newLines(r)
	o := &Online{}
	magic := l.line()
	if o.implicit = magic == onlineMagic2; !o.implicit && magic != onlineMagic {
		l.fail("%q, want %q or %q", clip(magic), onlineMagic, onlineMagic2)
	}
	name := l.fields("geometry", 1)[0]
	o.geometry = Geometry(max(0, slices.Index(geometryNames[:], name)))
	if o.geometry.String() != name {
		l.fail("geometry %q is unknown", clip(name))
	}
	name = l.fields("loss", 1)[0]
	o.loss = OnlineLoss(max(0, slices.Index(onlineLossNames[:], name)))
	if o.loss.String() != name {
		l.fail("loss %q is unknown", clip(name))
	}
	if o.rate = l.finite(l.fields("rate", 1)[0]); !(o.rate > 0) {
		l.fail("rate %v, want more than 0", o.rate)
	}
	if o.p = l.finite(l.fields("p", 1)[0]); !(o.p >= 2) {
		l.fail("p %v, want 2 or more", o.p)
	}
	n := l.count(l.fields("experts", 1)[0], maxColumns)
	if n == 0 {
		l.fail("no experts")
	}
	for i := 0; i < n && l.ok(); i++ {
		f := l.fields("expert", 2)
		o.dual, o.weights = append(o.dual, l.finite(f[0])), append(o.weights, l.finite(f[1]))
		if (o.geometry == Exponentiated || o.geometry == Unnormalised) && o.weights[i] < 0 {
			l.fail("weight %v of an expert, want 0 or more", o.weights[i])
		}
	}
	l.literal("end")
	if l.scan() {
		return nil, l.bad("text behind the end")
	}
	if err := l.err(); err != nil {
		return nil, err
	}
	return o, nil
}

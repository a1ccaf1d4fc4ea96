package boost

import (
	"errors"
	"fmt"
	"io"
)

// The file is text, one item per line, words separated by blanks: people can
// read it, and compare files with diff. Numbers are the shortest decimals that
// read back as the same bits.
//
//	haarlem-boost 1
//	booster discrete
//	link doublelogistic
//	bias 0
//	damping 0
//	linkscale 0
//	calibration none
//	threshold 0
//	columns 2
//	names 2
//	"x"
//	"colour"
//	levels 2
//	numeric
//	categorical 3
//	"blue"
//	"green"
//	"red"
//	classes 2
//	"bad"
//	"good"
//	terms 1
//	term 0.42
//	tree 1
//	node 0 2.5 right 0 -1
//	leaf 1
//	leaf -1
//	end
//
// Names, levels and classes may be 0. A calibration has its numbers, or lines of steps
// after it: for an inverse link that is a function, those of a table. Trees may have nodes
// of levels, and leaves with their covers:
//
//	covered 1
//	node 0 2.5 right 0 -1
//	leaf 1 120
//	leaf -1 80

// ErrFormat is wrapped by errors about files that are no models.
var ErrFormat = errors.New("boost: not a model file")

// ErrUnsaved is wrapped by errors of [Model.Save] about weak learners without a
// form in files.
var ErrUnsaved = errors.New("boost: weak learner cannot be saved")

var linkNames = [...]string{"none", "logistic", "doublelogistic", "matsushita", "linear", "erf", "identity", "log"}

// Save writes m as text.
func (m *Model) Save(w io.Writer) error { return save(w, func(f *form) { f.model(m) }) }

// Load reads a model that Save wrote.
func Load(r io.Reader) (*Model, error) {
	m := &Model{}
	if err := load(r, func(f *form) { f.model(m) }); err != nil {
		return nil, err
	}
	return m, nil
}

// maxColumns, maxTerms and maxLevels bound what a file may claim.
const (
	maxColumns = 1 << 24
	maxTerms   = 1 << 24
	maxLevels  = 1 << 24
)

func (f *form) model(m *Model) {
	calibration := m.Calibration
	if !f.reads() {
		f.failed = m.Schema.check(m.Columns)
		if m.Inverse != nil && calibration == nil && f.ok() {
			calibration, f.failed = tabulated(m.Inverse)
		}
		if !f.ok() {
			return
		}
	}
	f.line("haarlem-boost", exactly("1"))
	f.line("booster", (*token)(&m.Booster))
	f.line("link", (*linkName)(&m.Link))
	f.line("bias", finite(&m.Bias))
	f.line("damping", notNegative(&m.Damping))
	f.line("linkscale", notNegative(&m.LinkScale))
	f.calibration(&calibration)
	if f.line("threshold", notNegative(&m.Threshold)); m.Threshold > 1 {
		f.fail("threshold %v is no probability", m.Threshold)
	}
	f.line("columns", upTo{&m.Columns, maxColumns})
	f.quotes(&m.Names, f.columns("names", len(m.Names), m.Columns))
	items(f, &m.Levels, f.columns("levels", len(m.Levels), m.Columns), func(_ int, levels *[]string) {
		if *levels == nil && f.peek(0) != "categorical" {
			f.line("numeric")
			return
		}
		if f.names("categorical", levels); *levels == nil {
			*levels = []string{}
		}
	})
	f.names("classes", &m.Classes)
	if f.reads() && f.ok() {
		m.Calibration = calibration
		if err := m.Schema.check(m.Columns); err != nil {
			f.fail("%v", err)
		}
	}
	n := len(m.Terms)
	f.line("terms", upTo{&n, maxTerms})
	items(f, &m.Terms, n, func(i int, t *Term) {
		if f.term(t, m.Columns, 0); !f.ok() && !f.reads() {
			f.failed = fmt.Errorf("term %d: %w", i, f.failed)
		}
	})
	f.line("end")
}

// columns is a line of a number that is 0 or that of the columns.
func (f *form) columns(key string, n, columns int) int {
	if f.line(key, upTo{&n, maxColumns}); n != 0 && n != columns {
		f.fail("%d %s for %d columns", n, key, columns)
	}
	return n
}

// names is a line of the number of names, and these.
func (f *form) names(key string, names *[]string) {
	n := len(*names)
	f.line(key, upTo{&n, maxLevels})
	f.quotes(names, n)
}

// maxDepth bounds weak learners inside weak learners.
const maxDepth = 16

// kinds are empty weak learners by their words.
var kinds = map[string]func() Weak{
	"tree":        func() Weak { return &Tree{} },
	"covered":     func() Weak { return &Tree{Covers: []float64{}} },
	"histogram":   func() Weak { return &Histogram{} },
	"joint":       func() Weak { return &joint{} },
	"coordinate":  func() Weak { return &coordinate{} },
	"scaled":      func() Weak { return &Scaled{} },
	"vote":        func() Weak { return &vote{} },
	"obliquetree": func() Weak { return &obliqueTree{} },
}

func (f *form) term(t *Term, columns, depth int) {
	f.line("term", finite(&t.Coef))
	f.weak(&t.Weak, columns, depth)
}

// weak is a weak learner inside so many others.
func (f *form) weak(w *Weak, columns, depth int) {
	if f.reads() && f.ok() {
		make := kinds[f.peek(0)]
		if make == nil {
			f.fail("%q is no weak learner", clip(f.peek(0)))
			return
		}
		*w = make()
	}
	if depth > maxDepth {
		f.fail("weak learners more than %d deep", maxDepth)
	}
	if !f.ok() {
		return
	}
	column := func(j *int) word { return upTo{j, columns - 1} }
	switch k := (*w).(type) {
	case *Tree:
		n, key, covered := len(k.Nodes), "tree", k.Covers != nil && (depth == 0 || f.reads())
		if covered {
			key = "covered"
		}
		f.line(key, upTo{&n, maxLeaves})
		if f.nodes(&k.Nodes, n, columns); !covered {
			f.numbers("leaf", &k.Leaves, n+1)
			return
		}
		items(f, &k.Leaves, n+1, func(i int, v *float64) {
			if f.reads() {
				k.Covers = append(k.Covers, 0)
			}
			f.line("leaf", finite(v), notNegative(&k.Covers[i]))
		})
	case *Histogram:
		n := len(k.Cuts)
		f.line("histogram", column(&k.Column), upTo{&n, maxBins - 1}, finite(&k.Missing))
		f.cuts(&k.Cuts, n)
		f.numbers("leaf", &k.Leaves, n+1)
	case *joint:
		n, cells, size := len(k.Over), len(k.Leaves), 1
		f.line("joint", upTo{&n, 32}, upTo{&cells, maxCells})
		items(f, &k.Over, n, func(i int, j *int) {
			if f.reads() {
				k.Cuts = append(k.Cuts, nil)
			}
			m := len(k.Cuts[i])
			f.line("over", column(j), upTo{&m, maxBins - 1})
			f.cuts(&k.Cuts[i], m)
			if size *= m + 2; size > maxCells {
				f.fail("joint histogram of more than %d cells", maxCells)
			}
		})
		if size != cells || n == 0 {
			f.fail("joint histogram has %d cells, its columns make %d", cells, size)
		}
		f.numbers("leaf", &k.Leaves, cells)
	case *coordinate:
		f.line("coordinate", column(&k.Column), finite(&k.Factor))
	case *Scaled:
		f.line("scaled", finite(&k.Factor))
		f.weak(&k.Of, columns, depth+1)
	case *vote:
		n := len(k.Terms)
		f.line("vote", upTo{&n, maxTerms}, finite(&k.Bias), notNegative(&k.Damping))
		items(f, &k.Terms, n, func(_ int, t *Term) { f.term(t, columns, depth+1) })
	case *obliqueTree:
		n := len(k.Nodes)
		f.line("obliquetree", upTo{&n, maxLeaves})
		items(f, &k.Nodes, n, func(i int, q *obliqueNode) {
			f.line("split", child{&q.Left, i, n}, child{&q.Right, i, n})
			var of Weak = q.vote
			if f.weak(&of, columns, depth+1); f.reads() {
				var ok bool
				if q.vote, ok = of.(*vote); !ok {
					f.fail("want a vote")
				}
			}
		})
		distinct(f, k.Nodes, func(q *obliqueNode) [2]int32 { return [2]int32{q.Left, q.Right} })
		f.numbers("leaf", &k.Leaves, n+1)
	default:
		f.fail("%T", *w)
	}
}

// nodes are the nodes of a tree.
func (f *form) nodes(nodes *[]Node, n, columns int) {
	items(f, nodes, n, func(i int, q *Node) {
		column, side := upTo{&q.Column, columns - 1}, either{&q.MissingLeft, "left", "right"}
		left, right := child{&q.Left, i, n}, child{&q.Right, i, n}
		if q.In == nil && f.peek(0) != "levels" {
			f.line("node", column, limit(&q.Threshold), side, left, right)
			return
		}
		if f.line("levels", column, side, left, right); f.reads() {
			q.In = &[8]uint32{}
		}
		f.set(q.In)
	})
	distinct(f, *nodes, func(q *Node) [2]int32 { return [2]int32{q.Left, q.Right} })
}

// distinct checks nodes that were read: every one but the root and every leaf has one
// parent, which comes before it.
func distinct[T any](f *form, nodes []T, children func(*T) [2]int32) {
	if !f.reads() || !f.ok() {
		return
	}
	seen := make(map[int32]bool, 2*len(nodes))
	for k := range nodes {
		for _, c := range children(&nodes[k]) {
			if seen[c] {
				f.fail("child %d has two parents", c)
			}
			seen[c] = true
		}
	}
}

// set is a set of levels.
func (f *form) set(in *[8]uint32) {
	words := make([]word, len(in))
	for i := range in {
		words[i] = (*hex)(&in[i])
	}
	f.line("in", words...)
}

func (f *form) cuts(cuts *[]float64, n int) {
	if f.numbers("cut", cuts, n); f.reads() && f.ok() {
		for i := 1; i < n; i++ {
			if !((*cuts)[i] > (*cuts)[i-1]) {
				f.fail("cuts must ascend")
			}
		}
	}
}

func (f *form) calibration(to **Calibration) {
	c, kind := *to, f.peek(1)
	if f.reads() {
		c = &Calibration{table: kind == "table"}
	} else if kind = "none"; c != nil {
		kind = map[bool]string{false: "isotonic", true: "table"}[c.table]
		if len(c.scores) == 0 {
			kind = "platt"
		}
	}
	switch kind {
	case "none":
		f.line("calibration", exactly(kind))
		return
	case "platt":
		f.line("calibration", exactly(kind), finite(&c.a), finite(&c.b))
	case "isotonic", "table":
		n := len(c.scores)
		if f.line("calibration", exactly(kind), upTo{&n, maxRows}); n == 0 {
			f.fail("a calibration without steps")
		}
		items(f, &c.scores, n, func(i int, s *float64) {
			if f.reads() {
				c.probabilities = append(c.probabilities, 0)
			}
			f.line("step", finite(s), finite(&c.probabilities[i]))
		})
		if err := c.check(); err != nil {
			f.fail("%v", err)
		}
	default:
		f.fail("want calibration none, platt A B, isotonic N or table N")
	}
	if f.reads() {
		*to = c
	}
}

package catalogue

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"haarlem/boost"
)

// The two formulas are fixed, not drawn by a recipe's seed: two recipes that
// differ in their seed draw different examples of one problem, as training and
// test sets must.
const (
	formulaVariables = 16
	formulaTerms     = 8
	formulaLiterals  = 4
)

var (
	dnfFormula = newFormula(1)
	cnfFormula = newFormula(2)
)

var (
	dnf = Set{
		Name: "dnf", Rows: 1000,
		About: "Sixteen Boolean attributes; positive when one of eight terms of four literals holds: " + dnfFormula.text(" & ", " | ") + ".",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawFormula(rows, r, func(n int) bool { return dnfFormula.any(n, literal.holds) })
		},
	}
	cnf = Set{
		Name: "cnf", Rows: 1000,
		About: "Sixteen Boolean attributes; positive when all of eight clauses of four literals hold: " + cnfFormula.text(" | ", " & ") + ".",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			// A conjunction of clauses holds unless a clause has all of its
			// literals wrong.
			wrong := func(l literal, n int) bool { return !l.holds(n) }
			return drawFormula(rows, r, func(n int) bool { return !cnfFormula.any(n, wrong) })
		},
	}
)

// literal is an attribute, or its negation.
type literal struct {
	variable int
	negated  bool
}

func (l literal) holds(n int) bool { return (n>>l.variable&1 == 1) != l.negated }

// formula is a list of terms (or of clauses).
type formula [formulaTerms][formulaLiterals]literal

func newFormula(seed uint64) *formula {
	r := rand.New(rand.NewPCG(seed, streamFormula))
	var f formula
	for t := range f {
		for i, v := range r.Perm(formulaVariables)[:formulaLiterals] {
			f[t][i] = literal{v, coin(r)}
		}
	}
	return &f
}

// any reports whether some term has all of its literals met.
func (f *formula) any(n int, met func(literal, int) bool) bool {
terms:
	for t := range f {
		for _, l := range f[t] {
			if !met(l, n) {
				continue terms
			}
		}
		return true
	}
	return false
}

func (f *formula) text(inner, outer string) string {
	var terms []string
	for t := range f {
		var literals []string
		for _, l := range f[t] {
			sign := ""
			if l.negated {
				sign = "!"
			}
			literals = append(literals, fmt.Sprintf("%sa%d", sign, l.variable+1))
		}
		terms = append(terms, "("+strings.Join(literals, inner)+")")
	}
	return strings.Join(terms, outer)
}

func drawFormula(rows int, r *rand.Rand, positive func(n int) bool) *boost.Data {
	t := newTable(rows, []string{"false", "true"}, numbered("a", formulaVariables))
	x := make([]float64, formulaVariables)
	for range rows {
		n := int(r.Uint64() >> (64 - formulaVariables))
		bits(x, n)
		add(t, x, positive(n))
	}
	return t
}

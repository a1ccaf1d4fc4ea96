package a64

import (
	"fmt"
	"slices"
)

// A set is a set of registers.
type set []uint64

func (s set) has(r int) bool { return s[r/64]>>(r%64)&1 != 0 }
func (s set) put(r int)      { s[r/64] |= 1 << (r % 64) }
func (s set) drop(r int)     { s[r/64] &^= 1 << (r % 64) }

// allot assigns each of n registers a number below limit, so that no two live
// registers share one. Those in fixed that are not negative keep theirs.
func allot(code []*instruction, n int, fixed []int, limit int, of func(*instruction) access) ([]int, error) {
	words := (n + 63) / 64
	labels := map[string]int{}
	for k, i := range code {
		if i.label != "" {
			if _, twice := labels[i.label]; twice {
				return nil, fmt.Errorf("two labels %s", i.label)
			}
			labels[i.label] = k
		}
	}
	live := make([]set, len(code)+1) // before each instruction
	for k := range live {
		live[k] = make(set, words)
	}
	after := func(k int) (set, error) {
		s := make(set, words)
		if !code[k].ends {
			copy(s, live[k+1])
		}
		if to := code[k].to; to != "" {
			at, ok := labels[to]
			if !ok {
				return nil, fmt.Errorf("no label %s", to)
			}
			for w, bits := range live[at] {
				s[w] |= bits
			}
		}
		return s, nil
	}
	for changed := true; changed; {
		changed = false
		for k := len(code) - 1; k >= 0; k-- {
			s, err := after(k)
			if err != nil {
				return nil, err
			}
			a := of(code[k])
			for _, r := range a.writes {
				s.drop(r)
			}
			for _, r := range a.reads {
				s.put(r)
			}
			if !slices.Equal(s, live[k]) {
				live[k], changed = s, true
			}
		}
	}
	for r := range n {
		if live[0].has(r) {
			return nil, fmt.Errorf("register %d may be read before it is written", r)
		}
	}
	beside := make([]set, n) // that must have other numbers
	for r := range beside {
		beside[r] = make(set, words)
	}
	for k, i := range code {
		s, _ := after(k)
		writes := of(i).writes
		for _, r := range writes {
			s.put(r)
		}
		for _, r := range writes {
			for other := range n {
				if other != r && s.has(other) {
					beside[r].put(other)
					beside[other].put(r)
				}
			}
		}
	}
	number := make([]int, n)
	for r := range number {
		number[r] = -1
		if r < len(fixed) {
			number[r] = fixed[r]
		}
	}
	for r := range number {
		taken := make([]bool, limit)
		for other := range n {
			if beside[r].has(other) && number[other] >= 0 {
				if number[other] == number[r] {
					return nil, fmt.Errorf("registers %d and %d are both to be number %d", r, other, number[r])
				}
				taken[number[other]] = true
			}
		}
		if number[r] >= 0 {
			continue
		}
		if number[r] = slices.Index(taken, false); number[r] < 0 {
			return nil, fmt.Errorf("more than %d at a time, at register %d", limit, r)
		}
	}
	return number, nil
}

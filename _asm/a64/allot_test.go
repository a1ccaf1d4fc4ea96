package a64

import (
	"bytes"
	"strings"
	"testing"
)

// registers returns the numbers of the vector registers of the function that
// write writes.
func registers(write func(f *Func, p []G)) ([]int, error) {
	var file File
	f, p := file.Begin("f", "func(p, n *byte)", "")
	write(f, p)
	return allot(f.code, f.vector, f.fixed, 32, func(i *instruction) access { return i.v })
}

// What is read after a loop, or in its next iteration, keeps its register
// through the loop; what is not read any more frees its own.
func TestAllotLoop(t *testing.T) {
	var sum, inside, constant, after V
	n, err := registers(func(f *Func, p []G) {
		sum, constant = f.V(), f.V()
		f.Zero(sum)
		f.Zero(constant)
		f.Label("loop")
		inside = f.V()
		f.LdrNext("q", inside, p[0], 16)
		f.Do("add", S4, inside, inside, constant)
		f.Do("add", S4, sum, sum, inside)
		f.LessN(p[1], p[1], 1)
		f.Branch("BNE", "loop")
		after = f.V()
		f.Move(after, sum)
		f.StrNext("q", after, p[0], 16)
		f.Return()
	})
	if err != nil {
		t.Fatal(err)
	}
	if n[sum.id] == n[inside.id] || n[sum.id] == n[constant.id] || n[inside.id] == n[constant.id] {
		t.Errorf("sum %d, constant %d and what is loaded %d share a register", n[sum.id], n[constant.id], n[inside.id])
	}
	if n[after.id] != 0 {
		t.Errorf("after the loop register %d is taken, want 0, which is free", n[after.id])
	}
}

// A register that is written and never read must not overwrite another.
func TestAllotUnread(t *testing.T) {
	var kept, unread V
	n, err := registers(func(f *Func, p []G) {
		kept, unread = f.V(), f.V()
		f.Ldp(kept, unread, p[0], 0)
		f.StrNext("q", kept, p[0], 16)
		f.Return()
	})
	if err != nil || n[kept.id] == n[unread.id] {
		t.Errorf("registers %v, error %v; want two", n, err)
	}
}

// All 32 registers can be in use, and no more.
func TestAllotMany(t *testing.T) {
	for _, many := range []int{32, 33} {
		n, err := registers(func(f *Func, p []G) {
			v := f.Vs(many)
			for _, v := range v {
				f.LdrNext("q", v, p[0], 16)
			}
			for _, v := range v {
				f.StrNext("q", v, p[1], 16)
			}
			f.Return()
		})
		if many == 33 {
			if err == nil || !strings.Contains(err.Error(), "more than 32") {
				t.Errorf("33 registers at a time: error %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for _, r := range n {
			seen[r] = true
		}
		if len(seen) != 32 {
			t.Errorf("%d registers, want 32", len(seen))
		}
	}
}

func TestAllotErrors(t *testing.T) {
	for want, write := range map[string]func(f *Func, p []G){
		"may be read before": func(f *Func, p []G) {
			v := f.V()
			f.BranchZero(p[0], "end")
			f.Zero(v)
			f.Label("end")
			f.StrNext("q", v, p[0], 16)
			f.Return()
		},
		"no label nowhere": func(f *Func, p []G) { f.Branch("B", "nowhere") },
		"two labels here": func(f *Func, p []G) {
			f.Label("here")
			f.Label("here")
			f.Return()
		},
		"are both to be number 7": func(f *Func, p []G) {
			a, b := f.Fixed(7), f.Fixed(7)
			f.Ldp(a, b, p[0], 0)
			f.Stp(a, b, p[0], 0)
			f.Return()
		},
	} {
		if _, err := registers(write); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// Registers that the linker, the platform, the assembler and Go reserve are
// never used.
func TestReserved(t *testing.T) {
	var file File
	f, p := file.Begin("f", "func(p *byte)", "")
	var all []G
	for range len(generals) - 1 {
		g := f.G()
		f.Load("MOVD", g, p[0], 0)
		all = append(all, g)
	}
	for _, g := range all {
		f.Store("MOVD", g, p[0], 0)
	}
	f.Return()
	var b bytes.Buffer
	f.assembly(&b)
	for _, r := range []string{"R16", "R17", "R18", "R26", "R27", "R28", "R29", "R30", "R31"} {
		if strings.Contains(b.String(), r) {
			t.Errorf("%s is taken:\n%s", r, b.Bytes())
		}
	}
	if !strings.Contains(b.String(), "R25") {
		t.Errorf("not all registers are taken:\n%s", b.Bytes())
	}
}

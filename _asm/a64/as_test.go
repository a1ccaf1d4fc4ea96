package a64

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var words = regexp.MustCompile(`^\tWORD \$0x([0-9a-f]{8}) // (.*)$`)

// A line is an instruction as a word, and its meaning.
type line struct {
	place, text string
	word        uint32
}

// Every word of the generated assembly, and every word that this package can
// write, is what GNU as makes of the text beside it.
func TestWords(t *testing.T) {
	var lines []line
	collect := func(place string, assembly []byte) {
		for i, s := range strings.Split(string(assembly), "\n") {
			if m := words.FindStringSubmatch(s); m != nil {
				w, err := strconv.ParseUint(m[1], 16, 32)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, line{place + ":" + strconv.Itoa(i+1), m[2], uint32(w)})
			} else if strings.Contains(s, "WORD") {
				t.Errorf("%s:%d: %q does not say what it means", place, i+1, s)
			}
		}
	}
	var b bytes.Buffer
	everything().assembly(&b)
	collect("everything", b.Bytes())
	if len(lines) < 300 {
		t.Fatalf("%d instructions, want some hundreds", len(lines))
	}
	files, err := filepath.Glob("../../internal/kernel/*/*_arm64.s")
	if err != nil || len(files) < 7 {
		t.Errorf("generated files: %v, %v; want one for each kernel", files, err)
	}
	for _, name := range files {
		s, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before := len(lines)
		collect(name, s)
		if len(lines) == before {
			t.Errorf("%s has no vector instruction", name)
		}
	}
	got := assemble(t, lines)
	for i, l := range lines {
		if got[i] != l.word {
			t.Errorf("%s: %s is %#08x, want %#08x", l.place, l.text, l.word, got[i])
		}
	}
}

// assemble returns what GNU as makes of the texts.
func assemble(t *testing.T, lines []line) []uint32 {
	t.Helper()
	object, binaryFile := filepath.Join(t.TempDir(), "o"), filepath.Join(t.TempDir(), "bin")
	var source strings.Builder
	for _, l := range lines {
		source.WriteString(l.text + "\n")
	}
	as := exec.Command("aarch64-linux-gnu-as", "-march=armv8.2-a+dotprod", "-o", object, "-")
	as.Stdin = strings.NewReader(source.String())
	for _, cmd := range []*exec.Cmd{as, exec.Command("aarch64-linux-gnu-objcopy", "-O", "binary", "-j", ".text", object, binaryFile)} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v (Debian has it in binutils-aarch64-linux-gnu): %v\n%s", cmd.Args[0], err, out)
		}
	}
	b, err := os.ReadFile(binaryFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) != 4*len(lines) {
		t.Fatalf("%d bytes for %d instructions", len(b), len(lines))
	}
	w := make([]uint32, len(lines))
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}

// everything returns a function with every instruction in every arrangement,
// and varied registers.
func everything() *Func {
	var file File
	f, in := file.Begin("everything", "func(p, q *byte)", "")
	base, g := in[0], in[1]
	v := make([]V, 32)
	for i := range v {
		v[i] = f.Fixed(i)
		f.Zero(v[i])
	}
	k := 0
	reg := func() V { k += 7; return v[k%32] }
	for name, o := range ops {
		floats := []Lanes{S2, S4, D2}
		whole := []Lanes{B8, B16, H4, H8, S2, S4}
		doubles := append(whole[:6:6], D2)
		switch o.form {
		case same:
			l := doubles
			if strings.Contains("mul mla mls smax smin umax umin", name) {
				l = whole
			}
			for _, l := range l {
				f.Do(name, l, reg(), reg(), reg())
			}
		case permute:
			for _, l := range doubles {
				f.Do(name, l, reg(), reg(), reg())
			}
		case logical:
			for _, l := range whole[:2] {
				f.Do(name, l, reg(), reg(), reg())
			}
		case float:
			for _, l := range floats {
				f.Do(name, l, reg(), reg(), reg())
			}
		case long, wide:
			for _, l := range []Lanes{H8, S4, D2} {
				f.Do(name, l, reg(), reg(), reg())
				f.Do(name+"2", l, reg(), reg(), reg())
			}
		case one:
			l := doubles
			if name == "not" {
				l = whole[:2]
			}
			for _, l := range l {
				f.Do(name, l, reg(), reg())
			}
		case oneFloat:
			for _, l := range floats {
				f.Do(name, l, reg(), reg())
			}
		case pairwise:
			for _, l := range []Lanes{H4, H8, S2, S4, D2} {
				f.Do(name, l, reg(), reg())
			}
		case narrow:
			for i, l := range []Lanes{B8, H4, S2} {
				f.Do(name, l, reg(), reg())
				f.Do(name+"2", []Lanes{B16, H8, S4}[i], reg(), reg())
			}
		case lengthen:
			for i, l := range []Lanes{H8, S4, D2} {
				f.Do(name, l, reg(), reg(), 0)
				f.Do(name+"2", l, reg(), reg(), 4<<i+3)
			}
		case fixedPoint:
			for _, l := range floats {
				f.Do(strings.TrimSuffix(name, "#"), l, reg(), reg(), 1)
				f.Do(strings.TrimSuffix(name, "#"), l, reg(), reg(), 28)
			}
		case shift, shiftDown:
			for _, l := range doubles {
				f.Do(name, l, reg(), reg(), 1)
				f.Do(name, l, reg(), reg(), 8<<l.size-1)
			}
		case shrink:
			for i, l := range []Lanes{B8, H4, S2} {
				f.Do(name, l, reg(), reg(), 1)
				f.Do(name+"2", []Lanes{B16, H8, S4}[i], reg(), reg(), 8<<i)
			}
		case across:
			for _, l := range []Lanes{B8, B16, H4, H8, S4} {
				f.Do(name, l, reg(), reg())
			}
		case double2half:
			f.Do(name, S2, reg(), reg())
			f.Do(name+"2", S4, reg(), reg())
		}
	}
	for _, l := range []Lanes{B8, B16, H4, H8, S2, S4} {
		f.Fill(l, reg(), 0xa5)
		f.Spread(l, reg(), reg(), 1)
		f.SpreadG(l, reg(), g)
	}
	f.SpreadG(D2, reg(), g)
	f.Spread(D2, reg(), reg(), 1)
	for _, l := range []Lanes{B16, H8, S4, D2} {
		for lane := range 16 >> l.size {
			f.Take(l, g, reg(), lane)
			f.LoadLane(l, reg(), lane, base)
		}
		f.LoadSplit(l, v[6], v[7], base)
		f.LoadFour(l, [4]V(v[11:]), base)
		f.StoreFour(l, [4]V(v[28:]), base)
	}
	for lane := range 4 {
		f.Dot(reg(), reg(), reg(), lane)
	}
	f.Move(reg(), reg())
	f.Extract(reg(), reg(), reg(), 5)
	f.Table(reg(), reg(), v[3])
	f.Table(reg(), reg(), v[3], v[4])
	f.TableOver(reg(), reg(), v[9])
	f.TableOver(reg(), reg(), v[9], v[10])
	for _, mnemonic := range []string{"fmul", "mul", "mla"} {
		for lane := range 4 {
			f.TimesLane(mnemonic, S4, reg(), reg(), reg(), lane)
			f.TimesLane(mnemonic, S2, reg(), reg(), reg(), lane)
		}
	}
	for name, s := range sizes {
		for _, disp := range []int{0, int(s.bytes), 4095 * int(s.bytes), -1, -256, -16} {
			f.Ldr(name, reg(), base, disp)
		}
		f.LdrNext(name, reg(), base, 16)
		f.StrNext(name, reg(), base, -16)
		f.LdrAt(name, reg(), base, g)
	}
	for _, disp := range []int{0, 16, -1024, 1008} {
		f.Ldp(v[4], v[9], base, disp)
		f.Stp(v[31], v[2], base, disp)
		f.LdpNext(v[30], v[12], base, 32)
		f.StpNext(v[1], v[20], base, 64)
	}
	f.Return()
	return f
}

//go:build exporttargets

package export_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/cascade/detector"
	"haarlem/internal/export"
	"haarlem/internal/must"
)

// These tests compile and run what is exported:
//
//	go test -tags exporttargets ./internal/export -targets gcc,clang,node
//
// All targets and all pictures, by default. What a target needs must be installed.
var (
	targetNames = flag.String("targets", "gcc,c++,gcc32,clang,riscv64,s390x,cortex-m3,cortex-m4,node,iverilog", "targets to run, separated by commas")
	fewGoldens  = flag.Bool("few", false, "run small pictures only")
	onlyGoldens = flag.String("goldens", "", "run the goldens of these names only, separated by commas")
)

// strict are the flags of gcc and clang.
var strict = []string{"-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2"}

// targets are a compiler with its flags, and what runs the program.
var targets = map[string]struct{ compile, run []string }{
	"gcc":     {append([]string{"gcc"}, strict...), nil},
	"c++":     {[]string{"g++", "-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-O2"}, nil},
	"gcc32":   {append([]string{"gcc", "-m32"}, strict...), nil},
	"clang":   {append([]string{"clang", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"}, strict...), nil},
	"riscv64": {append([]string{"riscv64-linux-gnu-gcc-12", "-static"}, strict...), []string{"qemu-riscv64-static"}},
	"s390x":   {append([]string{"s390x-linux-gnu-gcc-12", "-static"}, strict...), []string{"qemu-s390x-static"}},
	"cortex-m3": {
		append([]string{"arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "--specs=rdimon.specs", "-Ttestdata/cortex.ld", "-nostartfiles", "testdata/cortex.c"}, strict...),
		[]string{"qemu-system-arm", "-M", "mps2-an385", "-nographic", "-semihosting", "-kernel"},
	},
	"cortex-m4": {
		append([]string{"arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "--specs=rdimon.specs", "-Ttestdata/cortex.ld", "-nostartfiles", "testdata/cortex.c"}, strict...),
		[]string{"qemu-system-arm", "-M", "mps2-an386", "-nographic", "-semihosting", "-kernel"},
	},
}

// TestTargets runs what is exported for all goldens: it finds the windows that the
// detector finds, with the same scores.
func TestTargets(t *testing.T) {
	for _, g := range goldens(t, *fewGoldens) {
		if *onlyGoldens != "" && !slices.Contains(strings.Split(*onlyGoldens, ","), g.name) {
			continue
		}
		g.cascade = g.cascade.Clone()
		g.cascade.Name = "cascade"
		e, err := export.New(g.cascade, &g.settings)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		want := g.want(t, e)
		if n := strings.Count(want, "\n"); n < 20 {
			t.Errorf("%s: only %d windows, so they prove little", g.name, n)
		}
		dir := t.TempDir()
		write(t, filepath.Join(dir, "cascade.h"), e.WriteC)
		must.Do(os.WriteFile(filepath.Join(dir, "pictures.h"), picturesHeader(&g), 0o666))
		for _, name := range strings.Split(*targetNames, ",") {
			t.Run(g.name+"/"+name, func(t *testing.T) {
				if name == "iverilog" {
					runBench(t, e)
					return
				}
				got, groups, _ := strings.Cut(runTarget(t, name, dir, &g, e), "end\n")
				got += "end\n"
				g.groups(t, e, groups, name == "node")
				if diff := difference(got, want); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// runTarget compiles and runs an export, and returns what it prints.
func runTarget(t *testing.T, name, dir string, g *golden, e *export.Export) string {
	if name == "node" {
		return runNode(t, dir, g, e)
	}
	v, ok := targets[name]
	if !ok {
		t.Fatalf("no target %q", name)
	}
	program := filepath.Join(dir, name)
	compile := append(v.compile[:len(v.compile):len(v.compile)], "-I", dir, "-o", program, "testdata/main.c")
	if out, err := exec.Command(compile[0], compile[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(compile, " "), err, out)
	}
	return output(t, append(v.run[:len(v.run):len(v.run)], program)...)
}

// runNode is runTarget for JavaScript.
func runNode(t *testing.T, dir string, g *golden, e *export.Export) string {
	file, pictures := filepath.Join(dir, "cascade.mjs"), filepath.Join(dir, "pictures")
	write(t, file, e.WriteJavaScript)
	var b bytes.Buffer
	for _, p := range g.pictures {
		fmt.Fprintf(&b, "%d %d\n%s", p.Rect.Dx(), p.Rect.Dy(), p.Pix)
	}
	must.Do(os.WriteFile(pictures, b.Bytes(), 0o666))
	return output(t, "node", "testdata/main.mjs", file, pictures, fmt.Sprint(e.Unit()))
}

// runBench runs the Verilog test bench of an export.
func runBench(t *testing.T, e *export.Export) {
	dir := t.TempDir()
	files := must.Get(e.Tables(context.Background()))
	for _, f := range files {
		write(t, filepath.Join(dir, f.Path), f.Write)
	}
	cmd := exec.Command("sh", "-ec", "iverilog -g2005 -Wall -Wno-timescale -o testbench testbench.v && vvp -n testbench")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "PASS: 200 windows") {
		t.Errorf("%v\n%.600s", err, out)
	}
}

// output runs a program and returns what it prints.
func output(t *testing.T, args ...string) string {
	cmd := exec.Command(args[0], args[1:]...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%.300s", strings.Join(args, " "), err, &complaints, out)
	}
	return string(out)
}

// picturesHeader returns pictures as C.
func picturesHeader(g *golden) []byte {
	var b bytes.Buffer
	widest := 0
	b.WriteString("typedef struct { const uint8_t *pixels; int32_t width, height; } picture;\n")
	for i, p := range g.pictures {
		widest = max(widest, p.Rect.Dx())
		fmt.Fprintf(&b, "static const uint8_t pixels_%d[] = {", i)
		for k, v := range p.Pix {
			if k%32 == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%d,", v)
		}
		b.WriteString("};\n")
	}
	b.WriteString("static const picture pictures[] = {\n")
	for i, p := range g.pictures {
		fmt.Fprintf(&b, "\t{ pixels_%d, %d, %d },\n", i, p.Rect.Dx(), p.Rect.Dy())
	}
	fmt.Fprintf(&b, "};\nenum { PICTURES = %d, WIDEST = %d, MOST = 20000 };\n", len(g.pictures), widest)
	return b.Bytes()
}

// want returns what an exported program prints for the pictures of g.
func (g *golden) want(t testing.TB, e *export.Export) string {
	var b strings.Builder
	for i, p := range g.pictures {
		found := must.Get(e.Windows(context.Background(), p))
		for _, w := range found {
			fmt.Fprintf(&b, "%d %d %d %d %d %016x\n", i, w.Box.Min.X, w.Box.Min.Y, w.Box.Dx(), w.Box.Dy(), uint64(w.Score))
		}
	}
	return b.String() + "end\n"
}

// groups compares what a program made of the windows with the detector's groups. If not
// exact, scores are less by less than one unit and what shortening to 28 bits leaves out.
func (g *golden) groups(t *testing.T, e *export.Export, got string, exact bool) {
	c := g.cascade.Clone()
	c.Verifier, c.Network, c.Calibration, c.Search.MinScore = nil, nil, nil, 0
	lines := strings.Split(strings.TrimSpace(got), "\n")
	n := 0
	for i, p := range g.pictures {
		windows := must.Get(e.Windows(context.Background(), p))
		var all []detector.Detection
		for _, w := range windows {
			all = append(all, detector.Detection{Box: w.Box, Score: math.Ldexp(float64(w.Score), -e.Unit())})
		}
		for _, neighbors := range []int{1, 3} {
			d := must.Get(detector.New(&detector.Options{MinNeighbors: neighbors}, c))
			for _, f := range d.AppendGroups(nil, all, p) {
				want := fmt.Sprintf("%d %d %d %d %d %d %d ", i, neighbors, f.Box.Min.X, f.Box.Min.Y, f.Box.Dx(), f.Box.Dy(), f.Neighbors)
				if n == len(lines) || !strings.HasPrefix(lines[n], want) {
					t.Fatalf("group %d of %d is %q, want %q", n, len(lines), lines[min(n, len(lines)-1)], want)
				}
				score, err := strconv.ParseFloat(lines[n][len(want):], 64)
				full := math.Ldexp(f.Score, e.Unit())
				if err != nil || exact && score != full || score > full*(1+1e-12) || score < full*(1-1e-7)-1 {
					t.Errorf("group %q, want a score of %v", lines[n], full)
				}
				n++
			}
		}
	}
	if n != len(lines) || n < 5 {
		t.Errorf("%d groups, and the detector has %d", len(lines), n)
	}
}

// difference says where two outputs differ first.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d of %d is %q, want %q of %d", i+1, len(g), g[i], w[i], len(w))
		}
	}
	if len(g) != len(w) {
		return fmt.Sprintf("%d lines, want %d", len(g), len(w))
	}
	return ""
}

// write writes a file.
func write(t testing.TB, path string, f func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	must.Do(f(&b))
	must.Do(os.WriteFile(path, b.Bytes(), 0o666))
}

//go:build exporttargets

package export_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/export"
	"haarlem/internal/must"
	"haarlem/models/facefast"
	"haarlem/track"
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
	return runC(t, v.compile, v.run, dir, "testdata/main.c")
}

// runC compiles and runs a program with the headers of a folder, and returns what it prints.
func runC(t *testing.T, compile, run []string, dir, source string) string {
	program := filepath.Join(t.TempDir(), "program")
	compile = slices.Concat(compile, []string{"-I", dir, "-o", program, source})
	if out, err := exec.Command(compile[0], compile[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(compile, " "), err, out)
	}
	return output(t, append(slices.Clone(run), program)...)
}

// TestTracker compares the exported trackers with package track, on drawn films.
func TestTracker(t *testing.T) {
	c := must.Get(facefast.Router())
	c.Name = "cascade"
	films, want := drawnFilms(t)
	if n := strings.Count(want, "\n"); n < 5000 {
		t.Errorf("only %d lines, so they prove little", n)
	}
	// A compiler may round a product and a sum in one step where C's standard is not asked
	// for; and x87 rounds twice.
	fused := func(name string) []string {
		switch v := slices.Clone(targets[name].compile); name {
		case "gcc32":
			return append(v, "-msse2", "-mfpmath=sse")
		case "riscv64", "s390x":
			return append(v, "-std=gnu99", "-ffp-contract=fast")
		default:
			return v
		}
	}
	for _, profile := range []export.Profile{export.Exact, export.Small} {
		e := must.Get(export.New(c, &export.Settings{WithoutVerifier: true, Profile: profile}))
		dir := t.TempDir()
		write(t, filepath.Join(dir, "cascade.h"), e.WriteC)
		write(t, filepath.Join(dir, "cascade.mjs"), e.WriteJavaScript)
		text := listed(films)
		for name, text := range map[string]string{"films.h": "static const int32_t films[] = {" + text + "};\n", "films.json": "[" + text + "]"} {
			must.Do(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
		for _, name := range strings.Split(*targetNames, ",") {
			// Only the type of scores is another.
			if profile == export.Exact && name != "gcc" || *fewGoldens && !slices.Contains([]string{"gcc", "riscv64", "node"}, name) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				var got string
				switch v, ok := targets[name]; {
				case name == "node":
					got = output(t, "node", "testdata/track.mjs", filepath.Join(dir, "cascade.mjs"), filepath.Join(dir, "films.json"))
				case !ok:
					t.Skip("no C")
				default:
					got = runC(t, fused(name), v.run, dir, "testdata/track.c")
				}
				if diff := difference(got, want); diff != "" {
					t.Error(diff)
				}
				if name == "clang" { // without room for all, and with sanitizers
					runC(t, append(fused(name), "-DCASCADE_TRACKS=3"), nil, dir, "testdata/track.c")
				}
			})
		}
	}
}

// TestBoards runs the examples for boards, with stand-ins for their headers: they find what
// the detector finds, and the same again, so that it gets its numbers.
func TestBoards(t *testing.T) {
	e := must.Get(export.New(must.Get(cascade.Open(tinyFile)), &export.Settings{Profile: export.Small, Scale: 1.2, Picture: image.Pt(160, 120)}))
	arm := targets["cortex-m4"]
	arm.compile = slices.DeleteFunc(slices.Clone(arm.compile), func(s string) bool { return slices.Contains(strict, s) && s != "-O2" })
	for _, v := range []struct {
		format, header, source string
		compile, run           []string
	}{
		{"arduino", "src", "examples/Find/Find.ino", []string{"g++", "-Wall", "-Wextra", "-Werror", "-include", "Arduino.h", "-x", "c++"}, nil},
		{"esp-idf", "include", "examples/find/main/main.c", targets["gcc"].compile, nil},
		{"esp-idf", "include", "examples/find/main/main.c", arm.compile, arm.run},
		{"zephyr", "include", "samples/find/src/main.c", arm.compile, arm.run},
	} {
		root := filepath.Join(t.TempDir(), "frontalface_tiny")
		for _, f := range must.Get(e.Files(context.Background(), v.format, samplePictures(t)[0])) {
			path := filepath.Join(root, "..", f.Path)
			must.Do(os.MkdirAll(filepath.Dir(path), 0o777))
			write(t, path, f.Write)
		}
		got := runC(t, slices.Concat(v.compile, []string{"-I", "testdata/boards"}), v.run, filepath.Join(root, v.header), filepath.Join(root, v.source))
		lines := strings.Split(strings.TrimSpace(got), "\n")
		n := len(lines) / 2
		if n < 5 || len(lines) != 2*n || !strings.HasPrefix(lines[n-1], fmt.Sprint(n-1, " objects, as the detector finds them")) ||
			lines[2*n-1][:20] != lines[n-1][:20] || lines[0][:2] != "0 " || lines[n][:2] != "1 " {
			t.Errorf("%s prints\n%s", v.format, got)
		}
	}
}

// drawnFilms returns films as testdata/track.c reads them, and what it prints: objects that
// come, pass each other, hide, are missed and found twice, and false positives.
func drawnFilms(t *testing.T) (films []int, want string) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(52, 6))
	for film := range 12 {
		const frames = 150
		strong, hits, misses, memory := 30*(film%2), 1+film%3, []int{8, 1, 3}[film%3], []int{2000, 600, -1, 5000}[film%4]
		bounds := image.Rect(0, 0, 320*(film%5), 240)
		films = append(films, strong, hits, misses, memory, bounds.Dx(), bounds.Dy(), frames)
		o := &track.Options{Strong: float64(strong), Hits: hits, Misses: misses, Memory: time.Duration(memory) * time.Millisecond, Bounds: bounds}
		tracker := must.Get(track.New(o))
		type body struct{ x, y, w, vx, vy, hidden float64 }
		var bodies []body
		at := 0
		for frame := range frames {
			at += []int{33, 40, 7, 100}[r.IntN(4)] * (1 + r.IntN(40)/39*20)
			if len(bodies) < 2+film%4 {
				bodies = append(bodies, body{r.Float64() * 320, r.Float64() * 240, 20 + r.Float64()*40, r.NormFloat64() * 3, r.NormFloat64() * 2, 0})
			}
			var found []detector.Detection
			add := func(x, y, w float64) {
				v := image.Rect(0, 0, int(w), int(w*1.2)).Add(image.Pt(int(x-w/2), int(y-w/2)))
				if r.IntN(100) == 0 {
					v.Max.X = v.Min.X
				}
				found = append(found, detector.Detection{Box: v, Score: float64(r.IntN(100))})
			}
			for i := range bodies {
				v := &bodies[i]
				v.x, v.y, v.w, v.hidden = v.x+v.vx, v.y+v.vy, v.w*(1+0.01*r.NormFloat64()), v.hidden-1
				if r.IntN(30) == 0 {
					v.hidden = r.Float64() * 30
				}
				for v.hidden <= 0 && r.IntN(8) > 0 {
					add(v.x+r.NormFloat64()*v.w/15, v.y+r.NormFloat64()*v.w/15, v.w*(1+0.06*r.NormFloat64()))
					if r.IntN(12) > 0 {
						break
					}
				}
			}
			bodies = slices.DeleteFunc(bodies, func(v body) bool { return v.x < -40 || v.x > 360 || v.y < -40 || v.y > 280 || r.IntN(200) == 0 })
			for r.IntN(6) == 0 {
				add(r.Float64()*320, r.Float64()*240, 20+r.Float64()*60)
			}
			films = append(films, at, len(found))
			for _, f := range found {
				films = append(films, f.Box.Min.X, f.Box.Min.Y, f.Box.Dx(), f.Box.Dy(), int(f.Score))
			}
			fmt.Fprint(&b, film, " ", frame)
			for _, n := range tracker.Update(time.Duration(at)*time.Millisecond, found) {
				fmt.Fprint(&b, " ", n)
			}
			b.WriteByte('\n')
			for _, v := range tracker.Tracks(time.Duration(at+40) * time.Millisecond) {
				fmt.Fprintln(&b, v.Number, v.Box.Min.X, v.Box.Min.Y, v.Box.Dx(), v.Box.Dy(), v.Hits, v.Misses, v.Last.Score, v.First.Milliseconds(), v.Seen.Milliseconds())
			}
		}
		if tracker.Count() < 5 {
			t.Errorf("film %d has %d tracks only", film, tracker.Count())
		}
	}
	return films, b.String()
}

// runNode is runTarget for JavaScript.
func runNode(t *testing.T, dir string, g *golden, e *export.Export) string {
	file, pictures := filepath.Join(dir, "cascade.mjs"), filepath.Join(dir, "pictures")
	if _, err := os.Stat(file); err != nil {
		write(t, file, e.WriteJavaScript)
	}
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

// listed are numbers with commas between.
func listed[T byte | int](all []T) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(all)), ","), "[]")
}

// picturesHeader returns pictures as C.
func picturesHeader(g *golden) []byte {
	var b bytes.Buffer
	widest := 0
	b.WriteString("typedef struct { const uint8_t *pixels; int32_t width, height; } picture;\n")
	for i, p := range g.pictures {
		widest = max(widest, p.Rect.Dx())
		fmt.Fprintf(&b, "static const uint8_t pixels_%d[] = {%s};\n", i, listed(p.Pix))
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
	lines := strings.Split(strings.TrimSpace(got), "\n")
	n := 0
	for i, p := range g.pictures {
		for _, neighbors := range []int{1, 3} {
			for _, f := range must.Get(e.Objects(context.Background(), p, neighbors)) {
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
	if n != len(lines) || n < 3 {
		t.Errorf("%d groups, and the detector has %d, want 3 at least", len(lines), n)
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
	b := must.Bytes(f)
	must.Do(os.WriteFile(path, b, 0o666))
}

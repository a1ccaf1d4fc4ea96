// Instructions counts the instructions of a search of an image, and of each kernel,
// with NEON, with AVX2 and in plain Go. No processor of either kind is needed:
// programs run in QEMU, where a plugin counts how often each block of instructions
// is executed, so the numbers are the same on every machine.
//
//	cd bench && go run ./instructions [-image FILE] [search|KERNEL...]
//
// It needs qemu-user (qemu-user-static has no plugins) and a C compiler.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"haarlem/bench/drawn"
)

//go:embed plugin/count.c
var plugin []byte

// A target is an architecture and a level of instructions.
type target struct {
	arch, level string
	emulator    []string
}

var targets = []target{
	{"arm64", "purego", []string{"qemu-aarch64"}},
	{"arm64", "neon", []string{"qemu-aarch64"}},
	{"amd64", "purego", haswell},
	{"amd64", "avx2", haswell},
}

var haswell = []string{"qemu-x86_64", "-cpu", "Haswell-noTSX,-invpcid,-tsc-deadline"}

func (t target) String() string { return t.arch + " " + t.level }

func main() {
	log.SetFlags(0)
	file := flag.String("image", "", "search this picture, cut and scaled to 1920x1080; default: a drawn one")
	model := flag.String("model", "face-fast", "name of the model")
	flag.Parse()
	what := flag.Args()
	if len(what) == 0 {
		what = append([]string{search}, packages...)
	}
	for _, w := range what {
		if w != search && !slices.Contains(packages, w) {
			log.Fatalf("%q: want %s, or kernels out of %s", w, search, strings.Join(packages, ", "))
		}
	}
	if err := run(*file, *model, what); err != nil {
		log.Fatal(err)
	}
}

// search stands for counting a whole search.
const search = "search"

func run(file, model string, what []string) error {
	dir, err := os.MkdirTemp("", "haarlem-instructions-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := &counter{dir: dir, library: filepath.Join(dir, "count.so")}
	source := filepath.Join(dir, "count.c")
	if err := os.WriteFile(source, plugin, 0o666); err != nil {
		return err
	}
	compiler := cmp.Or(os.Getenv("CC"), "cc")
	if err := quietly(exec.Command(compiler, "-O2", "-shared", "-fPIC", "-o", c.library, source)); err != nil {
		return err
	}
	if slices.Contains(what, search) {
		if err := searches(c, file, model); err != nil {
			return err
		}
	}
	if kernels := slices.DeleteFunc(slices.Clone(what), func(w string) bool { return w == search }); len(kernels) > 0 {
		return benchmarks(c, kernels)
	}
	return nil
}

// A counter counts instructions.
type counter struct{ dir, library string }

// quietly runs a command, whose output is for errors.
func quietly(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

// build runs the go command for an architecture.
func (c *counter) build(arch string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOARCH="+arch, "GOOS=linux", "CGO_ENABLED=0")
	return quietly(cmd)
}

// count runs a program, and returns the number of instructions executed, and the
// program's output.
func (c *counter) count(t target, program string, args ...string) (uint64, string, error) {
	out := filepath.Join(c.dir, "counts")
	all := slices.Concat(t.emulator[1:], []string{"-plugin", c.library + ",out=" + out, program}, args)
	cmd := exec.Command(t.emulator[0], all...)
	// One processor, since interleaving differs from run to run.
	cmd.Env = append(os.Environ(), "HAARLEM_CPU="+t.level, "GOMAXPROCS=1", "GOGC=off")
	var printed, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &complaints
	if err := cmd.Run(); err != nil {
		return 0, "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, complaints.Bytes())
	}
	f, err := os.Open(out)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	var sum uint64
	for s := bufio.NewScanner(f); s.Scan(); {
		var at, n uint64
		if _, err := fmt.Sscanf(s.Text(), "%x %d", &at, &n); err != nil {
			return 0, "", fmt.Errorf("%s: %q: %w", out, s.Text(), err)
		}
		sum += n
	}
	if sum == 0 {
		return 0, "", fmt.Errorf("%s: nothing was counted: this QEMU may lack plugins", t.emulator[0])
	}
	return sum, printed.String(), nil
}

// between returns the instructions of one iteration, from two runs of which the
// second has more iterations.
func between(few, many uint64, more int) float64 { return float64(many-few) / float64(more) }

// searches prints the instructions of one search.
func searches(c *counter, file, model string) error {
	g := drawn.Picture(1920, 1080, 1)
	if file != "" {
		var err error
		if g, err = drawn.Load(file, 1920, 1080); err != nil {
			return err
		}
	}
	picture := filepath.Join(c.dir, "picture.png")
	f, err := os.Create(picture)
	if err != nil {
		return err
	}
	if err := errors.Join(png.Encode(f, g), f.Close()); err != nil {
		return err
	}
	fmt.Printf("One search of 1920x1080 pixels with %s, one worker, in millions of instructions:\n\n", model)
	found := ""
	for i, t := range targets {
		program := filepath.Join(c.dir, "search-"+t.arch)
		if err := c.build(t.arch, "build", "-o", program, "haarlem/bench/instructions/search"); err != nil {
			return err
		}
		var runs [2]uint64
		for k := range runs {
			counts, printed, err := c.count(t, program, "-model", model, "-times", fmt.Sprint(1+k), picture)
			if err != nil {
				return err
			}
			if i+k == 0 {
				found = printed
			} else if printed != found {
				return fmt.Errorf("%v finds\n%swhere %v finds\n%s", t, printed, targets[0], found)
			}
			runs[k] = counts
		}
		fmt.Printf("%8.1f  %v\n", between(runs[0], runs[1], 1)/1e6, t)
	}
	return nil
}

// packages are the kernels with a benchmark that runs on each level.
var packages = []string{"sumtable", "contrast", "resize", "lanes", "quantize", "gradcells", "cropresize"}

var benchmark = regexp.MustCompile(`(?m)^Benchmark(\S*?)(?:-\d+)?\s`)

// benchmarks prints the instructions of one iteration of the kernels'
// benchmarks.
func benchmarks(c *counter, kernels []string) error {
	fmt.Print("\nOne iteration of each benchmark, in instructions:\n\n")
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "benchmark\tplain Go, arm64\tNEON\ttimes fewer\tAVX2\tNEON / AVX2\t")
	for _, p := range kernels {
		program := func(arch string) string { return filepath.Join(c.dir, p+"-"+arch) }
		for _, arch := range []string{"arm64", "amd64"} {
			if err := c.build(arch, "test", "-c", "-o", program(arch), "haarlem/internal/kernel/"+p); err != nil {
				return err
			}
		}
		// The names without the level.
		_, printed, err := c.count(targets[1], program("arm64"), "-test.run", "^$", "-test.bench", ".", "-test.benchtime", "1x")
		if err != nil {
			return err
		}
		for _, m := range benchmark.FindAllStringSubmatch(printed, -1) {
			parts := strings.Split(m[1], "/")
			if !slices.Contains(parts, "neon") {
				continue
			}
			sums := map[string]float64{}
			for _, t := range targets {
				if t.arch == "amd64" && t.level == "purego" {
					continue
				}
				sums[t.level], err = iteration(c, t, program(t.arch), parts)
				if err != nil {
					return err
				}
			}
			parts = slices.DeleteFunc(parts, func(s string) bool { return s == "neon" })
			fmt.Fprintf(w, "%s.%s\t%.0f\t%.0f\t%.1f\t%.0f\t%.2f\t\n", p, strings.Join(parts, "/"),
				sums["purego"], sums["neon"], sums["purego"]/sums["neon"], sums["avx2"], sums["neon"]/sums["avx2"])
		}
	}
	return w.Flush()
}

// iteration returns the instructions of one iteration of a benchmark. The part
// neon of its name is the level.
func iteration(c *counter, t target, program string, parts []string) (float64, error) {
	pattern := make([]string, len(parts))
	for i, p := range parts {
		switch {
		case i == 0:
			p = "Benchmark" + p
		case p == "neon":
			p = t.level
		}
		pattern[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	// Multiples of the numbers of records and windows in the benchmarks of
	// lanes.
	const few, many = 3200, 16000
	var runs [2]uint64
	for k, n := range []int{few, many} {
		counts, printed, err := c.count(t, program, "-test.run", "^$", "-test.bench", strings.Join(pattern, "/"), "-test.benchtime", fmt.Sprintf("%dx", n))
		if err != nil {
			return 0, err
		}
		if !benchmark.MatchString(printed) {
			return 0, fmt.Errorf("%v: no benchmark %s", t, strings.Join(pattern, "/"))
		}
		runs[k] = counts
	}
	return between(runs[0], runs[1], many-few), nil
}

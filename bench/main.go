// Bench measures Haarlem against OpenCV 4.6 and pigo: one search of one image, in
// alternating runs in one process. README.md explains the results.
//
//	cd bench && go run . [-image FILE] [-rounds N]
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"image"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"gocv.io/x/gocv"

	"haarlem/bench/drawn"
	"haarlem/bench/threads"
	"haarlem/internal/cpu"
	"haarlem/internal/cputime"
	shipped "haarlem/models"
)

// models are the cascades of the table.
var models = []struct{ label, file string }{
	{"default", "haarcascades/haarcascade_frontalface_default.xml"},
	{"alt", "haarcascades/haarcascade_frontalface_alt.xml"},
	{"alt2", "haarcascades/haarcascade_frontalface_alt2.xml"},
	{"lbp_improved", "lbpcascades/lbpcascade_frontalface_improved.xml"},
}

// errDiffers ends the program with status 1 after the whole table.
var errDiffers = errors.New("rectangles differ: the times above do not compare the same work")

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	file := flag.String("image", "", "measure on this picture, cut and scaled to 1920x1080; default: a drawn one")
	rounds := flag.Int("rounds", 9, "runs of each contender in a pair")
	data := flag.String("opencv", dataFolder(), "OpenCV's data folder (or HAARLEM_OPENCV_DATA)")
	only := flag.String("only", "opencv,models,pigo,workers,sizes", "tables to print")
	own := flag.String("models", strings.Join(shipped.Names(), ","), "for the table models: names of built-in models, or files")
	cpuTime := flag.Bool("cputime", false, "measure processor time instead of waiting time, but for several workers")
	flag.Parse()
	if flag.NArg() != 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	measured := "waiting time"
	if *cpuTime {
		clock, measured = cputime.Used, "processor time"
	}
	if err := run(*file, *data, measured, strings.Split(*only, ","), strings.Split(*own, ","), *rounds); err != nil {
		log.Fatal(err)
	}
}

// check ends the program with an error, if it is one.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// dataFolder is the folder of OpenCV's cascades.
func dataFolder() string {
	if d := os.Getenv("HAARLEM_OPENCV_DATA"); d != "" {
		return d
	}
	return "/usr/share/opencv4"
}

func run(file, data, measured string, only, own []string, rounds int) error {
	g, source := drawn.Picture(1920, 1080, 1), "drawn, seed 1"
	if file != "" {
		var err error
		g, err = drawn.Load(file, 1920, 1080)
		check(err)
		source = filepath.Base(file)
	}
	fmt.Printf("CPU       %s, %d in use, instructions %v\n", cpuName(), runtime.GOMAXPROCS(0), cpu.Current())
	fmt.Printf("Programs  %s %s/%s, OpenCV %s by gocv %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, gocv.OpenCVVersion(), gocv.Version())
	fmt.Printf("Picture   %dx%d, %s\n", g.Rect.Dx(), g.Rect.Dy(), source)
	fmt.Printf("Search    scale %v, minimum %d, neighbours %d; %s, median of %d runs a side, in turn\n", scale, minimum, neighbor, measured, rounds)

	tables := map[string]func(*image.Gray, string, int) error{
		"opencv": againstOpenCV, "models": ourModels(own), "pigo": againstPigo, "workers": workers, "sizes": sizes,
	}
	var failed error
	for _, name := range only {
		table, ok := tables[name]
		if !ok {
			return fmt.Errorf("no table %q, want opencv, models, pigo, workers or sizes", name)
		}
		if err := table(g, data, rounds); errors.Is(err, errDiffers) {
			failed = err // but print the rest
		} else if err != nil {
			return err
		}
	}
	return failed
}

// heading prints a title and starts a table.
func heading(title, columns string) *tabwriter.Writer {
	fmt.Printf("\n%s\n", title)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, columns)
	return t
}

// row prints the common cells of a pair: both medians and the ratio.
func row(t *tabwriter.Writer, label string, p paired, rest string) {
	r := quartiles(p.ratio)
	fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.2f\t%.2f - %.2f\t%s\t\n", label, quartiles(p.a).median, quartiles(p.b).median, r.median, r.low, r.high, rest)
}

// againstOpenCV compares one worker with OpenCV on one thread, time and rectangles.
func againstOpenCV(g *image.Gray, data string, rounds int) error {
	threads.Set(1)
	var failed error
	t := heading("One thread, against OpenCV", "cascade\tOpenCV ms\tHaarlem ms\tratio\tquartiles\tcandidates, groups\t")
	for _, m := range models {
		path := filepath.Join(data, m.file)
		verdict := ""
		for _, grouped := range []bool{false, true} {
			theirs := opencv(path, g, minimum, grouped)
			ours := haarlem(path, g, 1, grouped)
			want, got := theirs(), ours()
			if sameBoxes(got, want) {
				verdict += fmt.Sprintf(" %d same", len(want))
			} else {
				verdict += fmt.Sprintf(" %d DIFFER from %d", len(got), len(want))
				failed = errDiffers
			}
			if grouped {
				p := pair(rounds, func() { theirs() }, func() { ours() })
				row(t, m.label, p, verdict)
			}
		}
	}
	return errors.Join(failed, t.Flush())
}

// againstPigo compares our default cascade with pigo's own model.
func againstPigo(g *image.Gray, data string, rounds int) error {
	t := heading("One thread, against pigo with its own model (shift 0.1)", "cascade\tpigo ms\tHaarlem ms\tratio\tquartiles\tfound by pigo, by Haarlem\t")
	theirs := pigoFaces(g)
	ours := haarlem(filepath.Join(data, models[0].file), g, 1, true)
	found := fmt.Sprintf("%d, %d", len(theirs()), len(ours()))
	row(t, models[0].label, pair(rounds, func() { theirs() }, func() { ours() }), found)
	return t.Flush()
}

// workers compares one worker with two, by elapsed time.
func workers(g *image.Gray, data string, rounds int) error {
	defer func(c func() time.Duration) { clock = c }(clock)
	clock = wallClock
	t := heading("Two workers (waiting time)", "cascade\t1 worker ms\t2 workers ms\tratio\tquartiles\tresult\t")
	var failed error
	for _, m := range models {
		one := haarlem(filepath.Join(data, m.file), g, 1, true)
		two := haarlem(filepath.Join(data, m.file), g, 2, true)
		verdict := "same"
		if !sameBoxes(one(), two()) {
			verdict, failed = "DIFFERS", errDiffers
		}
		row(t, m.label, pair(rounds, func() { one() }, func() { two() }), verdict)
	}
	return errors.Join(failed, t.Flush())
}

// sizes shows the time per pixel of drawn images from small to large.
func sizes(_ *image.Gray, data string, rounds int) error {
	t := heading("Cost by size, one worker, drawn pictures, cascade default", "picture\tmegapixels\tms\tms a megapixel\t")
	for _, s := range []image.Point{{X: 640, Y: 480}, {X: 1920, Y: 1080}, {X: 6000, Y: 4000}} {
		g := drawn.Picture(s.X, s.Y, 1)
		ours := haarlem(filepath.Join(data, models[0].file), g, 1, true)
		ours() // the first run of a size allocates
		var times []float64
		for range rounds {
			times = append(times, milliseconds(func() { ours() }))
		}
		mega, ms := float64(s.X*s.Y)/1e6, quartiles(times).median
		fmt.Fprintf(t, "%dx%d\t%.2f\t%.1f\t%.1f\t\n", s.X, s.Y, mega, ms, ms/mega)
	}
	return t.Flush()
}

// cpuName reads the processor's name where the system has it.
func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if key, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

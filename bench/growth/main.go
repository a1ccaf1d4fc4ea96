// Growth measures how time and memory of a training grow with its data: faces and
// backgrounds that it draws, a soft cascade with histograms. Each size is a process of
// its own, so that its largest memory is known.
//
//	cd bench && go run ./growth 10000,10000 100000,10000 1000000,10000
//
// A size is a number of positives and one of backgrounds. Positives are variants of
// drawn faces: shifted, mirrored, with noise. There are no more than a thousand
// different backgrounds: further ones are the same pictures, cut in other places.
package main

import (
	"context"
	"flag"
	"fmt"
	"image"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"time"

	"haarlem/haar"
	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/samples/synth/scene"
	"haarlem/internal/train"
)

const (
	windowSide             = 24
	around                 = 4 // pixels that a drawn face is larger than a window
	faces                  = 2000
	groundWide, groundTall = 200, 150
	grounds                = 1000
)

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 30, "weak classifiers")
	features := flag.Int("features", 800, "features that the training chooses from")
	memory := flag.Int64("memory", 4096, "MiB that a training may use")
	profile := flag.String("profile", "", "profile the processor time, into this file")
	one := flag.Bool("one", false, "train the one size in this process; for the program itself")
	flag.Parse()
	if *one {
		p, b := pair(flag.Arg(0))
		if err := measure(p, b, *rounds, *features, *memory<<20, *profile); err != nil {
			log.Fatal(err)
		}
		return
	}
	fmt.Println("| positives | backgrounds | training, s | processor time, s | largest memory, MiB |\n| --- | --- | --- | --- | --- |")
	for _, size := range flag.Args() {
		pair(size)
		self, err := os.Executable()
		if err != nil {
			log.Fatal(err)
		}
		cmd := exec.Command(self, "-one", "-rounds", strconv.Itoa(*rounds), "-features", strconv.Itoa(*features),
			"-memory", strconv.FormatInt(*memory, 10), "-profile", *profile, size)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			log.Fatalf("%s: %v", size, err)
		}
	}
}

func pair(text string) (a, b int) {
	x, y, _ := strings.Cut(text, ",")
	a, err := strconv.Atoi(x)
	if err == nil {
		b, err = strconv.Atoi(y)
	}
	if err != nil || a < 1 || b < 1 {
		log.Fatalf("%q: want POSITIVES,BACKGROUNDS", text)
	}
	return a, b
}

func measure(positives, backgrounds, rounds, features int, memory int64, profile string) error {
	data := drawn(positives, backgrounds)
	debug.SetMemoryLimit(memory - memory/32)
	debug.SetGCPercent(50)
	runtime.GC()
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	before, begin := used(), time.Now()
	r, err := train.Run(context.Background(), data, &train.Settings{
		Name: "growth", Width: windowSide, Height: windowSide, Shape: train.Soft, Booster: train.RAB, Weak: train.Histograms, Set: haar.Core,
		Soft: train.SoftGoals{Rounds: rounds, Loss: 0.05}, Features: features, Negatives: positives, Memory: memory, Seed: 1,
	}, &train.Hooks{Save: func(s *train.State) error { return s.Encode(io.Discard) }})
	if err != nil {
		return err
	}
	after := used()
	fmt.Printf("| %d | %d | %.1f | %.1f | %d |\n", positives, backgrounds, time.Since(begin).Seconds(), (after.time - before.time).Seconds(), after.memory>>20)
	last := r.Steps[len(r.Steps)-1]
	if len(r.Cascade.Weak) < rounds || last.Negatives < positives || last.Features < features {
		log.Printf("%d weak classifiers of %d features from %d negatives, and it ended: %v", len(r.Cascade.Weak), last.Features, last.Negatives, r.Reason)
	}
	return nil
}

// drawn returns data of a size.
func drawn(positives, backgrounds int) *train.Data {
	workers := runtime.GOMAXPROCS(0)
	data := &train.Data{Positives: make([]*image.Gray, positives)}
	plain := scene.Windows(facemodel.Builtin(), min(positives, faces), windowSide+around, 1, workers)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range data.Positives {
		data.Positives[i] = variant(plain[i%len(plain)], rng)
	}
	different := scene.Backgrounds(min(backgrounds, grounds), groundWide, groundTall, 1, workers)
	for i := range backgrounds {
		g := different[i%len(different)]
		by := i / len(different) % 50
		data.Backgrounds = append(data.Backgrounds, train.Plain{Gray: g.SubImage(image.Rect(by, by/2, groundWide, groundTall)).(*image.Gray)})
	}
	return data
}

// variant returns a window of a face.
func variant(face *image.Gray, rng *rand.Rand) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, windowSide, windowSide))
	x, y, mirrored := rng.IntN(around+1), rng.IntN(around+1), rng.IntN(2) == 1
	for v := range windowSide {
		row := g.Pix[v*g.Stride:][:windowSide]
		for u := range row {
			from := x + u
			if mirrored {
				from = x + windowSide - 1 - u
			}
			row[u] = uint8(min(max(int(face.Pix[(y+v)*face.Stride+from])+rng.IntN(17)-8, 0), 255))
		}
	}
	return g
}

// An amount is what the process has used.
type amount struct {
	time   time.Duration
	memory int64 // the most at one time, in bytes
}

func used() amount {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return amount{time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss << 10}
}

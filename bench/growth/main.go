// Growth measures how time and memory of a training grow with its data: drawn faces
// and backgrounds, a soft cascade with histograms. Each size is a process of its own,
// so that its largest memory is known.
//
//	cd bench && go run ./growth -positives 10000,100000 -backgrounds 1000,10000
//
// There are no more than a thousand different backgrounds: further ones are the same
// pictures, cut in other places.
package main

import (
	"context"
	"flag"
	"fmt"
	"image"
	"log"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"haarlem/cascade/train"
	"haarlem/haar"
	"haarlem/samples/synth/facemodel"
	"haarlem/samples/synth/scene"
)

const (
	windowSide             = 24
	groundWide, groundTall = 200, 150
	different              = 1000
)

func main() {
	log.SetFlags(0)
	positives := flag.String("positives", "10000,30000,100000", "numbers of positives")
	backgrounds := flag.String("backgrounds", "1000,10000,100000", "numbers of backgrounds")
	rounds := flag.Int("rounds", 100, "weak classifiers")
	memory := flag.Int64("memory", 4096, "MiB that a training may use")
	one := flag.String("one", "", "train this size, POSITIVES,BACKGROUNDS; for the program itself")
	flag.Parse()
	if *one != "" {
		p, b := pair(*one)
		if err := measure(p, b, *rounds, *memory<<20); err != nil {
			log.Fatal(err)
		}
		return
	}
	fmt.Println("| positives | backgrounds | drawing, s | training, s | processor time, s | largest memory, MiB |\n| --- | --- | --- | --- | --- | --- |")
	for _, size := range sizes(strings.Split(*positives, ","), strings.Split(*backgrounds, ",")) {
		self, err := os.Executable()
		if err != nil {
			log.Fatal(err)
		}
		cmd := exec.Command(self, "-one", size, "-rounds", strconv.Itoa(*rounds), "-memory", strconv.FormatInt(*memory, 10))
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			log.Fatalf("%s: %v", size, err)
		}
	}
}

// sizes are all positives with the first backgrounds, and the first positives with all
// further backgrounds.
func sizes(positives, backgrounds []string) []string {
	var all []string
	for _, p := range positives {
		all = append(all, p+","+backgrounds[0])
	}
	for _, b := range backgrounds[1:] {
		all = append(all, positives[0]+","+b)
	}
	return all
}

func pair(text string) (a, b int) {
	x, y, _ := strings.Cut(text, ",")
	a, err := strconv.Atoi(x)
	if err == nil {
		b, err = strconv.Atoi(y)
	}
	if err != nil || a < 1 || b < 1 {
		log.Fatalf("%q: want two numbers", text)
	}
	return a, b
}

func measure(positives, backgrounds, rounds int, memory int64) error {
	begin := time.Now()
	data := &train.Data{Positives: scene.Windows(facemodel.Builtin(), positives, windowSide, 1, runtime.GOMAXPROCS(0))}
	drawn := scene.Backgrounds(min(backgrounds, different), groundWide, groundTall, 1, runtime.GOMAXPROCS(0))
	for i := range backgrounds {
		g := drawn[i%len(drawn)]
		by := i / len(drawn) % 50
		data.Backgrounds = append(data.Backgrounds, train.Plain{Gray: g.SubImage(image.Rect(by, by/2, groundWide, groundTall)).(*image.Gray)})
	}
	drawing := time.Since(begin)
	debug.SetMemoryLimit(memory - memory/32)
	debug.SetGCPercent(50)
	runtime.GC()
	before := used()
	begin = time.Now()
	r, err := train.Run(context.Background(), data, &train.Settings{
		Name: "growth", Width: windowSide, Height: windowSide, Shape: train.Soft, Booster: train.RAB, Weak: train.Histograms, Set: haar.Core,
		Soft: train.SoftGoals{Rounds: rounds, Loss: 0.05}, Features: 8000, Negatives: positives, Memory: memory, Seed: 1,
	}, nil)
	if err != nil {
		return err
	}
	after := used()
	fmt.Printf("| %d | %d | %.1f | %.1f | %.1f | %d |\n", positives, backgrounds, drawing.Seconds(), time.Since(begin).Seconds(),
		(after.time - before.time).Seconds(), after.memory>>20)
	if len(r.Cascade.Weak) < rounds {
		log.Printf("%d weak classifiers, and it ended: %v", len(r.Cascade.Weak), r.Reason)
	}
	return nil
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

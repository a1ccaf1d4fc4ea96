package train_test

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"haarlem/haar"
	"haarlem/internal/must"
	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/samples/synth/scene"
	"haarlem/internal/train"
)

var (
	tenth        = flag.Bool("tenth", false, "let TestRepeat train with a tenth of what models take, too: half a minute")
	updateRepeat = flag.Bool("update-repeat", false, "write testdata/repeat.txt, after a change that is meant to change what trainings give")
)

const shortSide = 16

// repeats are the settings of the built-in models at a tenth of the size, or a
// hundredth for everyday use and emulators.
func repeats(short bool) []*train.Settings {
	soft := &train.Settings{
		Name: "soft", Shape: train.Soft, Booster: train.LB, Weak: train.Histograms, Set: haar.Core,
		Soft: train.SoftGoals{Rounds: 90, Loss: 0.08}, Features: 1200, Share: 0.4, MinStdDev: 3, Negatives: 4000, Seed: 3,
	}
	staged := &train.Settings{
		Name: "staged", Booster: train.GAB, Depth: 2, Set: haar.Basic,
		Stages: train.StageGoals{Count: 8, HitRate: 0.995, FalsePositiveRate: 0.4, MaxWeak: 40}, Features: 4000, Negatives: 2000, Seed: 4,
	}
	if short {
		for _, s := range []*train.Settings{soft, staged} {
			s.Name += ", short"
			s.Width, s.Height = shortSide, shortSide
			s.Soft.Rounds, s.Stages.Count, s.Features, s.Negatives = 24, 4, 300, 200
		}
	}
	return []*train.Settings{soft, staged}
}

// The same command gives the same bytes on another machine: drawn faces, the
// training, the exits, the file. CI runs this with all levels of instructions,
// and on another processor.
func TestRepeat(t *testing.T) {
	path := filepath.Join("testdata", "repeat.txt")
	golden, err := os.ReadFile(path)
	if err != nil && !*updateRepeat {
		t.Fatal(err)
	}
	sizes := []bool{true}
	if *tenth || *updateRepeat {
		sizes = append(sizes, false)
	}
	var lines strings.Builder
	for _, short := range sizes {
		data := drawn(short)
		for _, s := range repeats(short) {
			r := must.Get(train.Run(context.Background(), data, s, nil))
			c := r.Cascade
			if c == nil {
				t.Fatalf("%s: no cascade: %v", s.Name, r.Reason)
			}
			file := must.Bytes(c.Encode)
			line := fmt.Sprintf("%x %s\n", sha256.Sum256(file), s.Name)
			lines.WriteString(line)
			if !*updateRepeat && !strings.Contains(string(golden), line) {
				t.Errorf("%s: %d weak classifiers, want another cascade; %s has\n%sand this one is\n%sIf trainings are meant to give something else now, run this test with -update-repeat", s.Name, len(c.Weak), path, golden, line)
			}
		}
	}
	if *updateRepeat {
		must.Do(os.MkdirAll("testdata", 0o777))
		must.Do(os.WriteFile(path, []byte(lines.String()), 0o666))
	}
}

// drawn draws faces in windows, and backgrounds, once for all settings.
func drawn(short bool) *train.Data {
	side, faces, pictures, width, height := 24, 3000, 60, 640, 480
	if short {
		side, faces, pictures, width, height = shortSide, 150, 4, 320, 240
	}
	data := &train.Data{Positives: scene.Windows(facemodel.Builtin(), faces, side, 3, runtime.GOMAXPROCS(0))}
	for _, g := range scene.Backgrounds(pictures, width, height, 3, runtime.GOMAXPROCS(0)) {
		data.Backgrounds = append(data.Backgrounds, train.Plain{Gray: g})
	}
	return data
}

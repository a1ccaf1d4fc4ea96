package main

import (
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// draw writes a picture of noise, with a bright cross or without.
func draw(t *testing.T, path string, size image.Point, cross bool, r *rand.Rand) {
	t.Helper()
	g := picturetest.Grey(size.X, size.Y, func(int, int) uint8 { return uint8(40 + r.IntN(120)) })
	if cross {
		for i := range 14 {
			for k := range 4 {
				g.Pix[g.PixOffset(1+i, 6+k)], g.Pix[g.PixOffset(6+k, 1+i)] = 230, 230
			}
		}
	}
	picturetest.Save(path, g)
}

// A training whose negatives workers of an engine find has the bytes of one that is
// alone.
func TestMine(t *testing.T) {
	dir := t.TempDir()
	trainer := filepath.Join(dir, "train-cascade")
	build := exec.Command("go", "build", "-o", trainer, "./cmd/train-cascade")
	build.Dir = "../.."
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r := rand.New(rand.NewPCG(3, 9))
	for _, folder := range []string{"pos", "bg", "mine"} {
		must.Do(os.Mkdir(filepath.Join(dir, folder), 0o777))
	}
	for i := range 100 {
		draw(t, filepath.Join(dir, "pos", fmt.Sprintf("%03d.png", i)), image.Pt(16, 16), true, r)
	}
	for i := range 8 {
		draw(t, filepath.Join(dir, "bg", fmt.Sprintf("%d.png", i)), image.Pt(320, 240), false, r)
	}
	train := func(out string, more ...string) *exec.Cmd {
		c := exec.Command(trainer, append([]string{"train", "-pos", "pos", "-bg", filepath.Join(dir, "bg"), "-w", "16", "-h", "16", "-features", "300", "-numNeg", "300",
			"-acceptanceRatioBreakValue", "-1", "-shape", "soft", "-weak", "histogram", "-bt", "RAB", "-rounds", "20", "-turn-bg", "4", "-data", out}, more...)...)
		c.Dir = dir
		return c
	}
	if text, err := train("alone").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	job, said := start(t, "-mine", filepath.Join(dir, "mine"), "-shards", "3")
	if text, err := train("helped", "-mine", "mine", "-workers", "1").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := job.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if !regexp.MustCompile(`(?m)^[1-9]\d* shards of a training's waves in `).MatchString(said.String()) {
		t.Errorf("the engine's workers did nothing: %s", said)
	}
	want := must.Get(os.ReadFile(filepath.Join(dir, "alone", "cascade.cascade")))
	got := must.Get(os.ReadFile(filepath.Join(dir, "helped", "cascade.cascade")))
	if string(got) != string(want) {
		t.Error("workers of an engine change the cascade")
	}
	for _, args := range [][]string{{"-mine", filepath.Join(dir, "nowhere")}, {"-mine", dir, "-shards", "0"}} {
		if out, err := call(t, args...); err == nil || err.(*exec.ExitError).ExitCode() != 2 {
			t.Errorf("%q: %v: %s", args, err, out)
		}
	}
}

package network

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/cpu"
	"haarlem/internal/must"
)

func quick() *Settings {
	return &Settings{Step: cascade.NetworkStep{Side: 12, Sides: 1.25, Layers: []cascade.NetworkLayer{
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 8},
		{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 16},
		{Kind: cascade.Dense, Outputs: 16},
		{Kind: cascade.Dense, Outputs: 5},
	}}, Iterations: 24, Batch: 64, Save: 7, Seed: 3}
}

var updateRepeat = flag.Bool("update-repeat", false, "write testdata/repeat.txt, after a change that is meant to change what trainings give")

// The same seed gives the same network for any number of workers, on every level and
// other machines, and after every interruption.
func TestRepeat(t *testing.T) {
	photos := scenes(6)
	var states []*State
	s := quick()
	s.Iterations, s.Batch, s.Mines, s.Save, s.Workers = 12, 48, 2, 5, 1
	want := must.Get(Train(context.Background(), photos, s, &Hooks{Save: func(v *State) error {
		states = append(states, v)
		return nil
	}}))
	golden, sum := filepath.Join("testdata", "repeat.txt"), fmt.Sprintf("%x\n", sha256.Sum256(fmt.Append(nil, *want)))
	if *updateRepeat {
		must.Do(os.MkdirAll("testdata", 0o777))
		must.Do(os.WriteFile(golden, []byte(sum), 0o666))
	}
	if have, err := os.ReadFile(golden); err != nil || string(have) != sum {
		t.Errorf("another network than that of %s (%v): %+v. If trainings are meant to give something else now, run this test with -update-repeat", golden, err, want)
	}
	check := func(name string, s *Settings, hooks *Hooks) {
		t.Helper()
		got, err := Train(context.Background(), photos, s, hooks)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: another network", name)
		}
	}
	s.Workers = 3 // of 3 groups
	check("three workers", s, nil)
	for _, level := range cpu.Available() {
		cpu.ForTest(t, level)
		check(level.String(), s, nil)
	}
	if len(states) != 3 { // one in 8 bits, and one of the end
		t.Fatalf("%d checkpoints, want 3", len(states))
	}
	for _, v := range states {
		var b bytes.Buffer
		must.Do(v.Encode(&b))
		v := must.Get(DecodeState(&b))
		check("resumed", s, &Hooks{Resume: v})
	}
	s.Seed++
	if _, err := Train(context.Background(), photos, s, &Hooks{Resume: states[0]}); !errors.Is(err, ErrState) {
		t.Errorf("a checkpoint of other settings: %v, want ErrState", err)
	}
}

// A training learns, corrects boxes, and loses little by 8 bits. What it passes are
// the objects.
func TestTrain(t *testing.T) {
	photos := scenes(60)
	s := quick()
	s.Iterations, s.Save = 500, 1000
	r := must.Get(Train(context.Background(), photos, s, nil))
	t.Logf("float %+v, rounded %+v, final %+v, threshold %v", r.Float, r.Rounded, r.Final, r.Step.Threshold)
	if r.Final.Missed > 0.2 || r.Final.Label > 1.5*r.Float.Label+0.02 || r.Final.Box > 0.08 {
		t.Errorf("in 8 bits %+v, in floats %+v", r.Final, r.Float)
	}
	test := scenes(90)[60:]
	r.Step.Overlap = 0.3
	passed := must.Get(Survivors(context.Background(), test, &r.Step, 2))
	found, objects, boxes := 0, 0, 0
	for p, photo := range passed {
		if len(test[p].Candidates) == len(photo.Candidates) {
			t.Error("all candidates of a photograph passed")
		}
		for _, o := range photo.Objects {
			best := 0.0
			for _, c := range photo.Candidates {
				best = max(best, c.Box.IoU(o.Box))
			}
			if objects++; best > 0.6 {
				found++
			}
		}
		boxes += len(photo.Candidates)
	}
	t.Logf("%d of %d objects found by %d boxes", found, objects, boxes)
	if found < objects*9/10 || boxes > 2*objects {
		t.Errorf("%d of %d objects found by %d boxes", found, objects, boxes)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Train(ctx, scenes(3), quick(), &Hooks{Progress: func(p Progress) {
		if p.Iteration == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context was cancelled", err)
	}
}

func TestErrors(t *testing.T) {
	photos := scenes(2)
	for name, change := range map[string]func(s *Settings){
		"batch":  func(s *Settings) { s.Batch = 20 },
		"rate":   func(s *Settings) { s.Rate = -1 },
		"shape":  func(s *Settings) { s.Step.Layers = s.Step.Layers[:3] },
		"kernel": func(s *Settings) { s.Step.Layers[2].Kernel = 9 },
		"sides":  func(s *Settings) { s.Step.Sides = 0 },
	} {
		s := quick()
		change(s)
		if _, err := Train(context.Background(), photos, s, nil); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: %v, want ErrSettings", name, err)
		}
	}
	photos[1].Objects[0].Box.Width = -1
	if _, err := Train(context.Background(), photos, quick(), nil); !errors.Is(err, ErrData) {
		t.Errorf("a box without width: %v, want ErrData", err)
	}
}

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/must"
)

func TestPrune(t *testing.T) {
	args := []string{"prune", "-model", hundred, "-truth", groupTruth, "-stride", "2", "-loss", "0.1", "-loss-power", "0.5"}
	out, c := makeTwice(t, filepath.Join(t.TempDir(), "a.cascade"), args)
	if !strings.HasPrefix(out, "1 of 1") || !strings.Contains(out, " objects that were found are lost: ") {
		t.Errorf("it says %q", out)
	}
	was := must.Get(cascade.Open(hundred))
	higher, last := 0, len(c.Exits)-1
	for e, x := range c.Exits {
		if x.Threshold > was.Exits[e].Threshold {
			higher++
		}
	}
	if higher < last/2 || c.Exits[last] != was.Exits[last] || c.Search.Stride != 2 || c.Calibration != nil {
		t.Errorf("%d of %d thresholds are higher, the last one is %v, was %v; stride %d, %v", higher, last, c.Exits[last], was.Exits[last], c.Search.Stride, c.Calibration)
	}
	p := c.Provenance
	if !strings.HasPrefix(p.Note, was.Provenance.Note+"\nThresholds raised on 1") || !strings.Contains(p.Command, "train-cascade prune -model ") || !strings.Contains(p.Command, " -loss 0.1 ") {
		t.Errorf("note %q, command %q", p.Note, p.Command)
	}
	// The thresholds are the same on every machine.
	h := sha256.New()
	for _, x := range c.Exits {
		fmt.Fprintln(h, x.Threshold)
	}
	const want = "f1ad6b9ac31e3673"
	if got := fmt.Sprintf("%x", h.Sum(nil))[:16]; got != want {
		t.Errorf("the thresholds have the sum %s, want %s", got, want)
	}
}

func TestPruneErrors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.cascade")
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"more", 2, "takes flags only"},
		{"-out " + out, 2, "name a model with -model"},
		{"-model " + hundred, 2, "name one with -out"},
		{"-model " + hundred + " -out " + out, 2, "name a file with -truth"},
		{"-model " + hundred + " -truth " + groupTruth + " -out " + out + " -loss 1", 2, "Loss"},
		{"-model " + hundred + " -truth " + groupTruth + " -out " + out + " -scale 0.9", 2, "scale"},
		{"-model " + hundred + " -truth " + groupTruth + " -out " + out + " -min-size 200", 1, "none of the objects is found"},
		{"-model frontalface-opencv -truth " + groupTruth + " -out " + out, 1, "score starts again"},
		{"-model nothing.cascade -truth " + groupTruth + " -out " + out, 2, "nothing.cascade"},
	} {
		_, errs, status := call(t, append([]string{"prune"}, strings.Fields(test.args)...)...)
		if status != test.status || !strings.Contains(strings.ToLower(errs), strings.ToLower(test.want)) {
			t.Errorf("%s: status %d, %q; want %d and %q", test.args, status, errs, test.status, test.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a model was written")
	}
}

package boost_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/boost/boosttest"
	"haarlem/internal/must"
)

var update = flag.Bool("update", false, "write testdata/bits.txt")

// TestBits: the same data, settings and seed make the same bytes on every
// architecture. The file has a hash of the model of each method of the
// conformance suite, and of each on-line learner; to make it anew after a change that is meant to change
// models, run
//
//	go test ./boost -run TestBits -update
func TestBits(t *testing.T) {
	d := boosttest.WithMissing(300, 77)
	// Weights of few bits, so that the table itself is the same everywhere;
	// its values come from the normal generator, which uses no logarithms but
	// in the far tail.
	for i := range d.Weights {
		d.Weights[i] = float64(i%7 + 1)
	}
	for _, c := range d.Columns {
		for i, v := range c {
			if v == v {
				c[i] = float64(int(v*4096)) / 4096
			}
		}
	}
	var lines []string
	for _, m := range methods {
		d := d
		if m.Recode != nil {
			recoded := *d
			recoded.Columns = nil
			for _, c := range d.Columns {
				c = slices.Clone(c)
				for i, v := range c {
					if v == v {
						c[i] = m.Recode(v)
					}
				}
				recoded.Columns = append(recoded.Columns, c)
			}
			d = &recoded
		}
		res := must.Get(boost.Fit(context.Background(), d, m.Booster, m.Learner, &boost.Settings{Rounds: 12, Seed: 3, Shrinkage: 0.9, Trim: 0.02}))
		var b bytes.Buffer
		if err := res.Model.Save(&b); errors.Is(err, boost.ErrUnsaved) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		name := m.Name
		if name == "" {
			name = m.Booster.Name() + "/" + m.Learner.Name()
		}
		lines = append(lines, fmt.Sprintf("%s %x", name, sha256.Sum256(b.Bytes())))
	}
	const file = "testdata/bits.txt"
	if *update {
		must.Do(os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	}
	text := must.Get(os.ReadFile(file))
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(want) != len(lines) {
		t.Fatalf("%d methods, %s has %d", len(lines), file, len(want))
	}
	for k := range lines {
		if lines[k] != want[k] {
			t.Errorf("%s, want %s", lines[k], want[k])
		}
	}
}

//go:build gocv

package cascade_test

import (
	"flag"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"
)

var randomRuns = flag.Int("parity.runs", 400, "random cascades that TestParityRandom draws")
var randomSeed = flag.Uint64("parity.seed", 1, "seed of TestParityRandom")

// oracle is a cascade loaded by OpenCV. Close it once.
type oracle struct{ c gocv.CascadeClassifier }

func newOracle(t testing.TB, path string) *oracle {
	t.Helper()
	o := &oracle{gocv.NewCascadeClassifier()}
	if !o.c.Load(path) {
		o.close()
		t.Fatalf("OpenCV cannot load %s", path)
	}
	return o
}

func (o *oracle) close() { o.c.Close() }

// detect returns OpenCV's rectangles. The picture must have no gaps between rows.
func (o *oracle) detect(t testing.TB, g *image.Gray, s search) []image.Rectangle {
	t.Helper()
	m, err := gocv.NewMatFromBytes(g.Rect.Dy(), g.Rect.Dx(), gocv.MatTypeCV8U, g.Pix)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	return o.c.DetectMultiScaleWithParams(m, s.scale, s.neighbors, 0, s.min, s.max)
}

// TestParityRandom lets OpenCV and the reference run random cascades over
// random pictures with random options.
func TestParityRandom(t *testing.T) {
	found, empty := 0, 0
	path := filepath.Join(t.TempDir(), "random.xml")
	for i := range *randomRuns {
		seed := *randomSeed + uint64(i)
		r := rand.New(rand.NewPCG(seed, 0))
		sh := randomShape(r)
		d := randomCascade(r, sh)
		if err := os.WriteFile(path, openCVXML(d), 0o666); err != nil {
			t.Fatal(err)
		}
		o := newOracle(t, path)
		for range 4 {
			p := randomPicture(r)
			g := p.draw()
			s := randomSearch(r, p.w, p.h)
			want := o.detect(t, g, s)
			got := referenceDetect(d.model, g, s)
			found += len(want)
			if len(want) == 0 {
				empty++
			}
			if diff := difference(got, want); diff != "" {
				t.Errorf("-parity.seed %d: %+v on %s with %+v: reference against OpenCV: %s", seed, sh, p.name(), s, diff)
			}
		}
		o.close()
	}
	t.Logf("%d rectangles, %d of %d runs without any", found, empty, 4**randomRuns)
}

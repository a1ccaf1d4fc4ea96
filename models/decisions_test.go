package models_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"image"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/picture"
)

var writeDecisions = flag.Bool("write-decisions", false, "write testdata/decisions.txt")

// Every committed model decides as it always has: boxes, scores and counts, to the
// bit, of drawn pictures and of blurred noise. testdata/decisions.txt has a line for
// each model, with the number of detections and a hash of them: as the model is, with
// every score, and every candidate of the cascade alone, with thresholds so low that there are some.
func TestDecisions(t *testing.T) {
	pictures := []*image.Gray{blurredNoise()}
	for _, name := range []string{"group", "room"} {
		p := must.Get(picture.Open("../samples/"+name+".png", nil))
		g := image.NewGray(image.Rect(0, 0, p.Image.Bounds().Dx()/2, p.Image.Bounds().Dy()/2))
		for i := range g.Pix {
			x, y := i%g.Stride, i/g.Stride
			r, gr, b, _ := p.Image.At(2*x, 2*y).RGBA()
			g.Pix[i] = byte((r + 2*gr + b) >> 10)
		}
		pictures = append(pictures, g)
	}
	var paths []string
	must.Do(filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".cascade") {
			paths = append(paths, filepath.ToSlash(path))
		}
		return err
	}))
	var got strings.Builder
	for _, path := range paths {
		c := must.Get(cascade.Open(path))
		raw := *c
		raw.Verifier, raw.Calibration, raw.Search.MinScore = nil, nil, 0
		raw.Exits = slices.Clone(c.Exits)
		var candidates string
		for lower := float32(0.5); candidates == "" || strings.HasPrefix(candidates, "0 "); lower *= 2 {
			for i := range raw.Exits {
				raw.Exits[i].Threshold = c.Exits[i].Threshold - lower
			}
			candidates = decisions(t, pictures, &detector.Options{Ungrouped: true}, &raw)
		}
		fmt.Fprintf(&got, "%s %s %s %s\n", path,
			decisions(t, pictures, nil, c),
			decisions(t, pictures, &detector.Options{MinScore: 1e-12}, c),
			candidates)
	}
	const golden = "testdata/decisions.txt"
	if *writeDecisions {
		must.Do(os.WriteFile(golden, []byte(got.String()), 0o666))
	}
	want := must.Get(os.ReadFile(golden))
	if got.String() != string(want) {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
}

// decisions counts and hashes the detections in pictures.
func decisions(t *testing.T, pictures []*image.Gray, o *detector.Options, c *cascade.Cascade) string {
	t.Helper()
	d := must.Get(detector.New(o, c))
	n, hash := 0, fnv.New64a()
	for _, p := range pictures {
		found := must.Get(d.AppendDetect(t.Context(), nil, p))
		for _, f := range found {
			fmt.Fprintf(hash, "%v %x %d\n", f.Box, math.Float64bits(f.Score), f.Neighbors)
		}
		n += len(found)
	}
	return fmt.Sprintf("%d %016x", n, hash.Sum64())
}

// blurredNoise has edges of all directions and sizes.
func blurredNoise() *image.Gray {
	g := image.NewGray(image.Rect(0, 0, 240, 180))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		r := image.Rect(0, 0, 3+rng.IntN(40), 3+rng.IntN(40)).Add(image.Pt(rng.IntN(240)-20, rng.IntN(180)-20)).Intersect(g.Rect)
		grey := rng.IntN(256)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				p := &g.Pix[g.PixOffset(x, y)]
				*p = byte((int(*p) + grey) / 2)
			}
		}
	}
	return g
}

// Package pico checks haarlem/cascade/pico against github.com/esimov/pigo.
package pico

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"image"
	"image/draw"
	_ "image/png"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	pigo "github.com/esimov/pigo/core"

	"haarlem/cascade/pico"
	"haarlem/internal/must"
)

var update = flag.Bool("update", false, "write the goldens of cascade/pico")

const goldens = "../../cascade/pico/"

// facefinder returns the model in pigo's module.
func facefinder(t testing.TB) []byte {
	t.Helper()
	dir := must.Get(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/esimov/pigo").Output())
	return must.Get(os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "cascade", "facefinder")))
}

func group(t testing.TB) *image.Gray {
	t.Helper()
	f := must.Get(os.Open("../../samples/group.png"))
	defer f.Close()
	m, _ := must.Get2(image.Decode(f))
	g := image.NewGray(m.Bounds())
	draw.Draw(g, g.Rect, m, m.Bounds().Min, draw.Src)
	return g
}

// both are a model in both programs.
type both struct {
	ours   *pico.Model
	theirs *pigo.Pigo
}

func read(t testing.TB, data []byte) both {
	t.Helper()
	ours := must.Get(pico.Read(bytes.NewReader(data)))
	var back bytes.Buffer
	if _, err := ours.WriteTo(&back); err != nil || !bytes.Equal(back.Bytes(), data) {
		t.Fatalf("written back: %d bytes of %d are not the same, %v", back.Len(), len(data), err)
	}
	theirs := must.Get(pigo.NewPigo().Unpack(data))
	return both{ours, theirs}
}

// compact copies a picture without gaps between rows, from column and row 0: pigo
// knows no other.
func compact(g *image.Gray) *image.Gray {
	c := image.NewGray(image.Rect(0, 0, g.Rect.Dx(), g.Rect.Dy()))
	draw.Draw(c, c.Rect, g, g.Rect.Min, draw.Src)
	return c
}

func (b both) theirsIn(g *image.Gray, o pico.Options) (all, clusters []pico.Detection) {
	g = compact(g)
	convert := func(found []pigo.Detection) (all []pico.Detection) {
		for _, d := range found {
			all = append(all, pico.Detection{Row: d.Row, Col: d.Col, Scale: d.Scale, Q: d.Q})
		}
		return all
	}
	found := b.theirs.RunCascade(pigo.CascadeParams{
		MinSize: o.MinSize, MaxSize: o.MaxSize, ShiftFactor: o.Shift, ScaleFactor: o.Scale,
		ImageParams: pigo.ImageParams{Pixels: g.Pix, Rows: g.Rect.Dy(), Cols: g.Rect.Dx(), Dim: g.Rect.Dx()},
	}, o.Angle)
	all = convert(found) // which clustering sorts
	return all, convert(b.theirs.ClusterDetections(found, 0.2))
}

func (b both) oursIn(t testing.TB, g *image.Gray, o pico.Options) (all, clusters []pico.Detection) {
	t.Helper()
	all = must.Get(b.ours.Search(context.Background(), nil, g, &o))
	clusters = must.Get(pico.Cluster(context.Background(), all, 0.2))
	for _, found := range [][]pico.Detection{all, clusters} {
		for i := range found {
			found[i].N = 0 // which pigo does not tell
		}
	}
	return all, clusters
}

// Candidates and clusters are the same, with the same scores, in the same order.
func TestAsPigo(t *testing.T) {
	g := group(t)
	noise := image.NewGray(image.Rect(0, 0, 301, 207))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(r.IntN(256))
	}
	pictures := map[string]*image.Gray{
		"group": g, "noise": noise,
		"high":   compact(g.SubImage(image.Rect(100, 0, 300, 500)).(*image.Gray)),
		"square": compact(g.SubImage(image.Rect(40, 20, 440, 420)).(*image.Gray)),
		"small":  compact(g.SubImage(image.Rect(40, 20, 60, 40)).(*image.Gray)),
	}
	for model, data := range map[string][]byte{"facefinder": facefinder(t), "random": random()} {
		b := read(t, data)
		for name, g := range pictures {
			for _, o := range []pico.Options{
				{MinSize: 20, MaxSize: 1000, Shift: 0.15, Scale: 1.15}, {MinSize: 24, MaxSize: 200, Shift: 0.1, Scale: 1.1},
				{MinSize: 9, MaxSize: 60, Shift: 0.05, Scale: 1.01}, {MinSize: 40, MaxSize: 30, Shift: 0.1, Scale: 1.1},
				{MinSize: 20, MaxSize: 400, Shift: 0.1, Scale: 1.1, Angle: 0.03}, {MinSize: 20, MaxSize: 400, Shift: 0.1, Scale: 1.1, Angle: 0.97},
				{MinSize: 20, MaxSize: 400, Shift: 0.1, Scale: 1.1, Angle: 0.3}, {MinSize: 20, MaxSize: 400, Shift: 0.1, Scale: 1.1, Angle: 1},
			} {
				if o.Angle > 0 && g.Rect.Dx() != g.Rect.Dy() {
					continue // pigo limits columns by the number of rows
				}
				if model == "random" && o.MinSize < 20 && len(g.Pix) > 100_000 {
					continue // more windows pass than package pico allows
				}
				want, wantClusters := b.theirsIn(g, o)
				got, gotClusters := b.oursIn(t, g, o)
				if !reflect.DeepEqual(got, want) || len(got) > 0 && !reflect.DeepEqual(gotClusters, wantClusters) {
					t.Errorf("%s in %s, %+v: %d candidates and %d clusters, and pigo has %d and %d", model, name, o, len(got), len(gotClusters), len(want), len(wantClusters))
				}
				if name == "group" && model == "facefinder" && o.MaxSize == 1000 {
					t.Logf("facefinder: %d candidates in %d clusters, as pigo", len(got), len(gotClusters))
				}
			}
		}
	}
}

// random returns a cascade of random trees that passes some windows.
func random() []byte {
	r := rand.New(rand.NewPCG(3, 4))
	const trees, depth = 12, 4
	data := []byte{3, 0, 0, 0, 0x81, 0x7f, 0x81, 0x7f, depth, 0, 0, 0, trees, 0, 0, 0}
	float := func(v float32) { data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v)) }
	for t := range trees {
		for range (1<<depth - 1) * 4 {
			data = append(data, byte(r.IntN(256)))
		}
		for range 1 << depth {
			float(r.Float32()*2 - 1)
		}
		float(0.2*float32(t) - 0.3)
	}
	return data
}

// TestGoldens checks, and with -update writes, what the tests of cascade/pico
// compare with.
func TestGoldens(t *testing.T) {
	data := random()
	b := read(t, data)
	var text strings.Builder
	text.WriteString("# by github.com/esimov/pigo v1.4.6: cd bench && go test ./pico -update\n")
	for _, angle := range []float64{0, 0.25} {
		g := group(t)
		o := pico.Options{MinSize: 30, MaxSize: 300, Shift: 0.2, Scale: 1.25, Angle: angle}
		if angle > 0 {
			g = compact(g.SubImage(image.Rect(0, 0, 500, 500)).(*image.Gray))
		}
		all, clusters := b.theirsIn(g, o)
		if len(all) < 50 || len(clusters) < 5 {
			t.Errorf("angle %v: %d candidates and %d clusters are too few to compare with", angle, len(all), len(clusters))
		}
		for i, found := range [][]pico.Detection{all, clusters} {
			fmt.Fprintf(&text, "%s at %v\n", []string{"candidates", "clusters"}[i], angle)
			for _, d := range found {
				fmt.Fprintf(&text, "%d %d %d %v\n", d.Row, d.Col, d.Scale, d.Q)
			}
		}
	}
	for name, want := range map[string]string{"picotest/random.hex": hex.EncodeToString(data) + "\n", "testdata/pigo.txt": text.String()} {
		if *update {
			must.Do(os.WriteFile(goldens+name, []byte(want), 0o666))
		}
		got, err := os.ReadFile(goldens + name)
		if err != nil || string(got) != want {
			t.Errorf("%s is not what pigo says now, %v: go test ./pico -update", name, err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	m := read(b, facefinder(b))
	g := group(b)
	o := pico.Options{MinSize: 24, MaxSize: 500, Shift: 0.1, Scale: 1.1}
	b.Run("haarlem", func(b *testing.B) {
		var all []pico.Detection
		for b.Loop() {
			all, _ = m.ours.Search(context.Background(), all[:0], g, &o)
		}
	})
	b.Run("pigo", func(b *testing.B) {
		for b.Loop() {
			m.theirs.RunCascade(pigo.CascadeParams{
				MinSize: o.MinSize, MaxSize: o.MaxSize, ShiftFactor: o.Shift, ScaleFactor: o.Scale,
				ImageParams: pigo.ImageParams{Pixels: g.Pix, Rows: g.Rect.Dy(), Cols: g.Rect.Dx(), Dim: g.Stride},
			}, 0)
		}
	})
}

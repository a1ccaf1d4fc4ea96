package pico

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sort"
	"testing"

	"haarlem/cascade/pico/picotest"
	"haarlem/internal/must"
)

func mustRead(t testing.TB, data []byte) *Model {
	t.Helper()
	return must.Get(Read(bytes.NewReader(data)))
}

func group(t testing.TB) *image.Gray {
	t.Helper()
	f := must.Get(os.Open("../../samples/group.png"))
	defer f.Close()
	m := must.Get(png.Decode(f))
	g := image.NewGray(m.Bounds())
	draw.Draw(g, g.Rect, m, m.Bounds().Min, draw.Src)
	return g
}

func search(t testing.TB, m *Model, g *image.Gray, o *Options) []Detection {
	t.Helper()
	return must.Get(m.Search(context.Background(), nil, g, o))
}

// The same candidates and clusters as pigo has, which wrote them (bench/pico).
func TestAsPigo(t *testing.T) {
	f := must.Get(os.Open("testdata/pigo.txt"))
	defer f.Close()
	want := map[string][]Detection{}
	key, n := "", 0
	for s := bufio.NewScanner(f); s.Scan(); {
		switch line := s.Text(); {
		case line[0] == '#':
		case line[0] == 'c':
			key = line
		default:
			var d Detection
			if _, err := fmt.Sscan(line, &d.Row, &d.Col, &d.Scale, &d.Q); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			want[key] = append(want[key], d)
			n++
		}
	}
	if len(want) != 4 || n < 200 {
		t.Fatalf("%d lists with %d detections to compare with", len(want), n)
	}
	m := mustRead(t, picotest.Bytes(t))
	g := group(t)
	// A picture with a margin between its rows, which pigo does not know.
	wide := image.NewGray(image.Rect(-7, -3, g.Rect.Dx()+10, g.Rect.Dy()+2))
	draw.Draw(wide, g.Rect, g, g.Rect.Min, draw.Src)
	for _, angle := range []float64{0, 0.25} {
		part := wide.SubImage(g.Rect).(*image.Gray)
		if angle > 0 {
			part = wide.SubImage(image.Rect(0, 0, 500, 500)).(*image.Gray)
		}
		all := search(t, m, part, &Options{MinSize: 30, MaxSize: 300, Shift: 0.2, Scale: 1.25, Angle: angle})
		clusters := must.Get(Cluster(t.Context(), all, 0.2))
		windows := 0
		for _, c := range clusters {
			windows += c.N
		}
		if windows < len(all) {
			t.Errorf("%d windows in clusters, of %d", windows, len(all))
		}
		for key, found := range map[string][]Detection{"candidates": all, "clusters": clusters} {
			for i := range found {
				found[i].N = 0
			}
			if key += fmt.Sprint(" at ", angle); !reflect.DeepEqual(found, want[key]) {
				t.Errorf("%s: %d detections, and pigo has other ones, %d", key, len(found), len(want[key]))
			}
		}
	}
}

func TestWriteTo(t *testing.T) {
	data := picotest.Bytes(t)
	m := mustRead(t, data)
	if m.Trees() != 12 || m.depth != 4 {
		t.Errorf("%d trees of depth %d", m.Trees(), m.depth)
	}
	var b bytes.Buffer
	if n, err := m.WriteTo(&b); err != nil || n != int64(len(data)) || !bytes.Equal(b.Bytes(), data) {
		t.Errorf("%d bytes, %v, want the %d of the file", n, err, len(data))
	}
}

func TestReadErrors(t *testing.T) {
	data := picotest.Bytes(t)
	with := func(at int, b ...byte) []byte {
		c := bytes.Clone(data)
		copy(c[at:], b)
		return c
	}
	inf := math.Float32bits(float32(math.Inf(1)))
	for want, data := range map[string][]byte{
		"pico: not a cascade of pico: 3 bytes, want 16 at least":                                     data[:3],
		"pico: not a cascade of pico: version 4 at byte 0, want 3":                                   with(0, 4),
		"pico: not a cascade of pico: trees of depth 0 at byte 8, want 1 to 12":                      with(8, 0),
		"pico: not a cascade of pico: trees of depth 13 at byte 8, want 1 to 12":                     with(8, 13),
		"pico: not a cascade of pico: 1552 bytes, but 13 trees of depth 4 need 1680":                 with(12, 13),
		"pico: not a cascade of pico: 1552 bytes, but 0 trees of depth 4 need 16":                    with(12, 0),
		"pico: not a cascade of pico: 1552 bytes, but 4294967295 trees of depth 4 need 549755813776": with(12, 255, 255, 255, 255),
		"pico: not a cascade of pico: +Inf at byte 76, want a number":                                with(76, byte(inf), byte(inf>>8), byte(inf>>16), byte(inf>>24)),
	} {
		_, err := Read(bytes.NewReader(data))
		if err == nil || err.Error() != want || !errors.Is(err, ErrFormat) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for n := range data {
		if _, err := Read(bytes.NewReader(data[:n])); err == nil {
			t.Fatalf("the first %d of %d bytes are read without an error", n, len(data))
		}
	}
	if !Is(data) || Is(data[:15]) || Is(with(0, 1)) || IsFile("picotest/random.hex") || IsFile("absent") {
		t.Error("what is a cascade is not, or the other way round")
	}
}

func TestOptions(t *testing.T) {
	m, g := mustRead(t, picotest.Bytes(t)), group(t)
	for _, o := range []*Options{{MinSize: -1}, {Shift: -1}, {Scale: 0.5}, {Scale: math.NaN()}, {Angle: 1.5}, {Shift: math.Inf(1)}} {
		if _, err := m.Search(context.Background(), nil, g, o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v, want ErrOptions", o, err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := m.Search(ctx, nil, g, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, small := range []*image.Gray{{}, image.NewGray(image.Rect(0, 0, 1, 1)), image.NewGray(image.Rect(0, 0, 21, 500))} {
		if found := search(t, m, small, nil); len(found) != 0 {
			t.Errorf("%v in %v", found, small.Rect)
		}
	}
	// Positions are in the picture's coordinates.
	part := image.Rect(100, 50, 300, 250)
	in := search(t, m, g.SubImage(part).(*image.Gray), nil)
	if len(in) == 0 {
		t.Fatal("nothing found")
	}
	for _, d := range in {
		if !d.Box().In(part) {
			t.Fatalf("%+v has the box %v, outside %v", d, d.Box(), part)
		}
	}
}

// What would take too long is an error.
func TestLimits(t *testing.T) {
	// A tree that passes every window.
	data := []byte{3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 0, 0}
	m := mustRead(t, data)
	g := image.NewGray(image.Rect(0, 0, 300, 300))
	if found, err := m.Search(context.Background(), nil, g, &Options{Shift: 0.001}); !errors.Is(err, ErrLimit) || len(found) != 1<<16 {
		t.Errorf("%d windows, %v", len(found), err)
	}
	if found := search(t, m, g, &Options{MinSize: 298, Shift: 0.001}); len(found) != 1 || found[0].Q != 1 {
		t.Errorf("%+v, want one window, of the score 1", found)
	}
	tree, n := data[16:], 1<<16+1
	data = bytes.Clone(data[:16])
	data[12], data[13], data[14] = byte(n), byte(n>>8), byte(n>>16)
	for range n {
		data = append(data, tree...)
	}
	want := "pico: over the limit: 65537 trees of depth 1 compare 65537 times in a window, want at most 65536"
	if _, err := Read(bytes.NewReader(data)); err == nil || err.Error() != want || !errors.Is(err, ErrLimit) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A search allocates nothing after the first but room for what it finds.
func TestAllocations(t *testing.T) {
	m, g := mustRead(t, picotest.Bytes(t)), group(t)
	o := &Options{MinSize: 100}
	all := search(t, m, g, o)
	ctx := context.Background()
	if n := testing.AllocsPerRun(5, func() { all, _ = m.Search(ctx, all[:0], g, o) }); n > 1 { // a collection may empty the pool
		t.Errorf("%v allocations a search", n)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(picotest.Bytes(f))
	f.Add([]byte{3, 0, 0, 0, 1, 2, 3, 4, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 0, 0, 128, 63, 0, 0, 128, 191, 0, 0, 0, 0})
	g := image.NewGray(image.Rect(0, 0, 24, 20))
	for i := range g.Pix {
		g.Pix[i] = byte(i * i)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		if !Is(data) {
			t.Error("read, and not recognised")
		}
		var b bytes.Buffer
		if _, err := m.WriteTo(&b); err != nil || !bytes.Equal(b.Bytes(), data) {
			t.Errorf("written back as other bytes, %v", err)
		}
		for _, angle := range []float64{0, 0.4} {
			for _, d := range search(t, m, g, &Options{MinSize: 9, Shift: 0.3, Angle: angle}) {
				if !(d.Q > 0) {
					t.Errorf("%+v", d)
				}
			}
		}
	})
}

// Clustering compares few, of which it leaves none out, and ends when it is told to.
func TestClusterIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n, side, sizes int) []Detection {
		all := make([]Detection, n)
		for i := range all {
			all[i] = Detection{rng.IntN(side) - side/4, rng.IntN(side), 1 + rng.IntN(sizes), float32(rng.IntN(40)) / 8, 1}
		}
		return all
	}
	for _, iou := range []float64{-1, 0, 0.05, 0.2, 0.5, 1} {
		for _, sizes := range []int{1, 30, 300} {
			found := random(800, 500, sizes)
			got := must.Get(Cluster(t.Context(), found, iou))
			sorted := slices.Clone(found)
			sort.Slice(sorted, func(i, j int) bool { return sorted[i].Q < sorted[j].Q })
			taken := make([]bool, len(sorted))
			var want []Detection
			for i := range sorted {
				var c Detection
				for j := range sorted {
					if !taken[i] && overlap(&sorted[i], &sorted[j]) > iou {
						c = Detection{c.Row + sorted[j].Row, c.Col + sorted[j].Col, c.Scale + sorted[j].Scale, c.Q + sorted[j].Q, c.N + 1}
					}
				}
				if taken[i] {
					continue
				}
				for j := range sorted {
					taken[j] = taken[j] || overlap(&sorted[i], &sorted[j]) > iou
				}
				if c.N > 0 {
					want = append(want, Detection{c.Row / c.N, c.Col / c.N, c.Scale / c.N, c.Q, c.N})
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("iou %v, sizes to %d: %d clusters, want %d", iou, sizes, len(got), len(want))
			}
		}
	}
	many := random(maxFound, 20000, 24)
	if _, err := Cluster(t.Context(), many, UsualOverlap); err != nil { // all with all would take most of a minute
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Cluster(ctx, many, UsualOverlap); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it is over", err)
	}
}

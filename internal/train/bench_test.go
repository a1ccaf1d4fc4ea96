package train

import (
	"context"
	"image"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"haarlem/haar"
	"haarlem/internal/must"
)

// BenchmarkMining measures mining with a cascade of five stages, in windows per
// second over all workers.
func BenchmarkMining(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	data := world(500, 0, 0)
	for range 16 {
		data.Backgrounds = append(data.Backgrounds, Plain{noise(rng, 800, 600)})
	}
	s := &Settings{Width: side, Height: side, Stages: StageGoals{Count: 5}, Negatives: 500, Features: 3000, AcceptanceBreak: -1}
	r := must.Get(Run(context.Background(), data, s, nil))
	v := must.Get(s.WithDefaults())
	m := newMiner(&v, data.Backgrounds, 1, 1<<30)
	visited := 0
	for b.Loop() {
		// So few windows are expected to pass that every position is searched.
		found := must.Get(m.search(context.Background(), r.Cascade, 50, 0, 1e-9, 0, func(*image.Gray) bool { return false }))
		visited += found.visited
	}
	b.ReportMetric(float64(visited)/b.Elapsed().Seconds()/1e6, "Mwindows/s")
}

// BenchmarkStages measures a typical opencv_traincascade training: stages of
// stumps (Gentle AdaBoost) over all 261,600 features of 24x24 windows, on 2,000
// positives and 2,000 negatives per stage, with quantization and mining. That
// program needs 17 seconds per stump, on two cores of the machine on which this
// was written, and 8.3 GB.
func BenchmarkStages(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // as train-cascade does
	rng := rand.New(rand.NewPCG(1, 0))
	data := &Data{Fingerprint: "bench"}
	for range 2000 {
		g := noise(rng, 24, 24)
		drawCross(g, 4+rng.IntN(3), 4+rng.IntN(3), rng)
		data.Positives = append(data.Positives, g)
	}
	for range 200 {
		data.Backgrounds = append(data.Backgrounds, Plain{noise(rng, 640, 480)})
	}
	s := &Settings{Set: haar.All, Stages: StageGoals{Count: 5}, Negatives: 2000, AcceptanceBreak: -1}
	weak := 0
	for b.Loop() {
		r := must.Get(Run(context.Background(), data, s, nil))
		weak += len(r.Cascade.Weak)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(b.Elapsed().Seconds()/float64(weak), "s/stump")
	b.ReportMetric(float64(weak)/float64(b.N), "stumps")
	b.ReportMetric(float64(m.Sys)/1e9, "GB")
}

// BenchmarkColumns measures quantizing all Basic features of 24x24 windows, in
// values per second over all workers.
func BenchmarkColumns(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	s := must.Get((&Settings{}).WithDefaults())
	const n = 2000
	windows := make([]*image.Gray, n)
	for i := range windows {
		windows[i] = noise(rng, 24, 24)
	}
	c := newColumns(&s, 0, n, n, rng)
	must.Do(c.setRanges(context.Background(), &s, [2][]*image.Gray{windows, windows}))
	for b.Loop() {
		must.Do(c.fill(context.Background(), &s, windows, 0))
	}
	b.ReportMetric(float64(b.N)*float64(c.Len())*n/b.Elapsed().Seconds()/1e9, "Gvalues/s")
}

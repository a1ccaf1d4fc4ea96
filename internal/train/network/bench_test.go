package network

import (
	"testing"

	"haarlem/cascade"
	"haarlem/internal/cpu"
	"haarlem/internal/must"
)

// coarse and fine are shapes of the two steps of a network for faces.
func coarse() cascade.NetworkStep {
	return cascade.NetworkStep{Side: 24, Sides: 1.2, Layers: []cascade.NetworkLayer{
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 16},
		{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 32},
		{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 48},
		{Kind: cascade.Dense, Outputs: 64},
		{Kind: cascade.Dense, Outputs: 5},
	}}
}

func fine() cascade.NetworkStep {
	return cascade.NetworkStep{Side: 48, Sides: 2, Layers: []cascade.NetworkLayer{
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 16},
		{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 48},
		{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 64},
		{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 64},
		{Kind: cascade.Dense, Outputs: 160},
		{Kind: cascade.Dense, Outputs: 5},
	}}
}

// A group of 16 samples: drawing, cropping, forwards and backwards, on one core.
func BenchmarkLearn(b *testing.B) {
	photos := scenes(20)
	for _, level := range cpu.Available()[1:] {
		for _, c := range []struct {
			name  string
			step  cascade.NetworkStep
			eight bool
		}{{"coarse", coarse(), false}, {"fine", fine(), false}, {"fine in 8 bits", fine(), true}} {
			b.Run(level.String()+"/"+c.name, func(b *testing.B) {
				cpu.ForTest(b, level)
				s := must.Get((&Settings{Step: c.step, Batch: group, Workers: 1}).withDefaults())
				t := &trainer{s: s}
				t.v = must.Get(shapeOf(&s.Step))
				t.e = must.Get(gather(photos, &t.s))
				t.start()
				if c.eight {
					ranges := must.Get(t.ranges(b.Context()))
					t.eight = newEight(t.v, ranges)
				}
				n := t.numbers()
				n.transpose(t.v)
				for b.Loop() {
					t.learn(n, 0, 0)
				}
				b.ReportMetric(group*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
			})
		}
	}
}

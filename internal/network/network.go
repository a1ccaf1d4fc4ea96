// Package network evaluates the small convolutional networks of
// cascade.NetworkStep on squares of a picture. All of it but the last product is in
// integers, so that every machine computes the same.
package network

import (
	"fmt"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/kernel/conv8"
)

// batch is the number of squares that go through dense layers together, so that their
// weights are read once for all.
const batch = 8

// A Program is a step compiled, for any number of workers.
type Program struct {
	side   int
	scales []float64
	layers []layer
	memory int // bytes of a worker's activations
	sums   int // of the last layer, for a square
}

// A layer reads and writes buffers of activations. Dense layers and what they read have a
// buffer for each square of a batch, one behind the other.
type layer struct {
	kind     cascade.LayerKind // never MaxPool
	maxima   bool              // a convolution and the maxima after it
	weights  *conv8.Weights
	places   conv8.Places // of a square, for a dense layer of a batch
	stride   int          // bytes from row to row of what it reads
	from, to buffer
}

// A buffer is where activations are: the first byte, and how many a square has.
type buffer struct{ at, size int }

// of returns the buffer of a square of the batch.
func (b buffer) of(memory []byte, square int) []byte {
	return memory[b.at+square*b.size:][:b.size]
}

// Compile compiles a step. It reports the errors of [cascade.NetworkStep.Check].
func Compile(s *cascade.NetworkStep) (*Program, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	p := &Program{side: s.Side, scales: slices.Clone(s.Scales)}
	// Squares get a buffer each from the one on that the first dense layer reads.
	squares := func(next []cascade.NetworkLayer) int {
		if len(next) == 0 || next[0].Kind == cascade.Dense {
			return batch
		}
		return 1
	}
	side, channels, stored := s.Side, 3, Pixel
	read := sidesRead(s)
	from := p.buffer(side*side*stored, squares(s.Layers))
	for layers := s.Layers; len(layers) > 0; {
		l := &layers[0]
		nextSide, nextChannels := l.Shape(side, channels)
		c := layer{kind: l.Kind, from: from}
		taken := 1
		if len(layers) > 1 && layers[1].Kind == cascade.MaxPool {
			c.maxima, taken = true, 2
			nextSide, _ = layers[1].Shape(nextSide, nextChannels)
		}
		needed := read[taken-1]
		layers, read = layers[taken:], read[taken:]
		pad, wide := 0, nextSide
		if len(layers) > 0 {
			pad = layers[0].Pad
			wide += 2 * pad // with the zeros around, which no one overwrites
			c.to = p.buffer(wide*wide*nextChannels, squares(layers))
		}
		var places []conv8.Place
		if l.Kind == cascade.Dense {
			c.weights = conv8.Pack(1, side*side*stored, widen(l.Weights, channels, stored), l.Bias, l.Shift)
			size := c.to.size
			if len(layers) == 0 {
				p.sums = c.weights.Outputs()
				size = p.sums
			}
			for k := range batch {
				places = append(places, conv8.Place{In: int32(k * from.size), Out: int32(k * size)})
			}
		} else {
			c.weights = conv8.Pack(l.Kernel, l.Kernel*stored, widen(l.Weights, channels, stored), l.Bias, l.Shift)
			readWide := side + 2*l.Pad
			c.stride = readWide * stored
			place := func(y, x, out int) {
				places = append(places, conv8.Place{In: int32((y*readWide + x) * l.Stride * stored), Out: int32(out)})
			}
			for y := range needed {
				for x := range needed {
					out := ((y+pad)*wide + x + pad) * nextChannels
					if !c.maxima {
						place(y, x, out)
						continue
					}
					for k := range 4 {
						place(2*y+k/2, 2*x+k%2, out)
					}
				}
			}
		}
		c.places = conv8.MakePlaces(places)
		p.layers = append(p.layers, c)
		from, side, channels, stored = c.to, nextSide, nextChannels, nextChannels
	}
	return p, nil
}

// sidesRead returns for each layer how much of each side of its outputs others read:
// maxima of 2 by 2 leave out the last row and column of an odd side.
func sidesRead(s *cascade.NetworkStep) []int {
	read := make([]int, len(s.Layers))
	side, channels := s.Side, 3
	for i := range s.Layers {
		side, channels = s.Layers[i].Shape(side, channels)
		read[i] = side
	}
	for i := len(s.Layers) - 2; i >= 0; i-- {
		if l := &s.Layers[i+1]; l.Kind != cascade.Dense {
			read[i] = min(read[i], (read[i+1]-1)*l.Stride+l.Kernel-l.Pad)
		}
	}
	return read
}

// buffer takes memory for so many squares.
func (p *Program) buffer(size, squares int) buffer {
	b := buffer{p.memory, size}
	p.memory += size * squares
	return b
}

// widen returns weights with more channels, whose weights are 0.
func widen(weights []int8, channels, stored int) []int8 {
	if channels == stored {
		return weights
	}
	var all []int8
	for pixel := range slices.Chunk(weights, channels) {
		all = append(append(all, pixel...), make([]int8, stored-channels)...)
	}
	return all
}

// Side returns the width and height of the crops that p sees.
func (p *Program) Side() int { return p.side }

// Outputs returns the number of results for each square: one for each of the step's
// scales.
func (p *Program) Outputs() int { return len(p.scales) }

// A Worker is the memory for one evaluation of a Program at a time.
type Worker struct {
	program *Program
	memory  []byte
	sums    []int32
	cropper *Cropper // of Append, from the first time on
}

// NewWorker returns a worker. From its first squares on it makes no more allocations, but
// for squares of more pixels than before.
func (p *Program) NewWorker() *Worker {
	return &Worker{program: p, memory: make([]byte, p.memory), sums: make([]int32, batch*p.sums)}
}

// Append evaluates squares of a picture, and appends the results of one after the other
// to dst: the sums of the last layer times the step's scales. See [Cropper.Crop] for what
// squares there may be.
func (w *Worker) Append(dst []float64, p *Planes, squares []Square) []float64 {
	if w.cropper == nil {
		w.cropper = new(Cropper)
	}
	for some := range slices.Chunk(squares, batch) {
		for i, s := range some {
			w.cropper.Crop(w.input(i), p, s, w.program.side)
			w.image(i)
		}
		dst = w.dense(dst, len(some))
	}
	return dst
}

// AppendCrops is Append for squares that [Cropper.Crop] has made, one behind the other.
func (w *Worker) AppendCrops(dst []float64, crops []byte) []float64 {
	size := w.program.layers[0].from.size
	if len(crops)%size != 0 {
		panic(fmt.Sprintf("network: %d bytes of crops, want a multiple of %d", len(crops), size))
	}
	for some := range slices.Chunk(crops, batch*size) {
		for i := range len(some) / size {
			copy(w.input(i), some[i*size:])
			w.image(i)
		}
		dst = w.dense(dst, len(some)/size)
	}
	return dst
}

// input returns where the crop of a square of the batch goes.
func (w *Worker) input(square int) []byte {
	first := &w.program.layers[0]
	if first.kind != cascade.Dense {
		square = 0
	}
	return first.from.of(w.memory, square)
}

// image evaluates the layers before the first dense one for a square of the batch.
func (w *Worker) image(square int) {
	layers := w.program.layers
	for i := range layers {
		l := &layers[i]
		if l.kind == cascade.Dense {
			return
		}
		to := l.to.of(w.memory, 0)
		if layers[i+1].kind == cascade.Dense {
			to = l.to.of(w.memory, square)
		}
		from := l.from.of(w.memory, 0)
		if l.maxima {
			l.weights.Maxima(to, from, &l.places, l.stride)
		} else {
			l.weights.Apply(to, from, &l.places, l.stride)
		}
	}
}

// dense evaluates the rest for n squares.
func (w *Worker) dense(dst []float64, n int) []float64 {
	layers := w.program.layers
	for i := range layers {
		l := &layers[i]
		if l.kind != cascade.Dense {
			continue
		}
		places := l.places.First(n)
		from := w.memory[l.from.at:][:batch*l.from.size]
		if i == len(layers)-1 {
			l.weights.Sums(w.sums, from, &places, 0)
			break
		}
		l.weights.Apply(w.memory[l.to.at:][:batch*l.to.size], from, &places, 0)
	}
	for i := range n {
		for k, scale := range w.program.scales {
			dst = append(dst, float64(w.sums[i*w.program.sums+k])*scale)
		}
	}
	return dst
}

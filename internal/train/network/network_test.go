package network

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/cpu"
	"haarlem/internal/must"
	"haarlem/internal/network"
	"haarlem/internal/splitmix"
)

// small is a shape with every kind of layer, and a stride.
func small() cascade.NetworkStep {
	return cascade.NetworkStep{Side: 15, Sides: 1.25, Layers: []cascade.NetworkLayer{
		{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 8},
		{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
		{Kind: cascade.Conv, Kernel: 3, Stride: 2, Outputs: 16},
		{Kind: cascade.Conv, Kernel: 1, Stride: 1, Outputs: 8},
		{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
		{Kind: cascade.Conv, Kernel: 1, Stride: 1, Outputs: 8},
		{Kind: cascade.Dense, Outputs: 16},
		{Kind: cascade.Dense, Outputs: 5},
	}}
}

// photographs of discs, the objects, and of squares. Candidates are at random, some
// of them near discs.
func scenes(n int) []Photo {
	r := rand.New(rand.NewPCG(5, 0))
	var all []Photo
	for i := range n {
		m := image.NewYCbCr(image.Rect(0, 0, 160, 120), image.YCbCrSubsampleRatio420)
		for k := range m.Y {
			m.Y[k] = byte(100 + r.IntN(30))
		}
		for k := range m.Cb {
			m.Cb[k], m.Cr[k] = 128, byte(118+r.IntN(20))
		}
		paint := func(b Box, round bool) {
			for y := range 120 {
				for x := range 160 {
					dx, dy := 2*(float64(x)+0.5-b.X)/b.Width, 2*(float64(y)+0.5-b.Y)/b.Height
					if round && float64(dx*dx)+float64(dy*dy) < 1 || !round && max(math.Abs(dx), math.Abs(dy)) < 0.9 {
						m.Y[y*m.YStride+x] = 200
						m.Cr[y/2*m.CStride+x/2] = 160
					}
				}
			}
		}
		var p Photo
		for k := range 4 {
			side := 16 + float64(20*r.Float64())
			b := Box{25 + 36*float64(k), 25 + float64(70*r.Float64()), side, side * (0.8 + float64(0.4*r.Float64()))}
			paint(b, k%2 == 0)
			if k%2 == 0 {
				p.Objects = append(p.Objects, Object{Box: b, Ignore: i%7 == 6 && k == 0})
			}
			for range 6 {
				by := side * (0.75 + float64(0.5*r.Float64()))
				p.Candidates = append(p.Candidates, Candidate{Box: Box{b.X + float64(side*(r.Float64()-0.5)*0.6), b.Y + float64(side*(r.Float64()-0.5)*0.6), by, by}})
			}
		}
		for range 12 {
			by := 16 + float64(20*r.Float64())
			p.Candidates = append(p.Candidates, Candidate{Box: Box{160 * r.Float64(), 120 * r.Float64(), by, by}})
		}
		p.Planes = new(network.Planes)
		must.Do(p.Planes.Set(context.Background(), m))
		all = append(all, p)
	}
	return all
}

func randomParameters(v *shape, r *rand.Rand) []float32 {
	parameters := make([]float32, v.parameters)
	for i := range v.layers {
		l := &v.layers[i]
		for k := range l.inputs * l.toChannels {
			parameters[l.weights+k] = float32(r.NormFloat64() * math.Sqrt(2/float64(l.inputs)))
		}
		if l.inputs > 0 {
			for k := range l.toChannels {
				parameters[l.biases+k] = float32(r.NormFloat64() * 0.1)
			}
		}
	}
	return parameters
}

// The gradient is the change of the loss by a small change of a parameter.
func TestGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	step := small()
	v := must.Get(shapeOf(&step))
	const samples = 3
	n := &numbers{parameters: randomParameters(v, r)}
	p := newPass(v, samples)
	for i := range p.values[0] {
		p.values[0][i] = float32(r.NormFloat64())
	}
	slopes := make([]float32, samples*v.outputs)
	for i := range slopes {
		slopes[i] = float32(r.NormFloat64())
	}
	value := func() float64 {
		p.forward(n, samples)
		sum := 0.0
		for i, x := range p.outputs() {
			sum += float64(x) * float64(slopes[i])
		}
		return sum
	}
	value()
	gradient := make([]float32, v.parameters)
	n.transpose(v)
	p.backward(n, samples, slopes, gradient)
	const step0 = 1.0 / 1024
	for i := range v.layers {
		l := &v.layers[i]
		if l.inputs == 0 {
			continue
		}
		bad, seen := 0, 0
		for range 60 {
			k := l.weights + r.IntN(l.biases+l.toChannels-l.weights)
			was := n.parameters[k]
			n.parameters[k] = was + step0
			up := value()
			n.parameters[k] = was - step0
			down := value()
			n.parameters[k] = was
			want := (up - down) / (2 * step0)
			seen++
			if d := math.Abs(want - float64(gradient[k])); d > 0.02*(1+math.Abs(want)) {
				bad++ // a corner of a maximum may be near
			}
		}
		if bad > seen/10 {
			t.Errorf("layer %d: %d of %d derivatives are not those of the loss", i, bad, seen)
		}
	}
}

// A square at an object should have a large margin if its corrected box fits, and the
// slopes are the derivatives of the losses.
func TestLoss(t *testing.T) {
	moved := func(by float32) []float32 { return []float32{0, by, -0.1, 0.2, 0.1} }
	right := [4]float32(moved(0)[1:])
	width := math.Exp(0.2)
	for _, test := range []struct {
		name   string
		target target
		by     float32 // of the width of the square's box
		wants  float64 // margins above 0, where this is above 1/2
	}{
		{"background", target{label: background}, 0, 0},
		{"an object", target{label: object, box: true, by: right}, 0, 1},
		{"neither, corrected", target{label: neither, box: true, by: right}, 0, 1},
		{"an object, badly", target{label: object, box: true, by: right}, float32(width * 0.5), 0},
		// Of two boxes of a width of 1, one third beside the other, 2/3 are shared by 4/3.
		{"an object, half", target{label: object, box: true, by: right}, float32(width / 3), 0.5},
		{"ignored", target{label: neither}, 0, 0},
	} {
		outputs := moved(test.by)
		at := func() (float64, []float32) {
			var sum losses
			slopes := make([]float32, len(outputs))
			loss(&sum, slopes, outputs, &test.target, 1)
			return sum.Label + boxWeight*sum.Box, slopes
		}
		for _, margin := range []float32{-2, 0, 3} {
			outputs[0] = margin
			_, slopes := at()
			want := sigmoid(float64(margin)) - test.wants
			if test.name == "ignored" {
				want = 0
			}
			if math.Abs(float64(slopes[0])-want) > 1e-4 {
				t.Errorf("%s, margin %v: slope %v, want %v", test.name, margin, slopes[0], want)
			}
		}
		for i := range outputs {
			const step = 1.0 / 256
			was := outputs[i]
			outputs[i] = was + step
			up, _ := at()
			outputs[i] = was - step
			down, _ := at()
			outputs[i] = was
			_, slopes := at()
			// The label of a box that fits more or less is not derived.
			if want := (up - down) / (2 * step); test.wants != 0.5 && math.Abs(want-float64(slopes[i])) > 0.02 {
				t.Errorf("%s, output %d: slope %v, want %v", test.name, i, slopes[i], want)
			}
		}
	}
}

// What is computed in 8 bits while learning is what the integer network computes.
func TestEight(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	shape := small()
	v := must.Get(shapeOf(&shape))
	for range 20 {
		var ranges [][]float32
		for i := range v.layers {
			all := make([]float32, v.layers[i].toChannels)
			for o := range all {
				all[o] = float32(math.Exp(3 * r.NormFloat64()))
			}
			ranges = append(ranges, all)
		}
		e := newEight(v, ranges)
		e.quantize(randomParameters(v, r))
		step := e.step(&shape)
		must.Do(step.Check())
		program := must.Get(network.Compile(step))
		p, c := newPass(v, 1), newCropper(v.side)
		for i := range c.pixels {
			if c.pixels[i] = byte(r.IntN(128)); i%network.Pixel == planes {
				c.pixels[i] = 0
			}
		}
		c.put(p.values[0], &e.numbers)
		p.forward(&e.numbers, 1)
		for i, want := range program.NewWorker().AppendCrops(nil, c.pixels) {
			if got := p.outputs()[i]; got != float32(want) {
				t.Fatalf("output %d is %v, want %v", i, got, want)
			}
		}
	}
}

// With ranges that nothing exceeds, 8 bits come near the floats: the scales of all
// layers and the centre of the input are taken into account.
func TestEightIsNear(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	shape := small()
	v := must.Get(shapeOf(&shape))
	floats := &numbers{parameters: randomParameters(v, r)}
	p, c := newPass(v, 1), newCropper(v.side)
	crops := make([][]byte, 50)
	peaks := make([][]float32, len(v.layers))
	for i := range peaks {
		peaks[i] = make([]float32, v.layers[i].toChannels)
	}
	wants := make([][]float32, len(crops))
	for k := range crops {
		for i := range c.pixels {
			c.pixels[i] = byte(r.IntN(128))
		}
		crops[k] = slices.Clone(c.pixels)
		c.put(p.values[0], floats)
		p.forward(floats, 1)
		p.peaks(peaks, 1)
		wants[k] = slices.Clone(p.outputs())
	}
	for i := range peaks {
		for o := range peaks[i] {
			peaks[i][o] = max(peaks[i][o], 0.01)
		}
	}
	e := newEight(v, peaks)
	e.quantize(floats.parameters)
	var difference, size float64
	for k := range crops {
		c.pixels = crops[k]
		c.put(p.values[0], &e.numbers)
		p.forward(&e.numbers, 1)
		for i, x := range p.outputs() {
			difference += math.Abs(float64(x - wants[k][i]))
			size += math.Abs(float64(wants[k][i]))
		}
	}
	if difference > 0.06*size {
		t.Errorf("the mean difference is %.3f of the outputs, want at most 0.06", difference/size)
	}
}

func TestBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	for range 200 {
		box := image.Rect(r.IntN(100)-20, r.IntN(100)-20, 120+r.IntN(100), 120+r.IntN(100))
		b := BoxOf(box)
		if got, want := b.square(1.3), network.Around(box, 1.3); got != want {
			t.Fatalf("square around %v: %v, want %v", box, got, want)
		}
		c := Box{b.X + 20*r.Float64() - 10, b.Y + 20*r.Float64() - 10, b.Width * (0.7 + 0.6*r.Float64()), b.Height * (0.7 + 0.6*r.Float64())}
		by := b.correction(c)
		d := b.corrected([4]float64{float64(by[0]), float64(by[1]), float64(by[2]), float64(by[3])})
		if iou := c.IoU(d); iou < 0.97 || d.X != math.Round(2*d.X)/2 || d.Width != math.Round(d.Width) {
			t.Fatalf("%+v corrected as %+v is %+v", b, c, d)
		}
	}
}

// A training that begins with a network begins with what it computes: the weights are
// those of before when they become integers again.
func TestBegin(t *testing.T) {
	s := quick()
	s.Iterations = 150
	first := must.Get(Train(context.Background(), scenes(4), s, nil))
	v := must.Get(shapeOf(&first.Step))
	parameters := make([]float32, v.parameters)
	floats(parameters, v, &first.Step)
	ranges := make([][]float32, len(v.layers))
	for i := range v.layers {
		ranges[i] = slices.Repeat([]float32{maxActivation * inputScale}, v.layers[i].toChannels)
	}
	e := newEight(v, ranges)
	e.quantize(parameters)
	again := e.step(&first.Step)
	for i, was := range first.Step.Layers {
		is := again.Layers[i]
		for k, w := range was.Weights {
			o := k * len(was.Bias) / len(was.Weights)
			have, want := float64(is.Weights[k]), float64(w)
			if was.Shift != nil {
				have, want = have/float64(int(1)<<is.Shift[o]), want/float64(int(1)<<was.Shift[o])
			} else {
				have, want = have*again.Scales[o], want*first.Step.Scales[o]
			}
			if d := have - want; d > 1e-3*max(want, -want) || -d > 1e-3*max(want, -want) {
				t.Fatalf("layer %d, weight %d: %v, was %v", i, k, have, want)
			}
		}
	}

	s.Step, s.Iterations, s.Rate, s.Seed = first.Step, 4, 1e-6, 4
	second := must.Get(Train(context.Background(), scenes(4), s, nil))
	if first.Final.Label > 0.6 || second.Float.Label > 1.1*first.Final.Label {
		t.Errorf("the loss is %v at the beginning, was %v at the end before", second.Float.Label, first.Final.Label)
	}
}

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
		"pad":    func(s *Settings) { s.Step.Layers[2].Pad = 1 },
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

func gathered(t *testing.T, s *Settings) *examples {
	t.Helper()
	v := must.Get(s.withDefaults())
	return must.Get(gather(scenes(20), &v))
}

func TestJudge(t *testing.T) {
	objects := []Object{{Box: Box{50, 50, 20, 20}}, {Box: Box{100, 50, 40, 40}, Ignore: true}, {Box: Box{54, 50, 20, 20}}}
	for _, c := range []struct {
		name   string
		box    Box
		label  int8
		number int
	}{
		{"the object", Box{50, 51, 20, 20}, object, 0},
		{"the nearer object", Box{53, 50, 20, 20}, object, 2},
		{"part of it", Box{42, 50, 20, 20}, neither, 0},
		{"background", Box{10, 10, 20, 20}, background, -1},
		{"a corner of the object", Box{62, 64, 20, 20}, background, -1},
		{"to be ignored", Box{100, 52, 36, 36}, neither, -1},
		{"within what is to be ignored", Box{104, 52, 10, 10}, neither, -1},
	} {
		if label, number := judge(c.box, objects); label != c.label || number != c.number {
			t.Errorf("%s: label %d of object %d, want %d of %d", c.name, label, number, c.label, c.number)
		}
	}
}

// Samples have the shares that the settings name, and targets that are true.
func TestDraw(t *testing.T) {
	s := quick()
	s.Objects, s.Between = 0.4, 0.2
	e := gathered(t, s)
	var count [3]int
	const n = 4000
	for i := range n {
		r := splitmix.Unnamed(1, i)
		x := e.draw(&r)
		objects := e.photos[x.photo].Objects
		label, number := judge(x.box, objects)
		if x.label == background {
			if label != background || x.target.box {
				t.Fatalf("sample %d: the background's, but it shows object %d", i, number)
			}
		} else {
			by := [4]float64{float64(x.by[0]), float64(x.by[1]), float64(x.by[2]), float64(x.by[3])}
			truth := Box{
				x.box.X + by[0]*x.box.Width, x.box.Y + by[1]*x.box.Height,
				x.box.Width * network.Factor(by[2]), x.box.Height * network.Factor(by[3]),
			}
			near := slices.ContainsFunc(objects, func(o Object) bool { return o.Box.IoU(truth) > 0.99 })
			if !x.target.box || !near || x.label == object && label != object {
				t.Fatalf("sample %d: label %d, corrected to %+v, of no object", i, x.label, truth)
			}
		}
		count[x.label+1]++
	}
	// Some squares around objects are not similar enough.
	if got := float64(count[background+1]) / n; math.Abs(got-0.4) > 0.03 {
		t.Errorf("a share of %.3f of the background, want 0.4", got)
	}
	if got := float64(count[object+1]) / n; got < 0.35 || got > 0.43 {
		t.Errorf("a share of %.3f of objects, want 0.4 or a little less", got)
	}
}

// Hard examples of the background are drawn in proportion to their hardness.
func TestHardness(t *testing.T) {
	s := quick()
	s.Objects, s.Between, s.Hard = 0.01, 0.01, 1
	e := gathered(t, s)
	sum := 0.0
	for i := range e.background {
		if i < 2 {
			sum += float64(1 + 2*i)
		}
		e.hardness = append(e.hardness, sum)
	}
	var count [2]int
	for i := range 4000 {
		r := splitmix.Unnamed(1, i)
		x := e.draw(&r)
		for k := range count {
			if x.box == e.photos[0].Candidates[e.background[k].index].Box {
				count[k]++
			}
		}
	}
	if share := float64(count[1]) / float64(count[0]+count[1]); count[0]+count[1] < 3850 || math.Abs(share-0.75) > 0.03 {
		t.Errorf("drawn %v times, want 4,000 in all and three quarters the harder one", count)
	}
}

// Changed crops are like crops of the detector: 0 to 127, and 0.
func TestChanged(t *testing.T) {
	s := quick()
	e := gathered(t, s)
	c := newCropper(s.Step.Side)
	c.by = changes{grey: 0.5, colour: 1, light: 1, coarse: 0.5, noise: 0.5}
	grey := 0
	for i := range 300 {
		r := splitmix.Unnamed(2, i)
		x := e.drawObject(&r)
		was := x.by
		c.changed(e.photos[x.photo].Planes, &x, e.s, &r)
		if was[0] != x.by[0] && was[0] != -x.by[0] || was[1] != x.by[1] {
			t.Fatalf("corrections %v became %v", was, x.by)
		}
		colours := false
		for k, v := range c.pixels {
			if v > 127 || k%network.Pixel == 3 && v != 0 {
				t.Fatalf("crop %d: value %d", i, v)
			}
			colours = colours || (k%network.Pixel == 1 || k%network.Pixel == 2) && v != 64
		}
		if !colours {
			grey++
		}
	}
	if grey < 100 || grey > 200 {
		t.Errorf("%d of 300 crops are grey, want half", grey)
	}
	c.by = changes{}
	r := splitmix.Unnamed(2)
	x := e.drawObject(&r)
	left, right := newCropper(s.Step.Side), newCropper(s.Step.Side)
	left.plain(e.photos[x.photo].Planes, x.box, s.Step.Sides, s.Step.Side)
	right.plain(e.photos[x.photo].Planes, x.box, s.Step.Sides, s.Step.Side)
	network.Mirror(right.pixels, s.Step.Side)
	seen := [2]bool{}
	for range 30 {
		y := x
		c.changed(e.photos[x.photo].Planes, &y, e.s, &r)
		switch {
		case slices.Equal(c.pixels, left.pixels) && y.by == x.by:
			seen[0] = true
		case slices.Equal(c.pixels, right.pixels) && y.by[0] == -x.by[0]:
			seen[1] = true
		default:
			t.Fatal("neither the crop nor its mirror image")
		}
	}
	if !seen[0] || !seen[1] {
		t.Error("want both the crop and its mirror image in 30 samples")
	}
}

// Where the picture ends in a crop, its border is repeated, and the box is within it.
func TestEdge(t *testing.T) {
	s := quick()
	s.Step.Sides, s.Unmirrored = 2, true
	e := gathered(t, s)
	c, plain := newCropper(s.Step.Side), newCropper(s.Step.Side)
	c.by = changes{edge: 1}
	const around = 3 // pixels beyond the box
	seen := map[[4]int]bool{}
	for i := range 300 {
		r := splitmix.Unnamed(2, i)
		x := e.drawObject(&r)
		plain.plain(e.photos[x.photo].Planes, x.box, s.Step.Sides, s.Step.Side)
		c.changed(e.photos[x.photo].Planes, &x, e.s, &r)
		found := false
		for k := range (around + 1) * (around + 1) * (around + 1) * (around + 1) {
			cut := [4]int{k & around, k >> 2 & around, k >> 4 & around, k >> 6}
			same := true
			for p := range s.Step.Side * s.Step.Side {
				at := min(max(p/s.Step.Side, cut[2]), s.Step.Side-1-cut[3])*s.Step.Side + min(max(p%s.Step.Side, cut[0]), s.Step.Side-1-cut[1])
				same = same && [network.Pixel]byte(c.pixels[p*network.Pixel:]) == [network.Pixel]byte(plain.pixels[at*network.Pixel:])
			}
			if same {
				seen[cut], found = true, true
				break
			}
		}
		if !found {
			t.Fatalf("crop %d is not one with edges", i)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d places of edges, want many", len(seen))
	}
}

package boosttest

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/boost"
)

// A Stream is a method of online learning, and its exemptions.
type Stream struct {
	Settings boost.OnlineSettings

	// Worst is the largest fraction of wrong predictions on the examples after
	// the first 2000, of which a tenth of the labels is wrong. 0 means 0.2.
	Worst float64
}

// Name is the name of the stream's subtests.
func (s *Stream) Name() string {
	name := "online-" + s.Settings.Geometry.String() + "/" + s.Settings.Loss.String()
	if s.Settings.Implicit {
		name += "-implicit"
	}
	return name
}

// positive reports whether weights cannot be negative. Then each expert has a
// second one with the opposite outputs (Kivinen and Warmuth's EG+-).
func (s *Stream) positive() bool {
	return s.Settings.Geometry == boost.Exponentiated || s.Settings.Geometry == boost.Unnormalised
}

// ConformStream makes the subtests that every online learner must pass. They
// are those of a [Method] as far as they apply to a stream: reordered rows, and
// rows in place of weights, are another stream, unless the loss is linear.
func ConformStream(t *testing.T, s Stream) {
	if s.Worst == 0 {
		s.Worst = 0.2
	}
	t.Run(s.Name(), func(t *testing.T) {
		for _, c := range []struct {
			name string
			f    func(*testing.T, *Stream)
		}{
			{"learns", streamLearns}, {"weights", streamWeights}, {"separable", streamSeparable},
			{"duplicates", streamDuplicates}, {"experts", streamExperts}, {"order", streamOrder},
			{"flip", streamFlip}, {"columns", streamColumns}, {"bytes", streamBytes},
			{"extreme", streamExtreme}, {"resume", streamResume},
		} {
			t.Run(c.name, func(t *testing.T) { c.f(t, &s) })
		}
	})
}

// An example is an element of a stream.
type example struct {
	x []float64
	y float64
}

// examples are made of a table: the columns are the experts, bounded so that
// no rate is too large for them.
func (s *Stream) examples(d *boost.Data) []example {
	list := make([]example, d.Rows())
	for i := range list {
		for _, c := range d.Columns {
			v := min(1, max(-1, c[i]/2))
			list[i].x = append(list[i].x, v)
			if s.positive() {
				list[i].x = append(list[i].x, -v)
			}
		}
		list[i].y = float64(d.Labels[i])
	}
	return list
}

func (s *Stream) start(t *testing.T, experts int) *boost.Online {
	t.Helper()
	o, err := boost.NewOnline(experts, &s.Settings)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// run passes the examples to a learner and returns its predictions.
func (s *Stream) run(t *testing.T, list []example) (*boost.Online, []float64) {
	t.Helper()
	o := s.start(t, len(list[0].x))
	var said []float64
	for _, e := range list {
		said = append(said, o.Predict(e.x))
		o.Update(e.x, e.y)
	}
	return o, said
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-8*(1+math.Abs(want[i]))) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func streamLearns(t *testing.T, s *Stream) {
	list := s.examples(Noisy(4000, 31))
	_, said := s.run(t, list)
	wrong := 0
	for i := 2000; i < len(list); i++ {
		if said[i]*list[i].y <= 0 {
			wrong++
		}
	}
	if e := float64(wrong) / 2000; e > s.Worst {
		t.Errorf("error %.3f, want at most %.3f", e, s.Worst)
	}
}

// streamWeights: weights are finite, and a distribution where they should be.
func streamWeights(t *testing.T, s *Stream) {
	list := s.examples(Noisy(300, 32))
	o := s.start(t, len(list[0].x))
	for step, e := range list {
		o.Update(e.x, e.y)
		sum := 0.0
		for i, w := range o.Weights() {
			if w-w != 0 || s.positive() && w < 0 {
				t.Fatalf("step %d: weight %v of expert %d", step, w, i)
			}
			sum += w
		}
		if s.Settings.Geometry == boost.Exponentiated && math.Abs(sum-1) > 1e-12 {
			t.Fatalf("step %d: weights sum to %v", step, sum)
		}
	}
}

// streamSeparable: one expert is always right, and is found.
func streamSeparable(t *testing.T, s *Stream) {
	list := s.examples(Noisy(3000, 33))
	at := 3
	if s.positive() {
		at = 6
	}
	wrong := 0
	o := s.start(t, len(list[0].x))
	for i, e := range list {
		e.y = 1
		if e.x[at] < 0 {
			e.y = -1
		}
		if i >= 2000 && o.Predict(e.x)*e.y <= 0 {
			wrong++
		}
		o.Update(e.x, e.y)
	}
	if wrong > 60 {
		t.Errorf("%d of the last 1000 are wrong", wrong)
	}
}

// streamDuplicates: with the linear loss, whose gradient is constant, an
// example of weight three equals three examples. With every loss one of weight
// zero has no effect.
func streamDuplicates(t *testing.T, s *Stream) {
	list := s.examples(Noisy(200, 34))
	a, b := s.start(t, len(list[0].x)), s.start(t, len(list[0].x))
	for i, e := range list {
		k := i % 4
		if s.Settings.Loss != boost.OnlineLinear {
			k = min(k, 1)
		}
		a.UpdateWeighted(e.x, e.y, float64(k))
		for range k {
			b.Update(e.x, e.y)
		}
		near(t, "repeated examples", b.Weights(), a.Weights())
	}
}

// streamExperts: an expert that occurs twice, with half the weight each, equals
// that expert once. What "half" means depends on the geometry.
func streamExperts(t *testing.T, s *Stream) {
	list := s.examples(Noisy(200, 35))
	n := len(list[0].x)
	once, twice := *s, *s
	share := 1.0 // output of the twins for an output of 1
	switch s.Settings.Geometry {
	case boost.Euclidean:
		share = math.Sqrt(0.5)
	case boost.PNorm:
		once.Settings.P = 3 // the default depends on the number of experts
		twice.Settings.P = 3
		share = math.Pow(0.5, 1.0/3)
	default:
		once.Settings.Start, twice.Settings.Start = make([]float64, n), make([]float64, n+1)
		for i := range n {
			once.Settings.Start[i] = 1 / float64(n)
			twice.Settings.Start[i] = 1 / float64(n)
		}
		twice.Settings.Start[0] /= 2
		twice.Settings.Start[n] = twice.Settings.Start[0]
	}
	var split []example
	for _, e := range list {
		x := append(slices.Clone(e.x), share*e.x[0])
		x[0] *= share
		split = append(split, example{x, e.y})
	}
	_, want := once.run(t, list)
	_, got := twice.run(t, split)
	near(t, "an expert twice", got, want)
}

// streamOrder: with the linear loss the order of the examples has no effect.
func streamOrder(t *testing.T, s *Stream) {
	if s.Settings.Loss != boost.OnlineLinear {
		t.Skip("another order is another stream")
	}
	list := s.examples(Noisy(200, 36))
	a, _ := s.run(t, list)
	rand.New(rand.NewPCG(36, 36)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	b, _ := s.run(t, list)
	near(t, "examples in another order", b.Weights(), a.Weights())
}

func streamFlip(t *testing.T, s *Stream) {
	for _, d := range []*boost.Data{Noisy(300, 37), Tied(300, 37)} {
		_, want := s.run(t, s.examples(d))
		_, got := s.run(t, s.examples(flipped(d)))
		for i := range want {
			want[i] = -want[i]
		}
		near(t, "other labels", got, want)
	}
}

func streamColumns(t *testing.T, s *Stream) {
	d := Noisy(300, 38)
	_, want := s.run(t, s.examples(d))
	_, got := s.run(t, s.examples(permuted(d, []int{4, 2, 0, 5, 1, 3})))
	near(t, "experts in another order", got, want)
}

// StreamText is the file of a learner of s after a stream of examples that is
// the same on all architectures.
func StreamText(t *testing.T, s Stream) string {
	t.Helper()
	list := s.examples(Tied(400, 39))
	o, _ := s.run(t, list)
	return streamText(t, o)
}

func streamText(t *testing.T, o *boost.Online) string {
	t.Helper()
	var b bytes.Buffer
	if err := o.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func streamBytes(t *testing.T, s *Stream) {
	first := StreamText(t, *s)
	if again := StreamText(t, *s); again != first {
		t.Error("the same stream makes another learner")
	}
}

// streamExtreme: with weights from 1e-300 to 1e300 everything stays finite, and
// those of 1e-300 change nothing.
func streamExtreme(t *testing.T, s *Stream) {
	list := s.examples(Noisy(200, 40))
	o := s.start(t, len(list[0].x))
	for _, e := range list {
		o.UpdateWeighted(e.x, e.y, 1e-300)
	}
	near(t, "weights of 1e-300", o.Weights(), s.start(t, len(list[0].x)).Weights())
	for i, e := range list {
		loss := o.UpdateWeighted(e.x, e.y, []float64{1e-300, 1, 1e300}[i%3])
		if p := o.Predict(e.x); loss != loss || p-p != 0 {
			t.Fatalf("example %d: loss %v, prediction %v", i, loss, p)
		}
		for k, w := range o.Weights() {
			if w-w != 0 {
				t.Fatalf("example %d: weight %v of expert %d", i, w, k)
			}
		}
	}
}

func streamResume(t *testing.T, s *Stream) {
	list := s.examples(Noisy(200, 41))
	whole, _ := s.run(t, list)
	o := s.start(t, len(list[0].x))
	for _, e := range list {
		var b bytes.Buffer
		if err := o.Save(&b); err != nil {
			t.Fatal(err)
		}
		var err error
		if o, err = boost.LoadOnline(&b); err != nil {
			t.Fatal(err)
		}
		o.Update(e.x, e.y)
	}
	if streamText(t, o) != streamText(t, whole) {
		t.Error("a learner that was saved and read back after every example is another")
	}
}

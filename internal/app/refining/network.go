package refining

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/app/wholefile"
	"haarlem/internal/eval"
	planes "haarlem/internal/network"
	"haarlem/internal/nms"
	"haarlem/internal/train/network"
)

const networkText = `Trains a small convolutional network, which examines the detection windows of a model,
and writes a copy of the model with it. The network replaces the model's verifiers and
the grouping of windows: overlapping windows are suppressed, the first step rejects most
of the rest and corrects the boxes, and the second one decides. It learns from labelled
photographs, best in colour, which may be those of the training of the cascade. All
photographs are kept in memory, about 1.5 bytes a pixel.

   train-cascade network -model raw.cascade -out full.cascade -data steps \
      -truth photos/truth.csv -bg backgrounds
   train-cascade calibrate -model full.cascade -out face.cascade \
      -truth held-out/truth.csv -bg held-out/backgrounds

-step describes a step: the side of the square in pixels, its side in sides of the
window, and the layers. conv16 is a convolution of 3x3 pixels with 16 outputs, max the
maximum of 2x2 pixels, dense64 a layer of 64 outputs that each see everything.

-begin face begins with the network of face, which then learns from your photographs:
with a tenth of the -iterations, and of the -rate. With one -step besides, that is a new
last step, and steps before it stay as they are.

The folder -data keeps what is learned so far, so that -resume goes on after a kill.
The result is the same, byte for byte. Calibrate the model afterwards.`

// defaultSteps are the steps of a network unless others are given.
var defaultSteps = []string{
	"24 1.6 conv16 max conv32 max conv32 dense64",
	"48 2 conv16 max conv32 max conv48 max conv48 dense96",
}

// networkFlags are those of network.
type networkFlags struct {
	changeFlags
	steps               []string
	set                 network.Settings // of all steps
	overlap             float64
	carry, lower, raise float64
	resume              bool
	data, take, begin   string
}

// Network is the command network.
func Network() *cli.Command {
	return &cli.Command{
		Name: "network", Summary: "train a small convolutional network, which examines the windows of a model", Text: networkText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &networkFlags{set: network.Settings{Iterations: 20000, Batch: 128, Rate: 0.002, Seed: 1}}
			o := &v.set
			v.declareModel(f, "network")
			f.Group("Network")
			f.Strings(&v.steps, "step", fmt.Sprintf("`STEP` of the network; once or twice. Without it, %q and %q", defaultSteps[0], defaultSteps[1]))
			f.String(&v.begin, "begin", "begin with the network of `MODEL`, a file or a built-in model, instead of random weights; with -step too, with the weights of the first layers, as far as they are alike")
			f.Int(&o.Iterations, "iterations", "learn in `N` iterations for each step")
			f.Int(&o.Batch, "batch", "learn from `N` squares in an iteration, a multiple of 16")
			f.Float(&o.Rate, "rate", "largest learning `RATE`")
			f.Float(&v.lower, "lower", "lower all thresholds of the cascade by `MARGIN` first, so that more windows pass")
			f.Float(&v.overlap, "overlap", "before the first step, suppress windows that share more than `SHARE` of their union with a better one; 0.6 if not given, or with -take what the network has")
			f.Float(&v.carry, "carry", "add `FACTOR` times the margin of the first step to that of the second; with -take, 0 keeps what the network has")
			f.Bool(&o.Unmirrored, "one-way", "learn no mirror images: objects have a right and a left")
			f.Uint64(&o.Seed, "seed", "`SEED` of the random numbers")
			f.String(&v.data, "data", "keep what is learned so far in `FOLDER`")
			f.Bool(&v.resume, "resume", "resume the training in -data, which must have the same flags")
			f.String(&v.take, "take", "take the network of `MODEL`, a file or a built-in model, and train none")
			f.Float(&v.raise, "raise", "with -take, raise the threshold of the first step by `MARGIN`, so that fewer squares reach the second one")
			v.declareSearch(f, 24)
			v.declareEnlarge(f)
			return func(ctx context.Context, _ []string) error { return trainNetwork(ctx, v, s.Out, s.Err) }
		},
	}
}

func trainNetwork(ctx context.Context, v *networkFlags, stdout, stderr io.Writer) error {
	steps, kept, err := v.shapes()
	if err != nil {
		return err
	}
	if !(v.lower >= 0 && v.lower <= 1<<16) {
		return cli.Usagef("-lower %v: want 0 to 65536", v.lower)
	}
	if !(v.overlap >= 0 && v.overlap <= 1) {
		return cli.Usagef("-overlap %v: want 0 to 1", v.overlap)
	}
	if v.take != "" {
		return v.takeNetwork()
	}
	if v.raise != 0 {
		return cli.Usagef("-raise goes with -take")
	}
	v.overlap = cmp.Or(v.overlap, 0.6)
	if v.resume && v.data == "" {
		return cli.Usagef("-resume without -data, which says what to resume")
	}
	m, labelled, err := v.openToLearn()
	if err != nil {
		return err
	}
	if v.data != "" {
		if err := os.MkdirAll(v.data, 0o777); err != nil {
			return fmt.Errorf("-data: the folder cannot be made: %w", err)
		}
		if states, _ := filepath.Glob(filepath.Join(v.data, "step*")); len(states) > 0 && !v.resume {
			return fmt.Errorf("-data: %s holds a training: continue it with -resume, or name another folder", v.data)
		}
	}
	bare := v.cascadeOf(m)
	photos, err := v.windows(ctx, bare, labelled, stderr)
	if err != nil {
		return err
	}
	var about []string
	for i := range steps {
		last := i == len(steps)-1
		if i >= kept {
			r, err := v.trainStep(ctx, i, steps[i], photos, stderr)
			if err != nil {
				return cli.UsageIf(err, network.ErrSettings)
			}
			about = append(about, fmt.Sprintf("step %d: of the objects %.1f per cent are missed when 1 per cent of the background passes (%.1f before rounding to 8 bits)", i+1, 100*r.Final.Missed, 100*r.Float.Missed))
			steps[i] = r.Step
		}
		if s := &steps[i]; last {
			// All pass, so that calibration sees all.
			s.Threshold, s.Overlap = -rejectNone, 1
			s.Mirror, s.MirrorFrom = !v.set.Unmirrored, mirrorFrom
			if i > 0 {
				s.Carry = v.carry
			}
		} else if photos, err = network.Survivors(ctx, photos, s, v.workers); err != nil {
			return err
		}
	}
	bare.Network = &cascade.Network{Overlap: v.overlap, Steps: steps}
	bare.Provenance = m.Provenance
	if err := v.write(bare, fmt.Sprintf("Network trained on %d photographs.", len(photos))); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s\n%s\n", strings.Join(about, "\n"), v.out)
	return err
}

// cascadeOf returns a copy of a model without what comes after its cascade, with lower
// thresholds.
func (v *networkFlags) cascadeOf(m *cascade.Cascade) *cascade.Cascade {
	bare := m.Clone()
	bare.Verifier, bare.Network, bare.Calibration = nil, nil, nil
	bare.Search.MinScore, bare.Search.MinCandidates = 0, 1
	for i := range bare.Exits {
		bare.Exits[i].Threshold -= float32(v.lower)
	}
	return bare
}

// takeNetwork writes the model with the network of another one.
func (v *networkFlags) takeNetwork() error {
	if v.model == "" || v.out == "" || len(v.Truth) > 0 {
		return cli.Usagef("-take goes with -model and -out, and without photographs")
	}
	m, err := v.open()
	if err != nil {
		return err
	}
	if err := v.search.Apply(m); err != nil {
		return err
	}
	from, err := v.withNetwork("-take", v.take)
	if err != nil {
		return err
	}
	made := v.cascadeOf(m)
	made.Network = from.Network
	if v.overlap > 0 {
		made.Network.Overlap = v.overlap
	}
	steps := made.Network.Steps
	if v.carry > 0 {
		steps[len(steps)-1].Carry = v.carry
	}
	if v.raise != 0 && len(steps) == 1 {
		return errors.New("-raise: the network has one step, whose threshold is that of the calibration")
	}
	steps[0].Threshold += v.raise
	return v.write(made, fmt.Sprintf("Network of %s.", cmp.Or(from.Name, "another model")))
}

// withNetwork opens the model of a flag, and keeps what it learned from.
func (v *networkFlags) withNetwork(flag, model string) (*cascade.Cascade, error) {
	m, err := input.OpenModel(model)
	if err != nil {
		return nil, err
	}
	if m.Network == nil {
		return nil, fmt.Errorf("%s: %s has no network", flag, model)
	}
	v.described = append(v.described, m.Provenance.Data...)
	return m, nil
}

// mirrorFrom is the margin from which the last step examines a square once more: what has
// less is seldom an object.
const mirrorFrom = -3

// rejectNone is a margin that no network reaches: sums are below 1<<24, scales at most
// 1<<16.
const rejectNone = 1 << 40

// shapes returns the steps of the network, and how many of them, the first ones, are those
// of -begin and stay as they are.
func (v *networkFlags) shapes() (all []cascade.NetworkStep, kept int, err error) {
	var begin []cascade.NetworkStep
	if v.begin != "" {
		from, err := v.withNetwork("-begin", v.begin)
		if err != nil {
			return nil, 0, err
		}
		begin = from.Network.Steps
		if len(v.steps) == 0 {
			return begin, 0, nil
		}
	}
	texts := v.steps
	if len(texts) == 0 {
		texts = defaultSteps
	}
	if len(texts) > 2 {
		return nil, 0, cli.Usagef("-step is given %d times, want once or twice", len(texts))
	}
	kept = max(0, len(begin)-len(texts))
	all = slices.Clone(begin[:kept])
	for i, text := range texts {
		s, err := parseStep(text)
		if err != nil {
			return nil, 0, cli.Usagef("-step %q: %v", text, err)
		}
		if at := kept + i; at < len(begin) {
			beginWith(&s, &begin[at])
		}
		all = append(all, s)
	}
	if kept == 0 {
		all[0].Overlap = 0.6
	}
	return all, kept, nil
}

// beginWith gives s the weights of the first layers of from, as far as the two are alike.
func beginWith(s, from *cascade.NetworkStep) {
	for i := range min(len(s.Layers), len(from.Layers)) {
		bare := from.Layers[i]
		bare.Weights, bare.Bias, bare.Shift = nil, nil, nil
		if s.Side != from.Side || !reflect.DeepEqual(s.Layers[i], bare) {
			return
		}
		s.Layers[i] = from.Layers[i]
	}
	if len(s.Layers) == len(from.Layers) {
		s.Scales = from.Scales
	}
}

// parseStep parses a step such as "24 1.6 conv16 max conv32 dense64". The last layer,
// with the results, is not in it.
func parseStep(text string) (cascade.NetworkStep, error) {
	s := cascade.NetworkStep{Overlap: 1}
	words := strings.Fields(text)
	if len(words) < 3 {
		return s, errors.New(`want the side in pixels, the side in sides of the window, and layers, such as "24 1.6 conv16 max conv32 dense64"`)
	}
	var err error
	if s.Side, err = strconv.Atoi(words[0]); err != nil {
		return s, fmt.Errorf("side %q, want pixels", words[0])
	}
	if s.Sides, err = strconv.ParseFloat(words[1], 64); err != nil {
		return s, fmt.Errorf("%q, want a number of sides", words[1])
	}
	for _, w := range words[2:] {
		l := cascade.NetworkLayer{Kind: cascade.MaxPool, Kernel: 2, Stride: 2}
		if n, ok := strings.CutPrefix(w, "conv"); ok {
			l = cascade.NetworkLayer{Kind: cascade.Conv, Kernel: 3, Stride: 1}
			l.Outputs, err = strconv.Atoi(n)
		} else if n, ok := strings.CutPrefix(w, "dense"); ok {
			l = cascade.NetworkLayer{Kind: cascade.Dense}
			l.Outputs, err = strconv.Atoi(n)
		} else if w != "max" {
			err = errors.New("no such layer")
		}
		if err != nil {
			return s, fmt.Errorf("layer %q, want conv and dense with a number of outputs, such as conv16, or max", w)
		}
		s.Layers = append(s.Layers, l)
	}
	s.Layers = append(s.Layers, cascade.NetworkLayer{Kind: cascade.Dense, Outputs: 5})
	return s, nil
}

// windows finds the windows of a cascade in all photographs.
func (v *networkFlags) windows(ctx context.Context, c *cascade.Cascade, labelled []eval.Photo, stderr io.Writer) ([]network.Photo, error) {
	search := v.options()
	search.Ungrouped, search.Workers, search.MaxCandidates = true, 1, -1
	d, err := detector.New(&search, c)
	if err != nil {
		return nil, cli.UsageIf(err, detector.ErrOptions)
	}
	bar, finish := output.Progress(stderr, "searching")
	defer finish()
	photos := make([]network.Photo, len(labelled))
	o := &eval.MeasureOptions{Workers: v.workers, Progress: bar}
	err = eval.Each(ctx, labelled, o, func(ctx context.Context, i int, img image.Image) error {
		found, err := d.Detect(ctx, img)
		if err != nil {
			return err
		}
		boxes := make([]image.Rectangle, len(found))
		for k := range found {
			boxes[k] = found[k].Box
		}
		var s nms.Suppressor
		kept, err := s.Keep(ctx, boxes, nms.More(v.overlap))
		if err != nil {
			return err
		}
		p := &photos[i]
		for _, k := range kept {
			p.Candidates = append(p.Candidates, network.Candidate{Box: network.BoxOf(boxes[k]), Margin: found[k].Score})
		}
		for _, q := range labelled[i].Objects {
			p.Objects = append(p.Objects, network.Object{Box: network.BoxOf(q.Box), Ignore: q.Ignore})
		}
		p.Planes = new(planes.Planes)
		return p.Planes.Set(ctx, img)
	})
	return photos, err
}

// StateFile names the checkpoint of a network's step i, in the folder of -data.
func StateFile(i int) string { return fmt.Sprintf("step%d.state", i+1) }

// trainStep trains a step, from its checkpoint on if there is one.
func (v *networkFlags) trainStep(ctx context.Context, i int, shape cascade.NetworkStep, photos []network.Photo, stderr io.Writer) (*network.Result, error) {
	state := filepath.Join(v.data, StateFile(i))
	s := v.set
	s.Step, s.Workers, s.Seed = shape, v.workers, s.Seed+uint64(i)
	progress, finish := output.Steps(stderr)
	defer finish()
	hooks := &network.Hooks{Progress: func(p network.Progress) {
		progress(fmt.Sprintf("step %d: %s", i+1, p.What), p.Iteration, p.Of)
	}}
	if v.data != "" {
		hooks.Save = func(st *network.State) error { return wholefile.Write(state, true, st.Encode) }
		if data, err := os.ReadFile(state); err == nil {
			if hooks.Resume, err = network.DecodeState(bytes.NewReader(data)); err != nil {
				return nil, fmt.Errorf("%s: %w", state, err)
			}
		}
	}
	r, err := network.Train(ctx, photos, &s, hooks)
	if errors.Is(err, network.ErrState) {
		err = fmt.Errorf("%s: %w: give the flags and photographs of before, or another -data", state, err)
	}
	return r, err
}

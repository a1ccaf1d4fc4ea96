package detector_test

import (
	"bytes"
	"errors"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
)

// A scale bias has the same effect on each level as thresholds that are lower
// by as much: the same windows pass, with the same margins.
func TestScaleBias(t *testing.T) {
	c, windows := bareFace(t)
	h := cascade.ScaleBias{PerOctave: 1.3, From: 1.5, Most: 0.9}
	ahead := *c
	ahead.Search.ScaleBias = h
	bySize := func(ws []engine.Window) map[int][]engine.Window {
		m := map[int][]engine.Window{}
		for _, w := range ws {
			m[w.Box.Dx()] = append(m[w.Box.Dx()], w)
		}
		return m
	}
	for _, refine := range [][2]int{{}, {200, 500}} {
		c.Search.RefineX, c.Search.RefineY = refine[0], refine[1]
		ahead.Search.RefineX, ahead.Search.RefineY = refine[0], refine[1]
		o := detector.Options{}
		plain, got := bySize(windows(c, o)), bySize(windows(&ahead, o))
		more, fewer, same := 0, 0, 0
		factor := 1.0
		for range 30 {
			size := int(math.RoundToEven(float64(float32(c.Width) * float32(factor))))
			by := math.RoundToEven(256*min(max(h.PerOctave*math.Log2(factor/h.From), -h.Most), h.Most)) / 256
			lower := *c
			lower.Exits = slices.Clone(c.Exits)
			for i := range lower.Exits {
				lower.Exits[i].Threshold -= float32(by)
			}
			o := o
			o.MinSize, o.MaxSize = image.Pt(size, size), image.Pt(size, size)
			want := windows(&lower, o)
			for i := range want {
				want[i].Start = by
			}
			if !slices.Equal(got[size], want) {
				t.Errorf("%+v, size %d, a scale bias of %v: %d windows, want %d", refine, size, by, len(got[size]), len(want))
			}
			switch n := len(plain[size]); {
			case len(want) > n:
				more++
			case len(want) < n:
				fewer++
			default:
				same++
			}
			factor *= 1.1
		}
		if more < 3 || fewer < 3 {
			t.Errorf("%+v: more windows pass on %d levels, fewer on %d, as many on %d: that proves little", refine, more, fewer, same)
		}
	}
}

func TestScaleBiasInFiles(t *testing.T) {
	c, _ := bareFace(t)
	want := cascade.ScaleBias{PerOctave: 1.25, From: 1.4, Most: 0.75}
	c.Search.ScaleBias = want
	var file bytes.Buffer
	if err := c.Encode(&file); err != nil {
		t.Fatal(err)
	}
	const line = "\nhead-start 1.25 1.4 0.75\n"
	if !strings.HasPrefix(file.String(), "haarlem-cascade 3\n") || !strings.Contains(file.String(), line) {
		t.Fatalf("no %q in version 3", line)
	}
	again, err := cascade.Read(bytes.NewReader(file.Bytes()), nil)
	if err != nil || again.Search.ScaleBias != want {
		t.Fatalf("read again: %+v, %v", again, err)
	}
	for _, wrong := range []string{"0 0 0", "0 1 1", "-1 1 1", "1 0 1", "1 -1 1", "1 1 0", "1 1 -1", "1 1 2e9", "1 1", "1 1 1 1", "1 x 1", ""} {
		text := strings.Replace(file.String(), line, "\nhead-start "+wrong+"\n", 1)
		if _, err := cascade.Read(strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("head-start %s: %v, want an error that names the line", wrong, err)
		}
	}
	old := strings.Replace(file.String(), "haarlem-cascade 3", "haarlem-cascade 1", 1)
	if _, err := cascade.Read(strings.NewReader(old), nil); err == nil {
		t.Error("version 1 with a scale bias was read")
	}
	if m, err := c.Mirror(); err != nil || m.Search.ScaleBias != want {
		t.Errorf("the mirror image has %+v, %v", m, err)
	}
}

func TestScaleBiasIsForScoresThatRunOn(t *testing.T) {
	c, err := cascade.Open("testdata/parity/upright-stumps.xml")
	if err != nil {
		t.Fatal(err)
	}
	c.Search.ScaleBias = cascade.ScaleBias{PerOctave: 1, From: 1, Most: 1}
	if err := c.Check(); !errors.Is(err, cascade.ErrModel) || !strings.Contains(err.Error(), "behind exit 0 the score restarts") {
		t.Errorf("stages with a scale bias: %v", err)
	}
	// One stage never restarts, but OpenCV has no bias.
	c.Exits = c.Exits[:1]
	c.Weak = c.Weak[:c.Exits[0].After]
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	if err := c.EncodeOpenCV(new(bytes.Buffer)); !errors.Is(err, cascade.ErrOpenCV) {
		t.Errorf("in OpenCV's format: %v", err)
	}
	for _, h := range []cascade.ScaleBias{{PerOctave: math.NaN(), From: 1, Most: 1}, {PerOctave: 1, From: math.Inf(1), Most: 1}, {PerOctave: 1, From: 1, Most: math.NaN()}} {
		if c.Search.ScaleBias = h; c.Check() == nil {
			t.Errorf("%+v was taken", h)
		}
	}
}

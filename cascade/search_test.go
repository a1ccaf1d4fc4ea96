package cascade

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// Settings of a search are written and read again, are refused out of their bounds, in
// files and in programs, are those of the mirror image too, and are not in OpenCV's files.
func TestSearchInFiles(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		line  string // of the file
		set   func(*Search)
		texts []string        // in its place, which are errors
		wrong []func(*Search) // settings that are errors
	}{
		{"stride 2", func(s *Search) { s.Stride = 2 }, []string{"stride 0", "stride -1", "stride 21", "stride", "stride 2.0", "stride 2 2"},
			[]func(*Search){func(s *Search) { s.Stride = -1 }, func(s *Search) { s.Stride = 21 }}},
		{"refine-x 2", func(s *Search) { s.RefineX = 2 }, []string{"refine-x 0", "refine-x -1", "refine-x 2.0", "refine-x", "refine-x 2 2", "refine-x 4"},
			[]func(*Search){func(s *Search) { s.RefineX = -2 }, func(s *Search) { s.RefineX = 4 }}},
		{"refine-y 2", func(s *Search) { s.RefineY = 2 }, []string{"refine-y 0", "refine-y -1", "refine-y 2.0", "refine-y", "refine-y 2 2", "refine-y 4"},
			[]func(*Search){func(s *Search) { s.RefineY = -2 }, func(s *Search) { s.RefineY = 4 }}},
		{"inter-level 2", func(s *Search) { s.InterLevel = 2 }, []string{"inter-level 0", "inter-level -1", "inter-level 2.0", "inter-level", "inter-level 2 2", "inter-level 4"},
			[]func(*Search){func(s *Search) { s.InterLevel = -2 }, func(s *Search) { s.InterLevel = 4 }}},
		{"dense-from 1.5", func(s *Search) { s.InterLevel, s.DenseFrom = 1, 1.5 }, []string{"dense-from 0", "dense-from -1", "dense-from", "dense-from 1.5 2", "dense-from x"},
			[]func(*Search){func(s *Search) { s.InterLevel, s.DenseFrom = 1, -1 }, func(s *Search) { s.InterLevel, s.DenseFrom = 1, nan },
				func(s *Search) { s.InterLevel, s.DenseFrom = 1, inf }, func(s *Search) { s.DenseFrom = 1.5 }}},
		{"pad 0.25", func(s *Search) { s.Pad = 0.25 }, []string{"pad 0", "pad -1", "pad 0.51", "pad", "pad 0.25 2", "pad x"},
			[]func(*Search){func(s *Search) { s.Pad = -0.1 }, func(s *Search) { s.Pad = 0.6 }, func(s *Search) { s.Pad = nan }}},
		{"scale-bias 1.25 1.4 0.75", func(s *Search) { s.ScaleBias = ScaleBias{PerOctave: 1.25, From: 1.4, Max: 0.75} },
			[]string{"scale-bias 0 0 0", "scale-bias 0 1 1", "scale-bias -1 1 1", "scale-bias 1 0 1", "scale-bias 1 -1 1", "scale-bias 1 1 0", "scale-bias 1 1 -1",
				"scale-bias 1 1 2e9", "scale-bias 1 1", "scale-bias 1 1 1 1", "scale-bias 1 x 1", "scale-bias"},
			[]func(*Search){func(s *Search) { s.ScaleBias = ScaleBias{PerOctave: nan, From: 1, Max: 1} },
				func(s *Search) { s.ScaleBias = ScaleBias{PerOctave: 1, From: inf, Max: 1} },
				func(s *Search) { s.ScaleBias = ScaleBias{PerOctave: 1, From: 1, Max: nan} }}},
		{"prefilter-from 1.75", func(s *Search) { s.PrefilterFrom = 1.75 },
			[]string{"prefilter-from 0", "prefilter-from 1", "prefilter-from -2", "prefilter-from 0.5", "prefilter-from 1e999", "prefilter-from x", "prefilter-from 2 2", "prefilter-from"},
			[]func(*Search){func(s *Search) { s.PrefilterFrom = 1 }, func(s *Search) { s.PrefilterFrom = -1 },
				func(s *Search) { s.PrefilterFrom = nan }, func(s *Search) { s.PrefilterFrom = inf }}},
		{"min-candidates 6", func(s *Search) { s.MinCandidates = 6 }, []string{"min-candidates 0", "min-candidates 6.5", "min-candidates", "min-candidates 1000001"},
			[]func(*Search){func(s *Search) { s.MinCandidates = -1 }, func(s *Search) { s.MinCandidates = 1000001 }}},
		{"min-score 0.25", func(s *Search) { s.MinScore = 0.25 }, []string{"min-score -1", "min-score 0", "min-score", "min-score 1 2", "min-score NaN", "min-score 0.25\nstride 2"},
			[]func(*Search){func(s *Search) { s.MinScore = -0.5 }, func(s *Search) { s.MinScore = nan }}},
	} {
		c := fileCascades()["soft"]
		test.set(&c.Search)
		text := unsealed(c)
		if strings.Count(text, "\n"+test.line+"\n") != 1 {
			t.Errorf("no %q in\n%s", test.line, text)
			continue
		}
		for _, other := range test.texts {
			changed := strings.Replace(text, "\n"+test.line+"\n", "\n"+other+"\n", 1)
			if _, err := Read(bytes.NewReader(seal([]byte(changed))), nil); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "line ") {
				t.Errorf("%q: %v, want an error that names the line", other, err)
			}
		}
		got, err := Read(bytes.NewReader(encode(c)), nil)
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: read again %+v, %v", test.line, got, err)
		}
		for i, wrong := range test.wrong {
			c.Search = Search{}
			if wrong(&c.Search); c.Check() == nil {
				t.Errorf("%s: %d: %+v is valid", test.line, i, c.Search)
			}
		}
		stages := fileCascades()["xml-stumps"]
		test.set(&stages.Search)
		if stages.Search.ScaleBias != (ScaleBias{}) {
			stages.Exits = []Exit{{After: len(stages.Weak), Threshold: stages.Exits[0].Threshold, Restart: true}}
		}
		inXML := strings.HasPrefix(test.line, "min-")
		if err := stages.EncodeOpenCV(new(bytes.Buffer)); errors.Is(err, ErrOpenCV) == inXML {
			t.Errorf("%s: in OpenCV's format: %v", test.line, err)
		}
	}
}

func TestScaleBiasNeedsOneScore(t *testing.T) {
	c := fileCascades()["xml-stumps"]
	c.Search.ScaleBias = ScaleBias{PerOctave: 1, From: 1, Max: 1}
	if err := c.Check(); !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), "exit 0 the score restarts") {
		t.Errorf("stages with a scale bias: %v", err)
	}
}

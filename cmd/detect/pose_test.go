package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/search"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
)

// Any model of one side will do here: what is asked is which models search, and
// that each place is reported once.
func TestPose(t *testing.T) {
	faces := func(args ...string) []jsonout.Face {
		t.Helper()
		status, out, stderr := call(nil, append(args, "-format", "json", detecttest.Group)...)
		if status != statusOK {
			t.Fatalf("detect %q: status %d, stderr: %s", args, status, stderr)
		}
		return parse(t, out)[0].Faces
	}
	front := faces("-model", "frontalface")
	if same := faces("-pose", "frontal"); !slices.Equal(same, front) {
		t.Errorf("-pose frontal finds %v, frontalface %v", same, front)
	}
	side, other := calibratedFrom(t, "frontalface", 0, 0.502), calibrated(t, detecttest.Drawn, 1) // that is a margin of 8
	both := faces("-pose", "profile", "-profile-model", side)
	all := faces("-pose", "any", "-model", other, "-profile-model", side)
	if len(front) != 11 || len(both) != 11 || len(all) != 11 {
		t.Errorf("%d faces with one model, %d with it and its mirror image, %d with a third one; want 11 each", len(front), len(both), len(all))
	}
	if one := faces("-model", side); slices.Equal(both, one) {
		t.Errorf("the mirror image adds nothing to %v", one)
	}
	if slices.Equal(all, both) {
		t.Errorf("the third model adds nothing to %v", both)
	}
}

// calibrated is a copy of a model with scores that can be compared with other
// models', and told from each other to the end.
func calibrated(t *testing.T, name string, offset float64) string {
	t.Helper()
	return calibratedFrom(t, name, offset, 0)
}

// calibratedFrom is the same with a score that detections need.
func calibratedFrom(t *testing.T, name string, offset, smallest float64) string {
	t.Helper()
	c := must.Get(search.OpenModel(name))
	c.Search.MinCandidates, c.Search.MinScore = 0, smallest
	c.Calibration = &cascade.Calibration{Slope: 0.001, Offset: offset}
	var file bytes.Buffer
	must.Do(c.Encode(&file))
	return detecttest.WriteBytes(t, filepath.Join(t.TempDir(), "calibrated.cascade"), file.Bytes())
}

func TestPoseErrors(t *testing.T) {
	for _, test := range []struct {
		args []string
		say  string
	}{
		{[]string{"-pose", "behind", detecttest.Group}, `invalid value "behind" for flag -pose: want frontal, profile or any`},
		{[]string{"-pose", "profile", "-model", detecttest.Drawn, detecttest.Group}, "-profile-model is the other one"},
		{[]string{"-profile-model", detecttest.Drawn, detecttest.Group}, "is for -pose profile and -pose any"},
		{[]string{"-pose", "any", "-profile-model", "sideface", detecttest.Group}, "model sideface: there is no such file, and the built-in models are"},
		{[]string{"-pose", "any", "-profile-model", detecttest.Drawn, detecttest.Group}, "one is calibrated and one is not"},
	} {
		status, out, stderr := call(nil, test.args...)
		if status != statusUsage || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.say) {
			t.Errorf("detect %q: status %d, stdout %q, stderr %q; want status 2 and one line with %q", test.args, status, out, stderr, test.say)
		}
	}
}

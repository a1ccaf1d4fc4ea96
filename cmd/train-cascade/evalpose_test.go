package main

import (
	"strings"
	"testing"
)

func TestEvalPose(t *testing.T) {
	base := []string{"eval", "-truth", groupTruth, "-bg", room}
	rates := func(args ...string) string {
		t.Helper()
		out, errs, status := call(t, append(base, args...)...)
		if status != 0 {
			t.Fatalf("%q: status %d, %s", args, status, errs)
		}
		_, table, _ := strings.Cut(out, "a megapixel)\n")
		table, _, _ = strings.Cut(table, "\n\n")
		return table
	}
	// A model and its mirror image, and a model with both.
	if got := rates("-pose", "profile", "-profile-model", "side=frontalface"); !strings.HasSuffix(got, "  score  side") || !strings.HasPrefix(strings.TrimLeft(got, " "), "100.0") {
		t.Errorf("profile: %s", got)
	}
	got := rates("-pose", "any", "-model", "one=frontalface", "-model", "two=frontalface", "-profile-model", "frontalface")
	if lines := strings.Split(got, "\n"); len(lines) != 2 || !strings.HasSuffix(lines[1], "  two") || strings.TrimSuffix(lines[0], "one") != strings.TrimSuffix(lines[1], "two") {
		t.Errorf("any: %s", got)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{`invalid value "behind" for flag -pose: want frontal, profile or any`, []string{"-pose", "behind", "-model", "frontalface"}},
		{"name a model with -profile-model", []string{"-pose", "profile", "-model", "frontalface"}},
		{"-profile-model is for -pose profile and -pose any", []string{"-profile-model", "frontalface", "-model", "frontalface"}},
		{"model sideface: there is no such file", []string{"-pose", "profile", "-profile-model", "sideface"}},
	} {
		out, errs, status := call(t, append(base, c.args...)...)
		if status != 2 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d, %q, want 2 and %q", c.args, status, errs, c.want)
		}
	}
}

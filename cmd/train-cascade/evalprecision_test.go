package main

import (
	"encoding/json"
	"strings"
	"testing"

	"haarlem/internal/eval"
)

func TestEvalPrecision(t *testing.T) {
	args := []string{"eval", "-model", "frontalface", "-truth", groupTruth, "-recall-by", "size"}
	out, errs, status := call(t, args...)
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	for _, want := range []string{"Average precision", "size=", "What the false positives are"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if _, errs, status := call(t, append(args, "-subset", "some:level=a,b")...); status != 2 || !strings.Contains(errs, `of ["a" "b"] in`) {
		t.Errorf("values with a comma between them: status %d, %s", status, errs)
	}
	out, _, status = call(t, append(args, "-output", "json")...)
	var r eval.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != 0 {
		t.Fatalf("status %d, %v", status, err)
	}
	if r.Precision == nil || r.Precision.Lines[0].Subsets[0].Objects != 11 || r.Precision.Lines[0].Subsets[0].AveragePrecision[0] < 0.9 {
		t.Errorf("%+v, want all 11 objects, which are easy", r.Precision)
	}
	for _, bad := range [][]string{{"-subset", "easy"}, {"-recall-by", "mood"}, {"-subset", "easy:level=easy"}} {
		if _, _, status := call(t, append(args, bad...)...); status != 2 {
			t.Errorf("%q: status %d, want 2", bad, status)
		}
	}
}

package main

import (
	"fmt"
	"strings"
	"testing"
)

// An evaluation that is made of shards prints the same bytes.
func TestEvalShards(t *testing.T) {
	dir := t.TempDir()
	base := []string{"eval", "-model", "frontalface", "-model", "opencv=frontalface-opencv", "-truth", groupTruth, "-bg", room, "-output", "json"}
	with := func(args ...string) []string { return append(append([]string{}, base...), args...) }
	want, errs, status := call(t, base...)
	if status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	if _, errs, status := call(t, with("-from", dir)...); status != 1 || !strings.Contains(errs, "not complete") {
		t.Errorf("-from nothing: status %d, %s", status, errs)
	}
	for _, i := range []int{1, 0, 2, 1} {
		if _, errs, status := call(t, with("-shard", fmt.Sprintf("%d/3", i), "-out", dir)...); status != 0 {
			t.Fatalf("shard %d: status %d, %s", i, status, errs)
		}
	}
	if got, errs, status := call(t, with("-from", dir)...); status != 0 || got != want {
		t.Errorf("status %d, %s, report:\n%s\nwant:\n%s", status, errs, got, want)
	}
	if _, errs, status := call(t, with("-from", dir, "-min-size", "50")...); status != 1 || !strings.Contains(errs, "another job") {
		t.Errorf("other settings: status %d, %s", status, errs)
	}
	for _, args := range [][]string{{"-shard", "3/3", "-out", dir}, {"-shard", "1/3"}, {"-out", dir}, {"-shard", "0/3", "-out", dir, "-from", dir}, {"-shard", "0/3", "-out", dir, "-detections", "../detect/testdata/group.jsonl"}} {
		if _, errs, status := call(t, with(args...)...); status != 2 {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}

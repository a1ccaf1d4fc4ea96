package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
)

// A training whose pictures two other processes search, one of which is killed,
// gives the bytes of one that is alone.
func TestTrainMine(t *testing.T) {
	crosses(t)
	args := func(out string, more ...string) []string {
		return append([]string{"train", "-truth", "truth.csv", "-template", "none", "-bg", "bg", "-use-rest", "-w", "16", "-h", "16", "-features", "200", "-numNeg", "300",
			"-acceptanceRatioBreakValue", "-1", "-shape", "soft", "-weak", "histogram", "-bt", "RAB", "-rounds", "14", "-turn-bg", "2", "-validation", "0.2", "-stop-early", "-data", out}, more...)
	}
	trained(t, args("alone")...)
	want := contents(t, "alone/cascade.cascade")
	trained(t, args("folder", "-mine", "mine", "-workers", "1")...)
	if contents(t, "folder/cascade.cascade") != want {
		t.Error("a folder without workers gives another cascade")
	}
	must.Do(os.Remove(filepath.Join("mine", "done")))
	first, _ := start(t, nil, "mine-worker", "-workers", "1", "mine")
	second, log := start(t, nil, "mine-worker", "-workers", "1", "mine")
	trainer, errs := start(t, nil, args("war", "-mine", "mine", "-workers", "1")...)
	for range 3000 { // until the first worker has claimed something
		if claims, _ := filepath.Glob("mine/wave-*/claim-*"); len(claims) > 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	must.Do(first.Process.Kill())
	_ = first.Wait() // it was killed
	if err := trainer.Wait(); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if err := second.Wait(); err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	if n := strings.Count(log.String(), "msg=searched"); n == 0 {
		t.Error("the second worker did nothing")
	}
	if contents(t, "war/cascade.cascade") != want {
		t.Error("with workers, one of which was killed, the cascade is another")
	}
}

func TestMine(t *testing.T) {
	crosses(t)
	pictures, err := filepath.Glob("bg/*")
	if err != nil || len(pictures) == 0 {
		t.Fatal(err)
	}
	must.Do(os.WriteFile("names.txt", []byte(strings.Join(append(pictures, "none.png"), "\n")), 0o666))
	for _, dir := range []string{"one", "two"} {
		for _, shard := range []string{"1/2", "0/2"} {
			if out, errs, status := call(t, "mine", "-model", "frontalface", "-list", "names.txt", "-shard", shard, "-out", dir, "-max", "5"); status != 0 || !strings.Contains(out, "of 7") {
				t.Fatalf("status %d, %s%s", status, out, errs)
			}
		}
	}
	for _, name := range []string{"part-00000-of-00002.jsonl", "part-00001-of-00002.jsonl", "part-00000-of-00002.json", "part-00001-of-00002.json"} {
		if contents(t, filepath.Join("one", name)) != contents(t, filepath.Join("two", name)) {
			t.Errorf("%s differs", name)
		}
	}
	for _, args := range [][]string{{"mine"}, {"mine", "-model", "frontalface", "-list", "names.txt", "-out", "x", "-shard", "2/2"}, {"mine-worker"}, {"mine", "-model", "frontalface", "-list", "names.txt", "-out", "x", "-max", "-1"}} {
		if _, _, status := call(t, args...); status != 2 {
			t.Errorf("%q: status %d, want 2", args, status)
		}
	}
}

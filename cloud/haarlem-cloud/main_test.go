package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"haarlem/cloud/task"
	"haarlem/internal/must"
)

// number is how large a test is: what a variable says, or what CI has time for.
func number(t *testing.T, variable string, usual int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s is %q, want a number", variable, text)
	}
	return n
}

func call(args ...string) (string, error) {
	var out bytes.Buffer
	err := run(context.Background(), args, &out, &out)
	return out.String(), err
}

func works(t *testing.T, args ...string) string {
	t.Helper()
	out, err := call(args...)
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return out
}

// until runs a shard again until it is finished, as a scheduler does.
func until(t *testing.T, shards int, args ...string) (again int) {
	t.Helper()
	for i := range shards {
		for try := 0; ; try++ {
			_, err := call(append(args, "-shards", fmt.Sprint(shards), "-shard", fmt.Sprint(i))...)
			if err == nil {
				break
			}
			if errors.Is(err, task.ErrSettings) || try == 20 {
				t.Fatalf("shard %d: %v", i, err)
			}
			again++
		}
	}
	return again
}

// each demands that each name is there once, in the results or among the failures.
func each(t *testing.T, names []string, results, failures string) {
	t.Helper()
	seen := map[string]int{}
	for line := range strings.Lines(results + failures) {
		var l struct{ File string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		seen[l.File]++
	}
	wrong := 0
	for _, name := range names {
		if seen[name] != 1 && wrong < 5 {
			wrong++
			t.Errorf("%s is there %d times", name, seen[name])
		}
	}
	if len(seen) != len(names) {
		t.Errorf("%d names, want %d", len(seen), len(names))
	}
}

func merged(t *testing.T, place string) (results, failures string) {
	t.Helper()
	var a, b bytes.Buffer
	must.Get(task.Merge(context.Background(), place, "", &a, &b))
	return a.String(), b.String()
}

// Through faults of every kind, an object store gives what it gives without, and what
// files give.
func TestFaults(t *testing.T) {
	store := serve(t)
	names := bucket(t, store, number(t, "HAARLEM_OBJECTS", 300))
	t.Setenv("AWS_ENDPOINT_URL", store)
	began := time.Now()
	until(t, 4, "-list", "s3://pictures/names.txt", "-output", "s3://pictures/plain")
	t.Logf("%d objects in %v without faults", len(names), time.Since(began))
	want, wantFailures := merged(t, "s3://pictures/plain")
	each(t, names, want, wantFailures)
	if n := strings.Count(wantFailures, "\n"); n != (len(names)-1+2)/10+1 {
		t.Errorf("%d failures of %d", n, len(names))
	}

	f, proxy := withFaults(t, store, 0.03)
	t.Setenv("AWS_ENDPOINT_URL", proxy)
	began = time.Now()
	again := until(t, 4, "-list", "s3://pictures/names.txt", "-output", "s3://pictures/faults")
	got, gotFailures := merged(t, "s3://pictures/faults")
	t.Logf("%d objects in %v with faults: %d requests, %d errors, %d bodies cut, %d slow, %d puts lost, %d puts hidden; %d shards again",
		len(names), time.Since(began), f.all.Load(), f.errors.Load(), f.cut.Load(), f.slow.Load(), f.lost.Load(), f.hidden.Load(), again)
	if got != want || gotFailures != wantFailures {
		t.Error("faults change the bytes")
	}
	if f.errors.Load() == 0 || f.cut.Load() == 0 || f.slow.Load() == 0 {
		t.Error("there were no faults: the test shows nothing")
	}

	// Copies are many puts. A share of 0.03 spared all of them in one run of 20.
	f.lock.Lock()
	f.share = 0.1
	f.lock.Unlock()
	few := filepath.Join(t.TempDir(), "few.txt")
	must.Do(os.WriteFile(few, []byte(strings.Join(names[:100], "\n")), 0o666))
	until(t, 2, "-mode", "blur", "-list", few, "-output", "s3://pictures/blur")
	dir := t.TempDir()
	t.Setenv("AWS_ENDPOINT_URL", store)
	until(t, 2, "-mode", "blur", "-list", few, "-output", "file://"+dir)
	a, aFailures := merged(t, "s3://pictures/blur")
	b, bFailures := merged(t, dir)
	if a != b || aFailures != bFailures {
		t.Error("a bucket and a folder have other bytes")
	}
	if f.lost.Load() == 0 || f.hidden.Load() == 0 {
		t.Errorf("%d puts lost and %d hidden: the test shows nothing", f.lost.Load(), f.hidden.Load())
	}
	for line := range strings.Lines(b) {
		var l struct{ Copy string }
		must.Do(json.Unmarshal([]byte(line), &l))
		want := must.Get(os.ReadFile(filepath.Join(dir, l.Copy)))
		if got := object(t, "s3://pictures/blur/"+l.Copy); !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes in the bucket, and %d in the folder", l.Copy, len(got), len(want))
		}
	}
}

// A store that is away ends the shard, and no picture is said to be missing.
func TestStoreAway(t *testing.T) {
	store := serve(t)
	bucket(t, store, 3)
	_, proxy := withFaults(t, store, 1)
	list := filepath.Join(t.TempDir(), "names.txt")
	must.Do(os.WriteFile(list, []byte("s3://pictures/in/ä 0.png"), 0o666))
	t.Setenv("AWS_ENDPOINT_URL", proxy)
	dir := t.TempDir()
	if out, err := call("-list", list, "-output", dir, "-shard", "0"); err == nil || !strings.Contains(err.Error(), "after 8 tries") {
		t.Errorf("%v: %s", err, out)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "part-*")); err != nil || len(files) > 0 {
		t.Errorf("there are %v, %v", files, err)
	}
	// Nor is it a fact about a picture that a key is wrong.
	t.Setenv("AWS_ENDPOINT_URL", store)
	if out, err := call("-list", list, "-output", "s3://other/out", "-shard", "0"); err == nil || errors.Is(err, task.ErrSettings) {
		t.Errorf("a bucket that is not there: %v: %s", err, out)
	}
}

// A process that is killed at any moment loses nothing, and nothing is there twice.
func TestKilled(t *testing.T) {
	store := serve(t)
	names := bucket(t, store, number(t, "HAARLEM_KILL_OBJECTS", 300))
	t.Setenv("AWS_ENDPOINT_URL", store)
	program := filepath.Join(t.TempDir(), "haarlem-cloud")
	if text, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	start := func(out string, i int) *exec.Cmd {
		c := exec.Command(program, "-list", "s3://pictures/names.txt", "-output", "s3://pictures/"+out, "-shards", "60")
		c.Env = append(os.Environ(), fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i))
		return c
	}
	began := time.Now()
	if text, err := start("peace", 0).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	long := time.Since(began)
	until(t, 60, "-list", "s3://pictures/names.txt", "-output", "s3://pictures/peace")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d; a shard takes %v", seed, long)
	rng := rand.New(rand.NewPCG(seed, 0))
	killed := 0
	for i := 0; killed < number(t, "HAARLEM_KILLS", 15); i = (i + 1) % 60 {
		c := start("war", i)
		must.Do(c.Start())
		after := time.AfterFunc(time.Duration(rng.Int64N(int64(long))), func() { c.Process.Kill() })
		if c.Wait() != nil {
			killed++
		}
		after.Stop()
	}
	until(t, 60, "-list", "s3://pictures/names.txt", "-output", "s3://pictures/war")
	want, wantFailures := merged(t, "s3://pictures/peace")
	got, gotFailures := merged(t, "s3://pictures/war")
	if got != want || gotFailures != wantFailures {
		t.Error("kills change the bytes")
	}
	each(t, names, got, gotFailures)
}

// The same job in files has the bytes of detect.
func TestAsDetect(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "names.txt")
	must.Do(os.WriteFile(list, []byte("../../samples/group.png\n../../samples/room.png\nnowhere.png\n"), 0o666))
	works(t, "-list", list, "-output", filepath.Join(dir, "cloud"), "-shards", "2", "-shard", "0", "-min-size", "40")
	works(t, "-list", list, "-output", filepath.Join(dir, "cloud"), "-shards", "2", "-shard", "1", "-min-size", "40")
	out, err := call("-output", filepath.Join(dir, "cloud"), "-merge", "-list", list)
	if first, second := strings.Index(out, "group.png"), strings.Index(out, "room.png"); !errors.Is(err, errNames) || first < 0 || second < first {
		t.Errorf("merged: %v; want an error about nowhere.png, and the list's order:\n%s", err, out)
	}
	detect := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-o", detect, "./cmd/detect")
	build.Dir = "../.." // its module, which has what detect needs besides
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for i := range 2 {
		cmd := exec.Command(detect, "-list", list, "-shard", fmt.Sprintf("%d/2", i), "-out", filepath.Join(dir, "detect"), "-min-size", "40")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "detect", "*"))
	if err != nil || len(files) != 7 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files {
		want := must.Get(os.ReadFile(f))
		if got, err := os.ReadFile(filepath.Join(dir, "cloud", filepath.Base(f))); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", f, err, got, want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{}, {"-list", "a"}, {"-list", "a", "-output", "b", "-shard", "1"}, {"-list", "a", "-output", "b", "-shard", "0", "-mode", "x"}, {"-merge"},
		{"-list", "a", "-output", "b", "-shard", "0", "-model", "none"}, {"-list", "a", "-output", "b", "-shard", "0", "c"}, {"-list", "a", "-output", "b", "-shard", "0", "-min-size", "x"},
		{"-list", "a", "-output", "s3://", "-shard", "0"}, {"-none"},
	} {
		if out, err := call(args...); !errors.Is(err, task.ErrSettings) {
			t.Errorf("%q: %v: %s", args, err, out)
		}
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"image"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
)

// shardList makes a few pictures, some of which cannot be read, and a list of them.
func shardList(t *testing.T, pictures int) (list string, names []string) {
	t.Helper()
	dir := t.TempDir()
	for i := range pictures {
		g := image.NewGray(image.Rect(0, 0, 40+i, 40))
		r := rand.New(rand.NewPCG(1, uint64(i)))
		for k := range g.Pix {
			g.Pix[k] = uint8(r.IntN(256))
		}
		names = append(names, detecttest.WritePNG(t, filepath.Join(dir, fmt.Sprintf("noise %d.png", i)), g))
	}
	text := filepath.Join(dir, "no picture.png")
	must.Do(os.WriteFile(text, []byte("hello"), 0o666))
	names = append(names, detecttest.Group, detecttest.Room, text, filepath.Join(dir, "nowhere.jpg"), dir)
	list = filepath.Join(dir, "names.txt")
	must.Do(os.WriteFile(list, []byte(strings.Join(names, "\n")), 0o666))
	return list, names
}

// files are those of a folder, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must.Do(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path[len(dir):]] = string(text)
		return err
	}))
	return all
}

func mustCall(t *testing.T, args ...string) string {
	t.Helper()
	status, out, stderr := call(nil, args...)
	if status != statusOK {
		t.Fatalf("detect %q: status %d: %s", args, status, stderr)
	}
	return out
}

// Shards find what detect finds.
func TestShards(t *testing.T) {
	list, names := shardList(t, 5)
	dir := t.TempDir()
	if status, _, stderr := call(nil, "merge", dir); status != statusFailed || !strings.Contains(stderr, "job.json") {
		t.Errorf("merge of nothing: status %d: %s", status, stderr)
	}
	for _, i := range []int{2, 0} {
		mustCall(t, "-list", list, "-shard", fmt.Sprintf("%d/3", i), "-out", dir)
	}
	if status, out, stderr := call(nil, "merge", dir); status != statusFailed || out != "" || !strings.Contains(stderr, "1 of 3 shards are missing: 1\n") {
		t.Errorf("merge of two of three: status %d: %s%s", status, out, stderr)
	}
	mustCall(t, "-list", list, "-shard", "1/3", "-out", dir, "-workers", "1")
	failures := filepath.Join(t.TempDir(), "failures.jsonl")
	status, out, stderr := call(nil, "merge", "-failures", failures, dir)
	if status != statusFailed || stderr != "detect: 3 of 10 names failed\n" {
		t.Errorf("merge: status %d: %s", status, stderr)
	}
	got := map[string]jsonout.Picture{}
	for line := range strings.Lines(out) {
		var p jsonout.Picture
		if err := json.Unmarshal([]byte(line), &p); err != nil || strings.Contains(line, "milliseconds") {
			t.Fatalf("%v: %s", err, line)
		}
		got[p.File] = p
	}
	status, out, _ = call(nil, append([]string{"-format", "json"}, names[:7]...)...)
	want := map[string]jsonout.Picture{}
	for _, p := range parse(t, out) {
		p.Milliseconds = 0
		want[p.File] = p
	}
	if status != statusOK || len(want) != 7 || !reflect.DeepEqual(got, want) {
		t.Errorf("shards found\n%v\nand detect\n%v", got, want)
	}
	text := must.Get(os.ReadFile(failures))
	if n := strings.Count(string(text), "\n"); n != 3 || !strings.Contains(string(text), "nowhere.jpg: no such file or directory") {
		t.Errorf("failures:\n%s", text)
	}
	// From stdin, a finished shard.
	in := must.Get(os.Open(list))
	defer in.Close()
	if status, out, stderr := call(in, "-list", "-", "-shard", "1/3", "-out", dir); status != statusOK || !strings.Contains(out, "skipped") {
		t.Errorf("again: status %d: %s%s", status, out, stderr)
	}
	for _, args := range [][]string{
		{"-shard", "3/3", "-list", list, "-out", dir}, {"-shard", "1/3"}, {"-list", list}, {"-list", list, "-out", dir, detecttest.Room},
		{"-list", list, "-out", dir, "-annotate", dir}, {"-list", list, "-out", dir, "-format", "text"}, {"-out", dir, detecttest.Room}, {"-list", dir + "/no", "-out", dir},
	} {
		if status, _, stderr := call(nil, args...); status != statusUsage {
			t.Errorf("detect %q: status %d: %s", args, status, stderr)
		}
	}
	if status, _, stderr := call(nil, "-list", list, "-shard", "1/3", "-out", dir, "-min-size", "30"); status != statusFailed || !strings.Contains(stderr, "another job") {
		t.Errorf("other settings: status %d: %s", status, stderr)
	}
}

func TestShardsCSV(t *testing.T) {
	list, names := shardList(t, 0)
	dir := t.TempDir()
	mustCall(t, "-list", list, "-out", dir, "-format", "csv", "-box", "head")
	want := mustCall(t, append([]string{"-format", "csv", "-box", "head"}, names[:2]...)...)
	for _, args := range [][]string{{"merge", dir}, {"merge", "-list", list, dir}} {
		if _, got, _ := call(nil, args...); got != want {
			t.Errorf("%v:\n%s\ndetect:\n%s", args, got, want)
		}
	}
}

// Copies have the pixels of detect blur, and the shards the same bytes, for any
// number of workers, after an interruption too.
func TestShardsBlur(t *testing.T) {
	list, _ := shardList(t, 3)
	one, two, plain := t.TempDir(), t.TempDir(), t.TempDir()
	for i := range 2 {
		shard := fmt.Sprintf("%d/2", i)
		mustCall(t, "blur", "-list", list, "-shard", shard, "-out", one)
		mustCall(t, "blur", "-list", list, "-shard", shard, "-out", two, "-workers", "1")
	}
	all := files(t, one)
	if !reflect.DeepEqual(all, files(t, two)) {
		t.Error("one worker writes other bytes")
	}
	mustCall(t, "blur", "-out", plain, detecttest.Group)
	want := must.Get(os.ReadFile(filepath.Join(plain, "group.png")))
	found := 0
	for name, text := range all {
		if strings.HasSuffix(name, "-group.png") && text == string(want) {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d copies are those of detect blur, want 1", found)
	}
	other := t.TempDir()
	mustCall(t, "pixelate", "-list", list, "-shard", "0/2", "-out", other)
	if status, _, stderr := call(nil, "blur", "-list", list, "-shard", "0/2", "-out", other); status != statusFailed || !strings.Contains(stderr, "pixelate") {
		t.Errorf("blur where there is pixelate: status %d: %s", status, stderr)
	}
}

// A process that is killed at any moment loses nothing, and nothing is there twice.
func TestShardKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	list, names := shardList(t, 40)
	must.Do(os.WriteFile(list, []byte(strings.Join(slices.DeleteFunc(names, func(n string) bool { return n == detecttest.Group || n == detecttest.Room }), "\n")), 0o666))
	want, got := t.TempDir(), t.TempDir()
	start := func(dir string, shard int) *exec.Cmd {
		return itself("blur", "-list", list, "-shard", fmt.Sprintf("%d/2", shard), "-out", dir)
	}
	began := time.Now()
	for i := range 2 {
		if text, err := start(want, i).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	long := time.Since(began) / 2
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d; a shard takes %v", seed, long)
	rng := rand.New(rand.NewPCG(seed, 0))
	killed := 0
	for range 30 {
		i := rng.IntN(2)
		c := start(got, i)
		must.Do(c.Start())
		time.AfterFunc(time.Duration(rng.Int64N(int64(long))), func() { c.Process.Kill() })
		if c.Wait() != nil {
			killed++
		} else if err := os.Remove(filepath.Join(got, fmt.Sprintf("part-%05d-of-00002.json", i))); err != nil { // so that the next one has something to do
			t.Fatal(err)
		}
	}
	if killed < 5 {
		t.Errorf("%d processes were killed: the test shows nothing", killed)
	}
	for i := range 2 {
		if text, err := start(got, i).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	a := printed(t, "merge", want)
	b := printed(t, "merge", got)
	t.Logf("%d of 30 killed", killed)
	if a != b || !reflect.DeepEqual(files(t, want), files(t, got)) {
		t.Error("other bytes after kills")
	}
}

// printed returns what a program prints, whose status is 1 for the names that fail.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	text, err := itself(args...).Output()
	if e, ok := err.(*exec.ExitError); !ok || e.ExitCode() != 1 {
		t.Fatalf("%q: %v, want status 1", args, err)
	}
	return string(text)
}

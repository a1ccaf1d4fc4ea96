package shard

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"haarlem/internal/must"
)

var ctx = context.Background()

func testJob(shards int) *Job {
	return &Job{Operation: "count", Shards: shards, Extension: "jsonl", Models: []string{"abc"}, Settings: []byte(`{"min":3}`)}
}

// A name with an x cannot be done.
func letters(_ context.Context, name string) (Result, error) {
	if strings.Contains(name, "x") {
		return Result{Failure: name + ": it has an x"}, nil
	}
	return Result{Line: fmt.Appendf(nil, "%s %d\n", name, len(name)), Objects: len(name)}, nil
}

// slowly does the same in another order of completion every time.
func slowly(ctx context.Context, name string) (Result, error) {
	time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
	return letters(ctx, name)
}

func testList(n int) string {
	var b strings.Builder
	for i := range n {
		if i%7 == 3 {
			fmt.Fprintf(&b, "x%d.png\n", i)
		} else {
			fmt.Fprintf(&b, "folder %d/picture-ä%d.png\n", i%5, i)
		}
	}
	return b.String()
}

func do(t *testing.T, j *Job, list string, d Folder, work Work) {
	t.Helper()
	for i := range j.Shards {
		must.Get(Run(ctx, j, i, strings.NewReader(list), d, 4, work))
	}
}

// content is all files of a folder, by name.
func content(t *testing.T, d Folder) map[string]string {
	t.Helper()
	all := map[string]string{}
	must.Do(filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(string(d), path)
		all[rel] = string(text)
		return err
	}))
	return all
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is\n%.500s\nwant\n%.500s", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("there is %s", name)
		}
	}
}

// The numbers of a name's shard are the contract: other programs compute them.
func TestOf(t *testing.T) {
	for name, want := range map[string][2]int{"a.jpg": {58, 26}, "s3://bucket/1.png": {5, 757}, "ä": {12, 132}} {
		if got := [2]int{Of(name, 64), Of(name, 1000)}; got != want {
			t.Errorf("of 64 and of 1000, %q is %v, want %v: int.from_bytes(hashlib.sha256(name).digest()[:8], 'big') %% n", name, got, want)
		}
	}
	var counts [64]int
	for i := range 64000 {
		counts[Of(fmt.Sprintf("s3://bucket/2024/%09d.jpg", i), 64)]++
	}
	if lo, hi := slices.Min(counts[:]), slices.Max(counts[:]); lo < 850 || hi > 1150 {
		t.Errorf("of 64 shards the smallest has %d names and the largest %d, want about 1000", lo, hi)
	}
}

func TestParsePart(t *testing.T) {
	if p, err := ParsePart("3/64"); err != nil || p != (Part{3, 64}) || p.String() != "3/64" {
		t.Errorf("3/64 is %v, %v", p, err)
	}
	for _, bad := range []string{"", "3", "64/64", "-1/3", "0/0", "1/100000", "a/b", "1/2/3", " 1/2"} {
		if _, err := ParsePart(bad); err == nil {
			t.Errorf("%q is a shard", bad)
		}
	}
}

func TestNames(t *testing.T) {
	var whole List
	var all []string
	for name, err := range Names(strings.NewReader("a\r\n\nb c\n ä"), &whole) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	if !slices.Equal(all, []string{"a", "b c", " ä"}) || whole.Names != 3 {
		t.Errorf("names are %q, and the list %v", all, whole)
	}
	for _, bad := range []string{"a\xff\n", "a\x00b\n", strings.Repeat("a", maxName+1), "b\n" + strings.Repeat("a", 2*maxName) + "\nc\n", "ok\n" + strings.Repeat("a", 1<<20)} {
		var last error
		for _, last = range Names(strings.NewReader(bad), &whole) {
		}
		if !errors.Is(last, ErrList) {
			t.Errorf("%.20q: error %v", bad, last)
		}
	}
}

// Twice, in two places at once, in another order, after ends in the middle: one
// set of bytes, in which each name is once.
func TestSameBytes(t *testing.T) {
	j, list := testJob(5), testList(200)
	first := Folder(t.TempDir())
	do(t, j, list, first, letters)
	want := content(t, first)
	if len(want) != 1+3*5 {
		t.Fatalf("files are %d, want 16", len(want))
	}
	do(t, j, list, first, letters)
	same(t, content(t, first), want)

	second := Folder(t.TempDir())
	order := rand.Perm(5)
	for _, i := range order {
		for range 3 { // a few that end in the middle
			left := rand.Int64N(30)
			broken := func(ctx context.Context, name string) (Result, error) {
				if atomic.AddInt64(&left, -1) < 0 {
					return Result{}, errors.New("the network is gone")
				}
				return slowly(ctx, name)
			}
			if _, err := Run(ctx, j, i, strings.NewReader(list), second, 3, broken); err == nil {
				continue
			} else if !strings.Contains(err.Error(), "network") {
				t.Fatal(err)
			}
			if m, err := readManifest(ctx, second, Part{i, 5}); m != nil || err != nil {
				t.Fatalf("a broken shard has a manifest: %v", err)
			}
		}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if _, err := Run(ctx, j, i, strings.NewReader(list), second, 3, slowly); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
	}
	same(t, content(t, second), want)

	f := must.Get(Check(ctx, second))
	var results, failures bytes.Buffer
	must.Do(errors.Join(f.Results(ctx, &results), f.Failures(ctx, &failures)))
	seen := map[string]int{}
	for line := range strings.Lines(results.String()) {
		seen[line[:strings.LastIndexByte(line, ' ')]]++
	}
	for line := range strings.Lines(failures.String()) {
		seen[strings.Split(line, `"`)[3]]++
	}
	for name := range strings.Lines(list) {
		if n := seen[strings.TrimSpace(name)]; n != 1 {
			t.Errorf("%q is there %d times", name, n)
		}
	}
	if len(seen) != 200 || f.Failed != 29 || f.List.Names != 200 {
		t.Errorf("%d names, %d failed, list %v", len(seen), f.Failed, f.List)
	}
}

func TestFinishedIsSkipped(t *testing.T) {
	j, list, d := testJob(2), testList(20), Folder(t.TempDir())
	do(t, j, list, d, letters)
	never := func(context.Context, string) (Result, error) { return Result{}, errors.New("called") }
	o, err := Run(ctx, j, 1, strings.NewReader(list), d, 1, never)
	if err != nil || !o.Skipped || o.Names == 0 {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := Run(ctx, j, 1, strings.NewReader(list+"more\n"), d, 1, never); !errors.Is(err, ErrOtherJob) {
		t.Errorf("another list: %v", err)
	}
	for name, change := range map[string]func(*Job){
		"settings":  func(j *Job) { j.Settings = []byte(`{"min":4}`) },
		"models":    func(j *Job) { j.Models = []string{"abd"} },
		"operation": func(j *Job) { j.Operation = "blur" },
		"one 3":     func(j *Job) { j.Shards = 3 },
		"csv":       func(j *Job) { j.Extension = "csv" },
	} {
		other := testJob(2)
		change(other)
		if _, err := Run(ctx, other, 1, strings.NewReader(list), d, 1, never); !errors.Is(err, ErrOtherJob) || !strings.Contains(err.Error(), name) {
			t.Errorf("other %s: %v", name, err)
		}
	}
	// A file of results that was lost is no finished shard.
	must.Do(os.Remove(d.path("part-00001-of-00002.jsonl")))
	if _, err := Run(ctx, j, 1, strings.NewReader(list), d, 1, letters); !errors.Is(err, ErrIncomplete) {
		t.Errorf("without results: %v", err)
	}
}

func TestCheck(t *testing.T) {
	j, list := testJob(4), testList(50)
	for name, spoil := range map[string]func(d Folder) error{
		"no job.json": func(d Folder) error { return os.Remove(d.path("job.json")) },
		"shards are missing: 1-2": func(d Folder) error {
			return errors.Join(os.Remove(d.path("part-00001-of-00004.json")), os.Remove(d.path("part-00002-of-00004.json")))
		},
		"part-00003-of-00004.jsonl is not": func(d Folder) error {
			return os.WriteFile(d.path("part-00003-of-00004.jsonl"), []byte("else\n"), 0o666)
		},
		"part-00000-of-00004.failures.jsonl is not": func(d Folder) error {
			return os.Truncate(d.path("part-00000-of-00004.failures.jsonl"), 3)
		},
		"not a manifest": func(d Folder) error { return os.WriteFile(d.path("part-00000-of-00004.json"), []byte("{"), 0o666) },
		"another job": func(d Folder) error {
			if err := os.Remove(d.path("part-00002-of-00004.json")); err != nil {
				return err
			}
			_, err := Run(ctx, j, 2, strings.NewReader(list+"more\n"), d, 1, letters)
			return err
		},
	} {
		d := Folder(t.TempDir())
		do(t, j, list, d, letters)
		must.Get(Check(ctx, d))
		must.Do(spoil(d))
		if _, err := Check(ctx, d); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestHeader(t *testing.T) {
	j, d := testJob(3), Folder(t.TempDir())
	j.Extension, j.Header = "csv", "file,letters\n"
	do(t, j, "a\nb\nc\nd\n", d, func(_ context.Context, name string) (Result, error) {
		return Result{Line: []byte(name + ",1\n")}, nil
	})
	f := must.Get(Check(ctx, d))
	var b bytes.Buffer
	must.Do(f.Results(ctx, &b))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if lines[0]+"\n" != j.Header || strings.Count(b.String(), j.Header) != 1 || len(lines) != 5 {
		t.Errorf("merged:\n%s", b.String())
	}
}

// losing is a store that forgets a file although it said that it has it.
type losing struct {
	Folder
	name string
}

type lost struct{ File }

func (l lost) Commit() error { l.Abort(); return nil }

func (l losing) Create(ctx context.Context, name string) (File, error) {
	f, err := l.Folder.Create(ctx, name)
	if strings.Contains(name, l.name) {
		f = lost{f}
	}
	return f, err
}

func TestLostRename(t *testing.T) {
	for _, name := range []string{"part-00000-of-00001.jsonl", "failures", "part-00000-of-00001.json", "job"} {
		d := Folder(t.TempDir())
		if _, err := Run(ctx, testJob(1), 0, strings.NewReader("a\n"), losing{d, name}, 1, letters); err == nil {
			t.Errorf("%s was lost, and nobody noticed", name)
		}
		if name == "job" {
			continue
		}
		if _, err := Check(ctx, d); !errors.Is(err, ErrIncomplete) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestClean(t *testing.T) {
	d := Folder(t.TempDir())
	do(t, testJob(1), "a\n", d, letters)
	want := content(t, d)
	for _, name := range []string{"killed", "deep/er"} {
		must.Get(d.Create(ctx, name))
	}
	if len(content(t, d)) != len(want)+2 {
		t.Fatal("there is nothing to clean")
	}
	must.Do(d.Clean())
	same(t, content(t, d), want)
}

// endless is a list of so many names that is nowhere in memory.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	const line = "s3://bucket/folder/"
	n := 0
	for e.left > 0 && len(p)-n > len(line)+10 {
		n += copy(p[n:], fmt.Appendf(nil, "%s%08d\n", line, e.left))
		e.left--
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Memory does not grow with the number of names.
func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("a list of a million names takes seconds")
	}
	var largest uint64
	var calls atomic.Int64
	work := func(_ context.Context, name string) (Result, error) {
		if calls.Add(1)%5000 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			largest = max(largest, m.HeapAlloc)
		}
		return Result{Line: []byte(name + "\n")}, nil
	}
	heap := func(n int) uint64 {
		largest = 0
		calls.Store(0)
		must.Get(Run(ctx, testJob(2), 0, &endless{n}, Folder(t.TempDir()), 1, work))
		return largest
	}
	few, many := heap(20_000), heap(1_000_000)
	t.Logf("heap: %d bytes with 20,000 names, %d with 1,000,000", few, many)
	if many > few+few/2+1<<20 {
		t.Errorf("heap grew from %d to %d bytes", few, many)
	}
}

func FuzzManifest(f *testing.F) {
	d := Folder(f.TempDir())
	must.Get(Run(ctx, testJob(1), 0, strings.NewReader("a\nxb\n"), d, 1, letters))
	for _, name := range []string{"job.json", "part-00000-of-00001.json"} {
		text := must.Get(os.ReadFile(d.path(name)))
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m := memory{"job.json": text, "part-00000-of-00001.json": text}
		if j, err := OpenJob(ctx, m); err == nil && (j.Shards < 1 || j.Shards > MaxShards) {
			t.Errorf("a job of %d shards", j.Shards)
		}
		if m, err := readManifest(ctx, m, Part{0, 1}); err == nil && (m.Failed > m.Names || m.Shards != 1) {
			t.Errorf("a manifest of %+v", m)
		}
	})
}

// memory is a store that is only read.
type memory map[string][]byte

func (m memory) Open(_ context.Context, name string) (io.ReadCloser, error) {
	text, ok := m[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

func (m memory) Size(_ context.Context, name string) (int64, error) {
	return int64(len(m[name])), nil
}

func (m memory) Create(context.Context, string) (File, error) { return nil, errors.ErrUnsupported }

// With the list, results and failures come in its order, the same bytes from one shard
// and from eight, whatever has no results or several lines, and however often a name is there.
func TestInOrder(t *testing.T) {
	list := testList(40) + "twice.png\nonce.png\ntwice.png\n\"quoted\", too.png\n"
	for _, extension := range []string{"jsonl", "csv"} {
		line := func(name string) string {
			if extension == "jsonl" {
				return fmt.Sprintf("{\"file\":%q,\"n\":%d}\n", name, len(name))
			}
			var b bytes.Buffer
			w := csv.NewWriter(&b)
			for i := range len(name) % 3 {
				w.Write([]string{name, fmt.Sprint(i)})
			}
			w.Flush()
			return b.String()
		}
		j := testJob(1)
		if j.Extension = extension; extension == "csv" {
			j.Header = "file,n\n"
		}
		want, wantFailures := j.Header, ""
		for name := range strings.Lines(list) {
			if name = strings.TrimSpace(name); strings.Contains(name, "x") {
				wantFailures += fmt.Sprintf("{\"file\":%q,\"error\":\"an x\"}\n", name)
			} else {
				want += line(name)
			}
		}
		var f *Finished
		var got, failures bytes.Buffer
		for _, j.Shards = range []int{1, 8} {
			d := Folder(t.TempDir())
			do(t, j, list, d, func(_ context.Context, name string) (Result, error) {
				if strings.Contains(name, "x") {
					return Result{Failure: "an x"}, nil
				}
				return Result{Line: []byte(line(name))}, nil
			})
			f = must.Get(Check(ctx, d))
			got.Reset()
			failures.Reset()
			if err := f.InOrder(ctx, strings.NewReader(list), &got, &failures); err != nil || got.String() != want || failures.String() != wantFailures {
				t.Errorf("%s, %d shards: %v\n%s\nwant\n%s\nfailures\n%s\nwant\n%s", extension, j.Shards, err, &got, want, &failures, wantFailures)
			}
		}
		if err := f.InOrder(ctx, strings.NewReader("twice.png\n"), &got, &failures); !errors.Is(err, ErrOtherJob) {
			t.Errorf("%s: another list: %v", extension, err)
		}
	}
}

// What a killed process was writing goes when the next shard begins; what a living
// one writes, or another machine, stays.
func TestKilledLeavesNothing(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run", "^$")
	must.Do(gone.Run())
	d := Folder(t.TempDir())
	dead := machine() + strconv.Itoa(gone.Process.Pid) + "-123" + tempSuffix
	kept := []string{writer() + "123" + tempSuffix, tempPrefix + "elsewhere-" + strconv.Itoa(gone.Process.Pid) + "-1" + tempSuffix}
	for _, name := range append(kept, dead) {
		must.Do(os.WriteFile(d.path(name), nil, 0o600))
	}
	do(t, testJob(2), testList(3), d, letters)
	var left []string
	for name := range content(t, d) {
		if strings.HasPrefix(name, tempPrefix) {
			left = append(left, name)
		}
	}
	for _, name := range kept {
		if _, err := os.Stat(d.path(name)); err != nil || len(left) != len(kept) {
			t.Errorf("left are %q, want %q", left, kept)
		}
	}
}

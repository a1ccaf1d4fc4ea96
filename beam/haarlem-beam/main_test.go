package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"haarlem/cloud/task"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/models"
)

// With this variable in its environment the test's own program is haarlem-beam.
const asProgram = "HAARLEM_TEST_BEAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main() // which does not return
	}
	os.Exit(m.Run())
}

func start(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self := must.Get(os.Executable())
	var out bytes.Buffer
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	c.Stdout, c.Stderr = &out, &out
	must.Do(c.Start())
	t.Cleanup(func() { c.Process.Kill() })
	return c, &out
}

// call runs the program, which must end in a few minutes.
func call(t *testing.T, args ...string) (string, error) {
	t.Helper()
	c, out := start(t, args...)
	timer := time.AfterFunc(3*time.Minute, func() { c.Process.Kill() })
	defer timer.Stop()
	err := c.Wait()
	return out.String(), err
}

func succeed(t *testing.T, args ...string) string {
	t.Helper()
	out, err := call(t, args...)
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return out
}

// list makes small pictures, one of which is none, and a list of them.
func list(t *testing.T, pictures int) string {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for i := range pictures {
		r := rand.New(rand.NewPCG(4, uint64(i)))
		noise := picturetest.Grey(40+i%7, 50, func(int, int) uint8 { return uint8(r.IntN(256)) })
		names = append(names, picturetest.Save(filepath.Join(dir, fmt.Sprintf("%d.png", i)), noise))
	}
	group := must.Get(filepath.Abs("../../samples/group.png"))
	names = append(names, group, filepath.Join(dir, "nowhere.png"))
	path := filepath.Join(dir, "names.txt")
	must.Do(os.WriteFile(path, []byte(strings.Join(names, "\n")), 0o666))
	return path
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".writing-") {
			return err
		}
		text, err := os.ReadFile(path)
		all[path[len(dir):]] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// plain does all shards without an engine.
func plain(t *testing.T, s task.Settings) map[string]string {
	t.Helper()
	s.Output = t.TempDir()
	p := must.Get(task.Open(s))
	for i := range s.Shards {
		must.Get(p.Run(context.Background(), i))
	}
	return files(t, s.Output)
}

func settings(mode, list string) task.Settings {
	return task.Settings{
		Mode: mode, List: list, Shards: 4, Model: models.Default, Format: "jsonl", MaxPixels: 100e6, Margin: 0.25, MaxWindows: 100,
	}
}

// Prism in the process gives the bytes of the contract, in every mode, and the
// committed counters count each name once.
func TestModes(t *testing.T) {
	names := list(t, 20)
	for _, mode := range task.Modes {
		want := plain(t, settings(mode, names))
		out := t.TempDir()
		said := succeed(t, "-mode", mode, "-list", names, "-output", out, "-shards", "4")
		if !strings.Contains(said, "\n22 names, 1 failed, ") && !strings.HasPrefix(said, "22 names, 1 failed, ") {
			t.Errorf("%s: counters: %s", mode, said)
		}
		if !reflect.DeepEqual(files(t, out), want) {
			t.Errorf("%s: other bytes than without an engine", mode)
		}
		if said := succeed(t, "-mode", mode, "-list", names, "-output", out, "-shards", "4"); !strings.Contains(said, "4 shards skipped") {
			t.Errorf("%s again: %s", mode, said)
		}
	}
}

// port returns one that is free now.
func port(t *testing.T) string {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func waitFor(t *testing.T, port string) {
	t.Helper()
	for range 1000 {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("nobody listens at port %s", port)
}

// Prism in a process of its own, with a pool of workers in another one, and with
// workers that it starts; one of those is killed in the middle.
func TestAlone(t *testing.T) {
	names := list(t, 20)
	want := plain(t, settings("detect", names))
	engine, pool := port(t), port(t)
	start(t, "-prism", engine)
	start(t, "-pool", pool)
	waitFor(t, engine)
	waitFor(t, pool)
	self := must.Get(os.Executable())
	base := []string{"-runner", "universal", "-endpoint", "127.0.0.1:" + engine}
	process := append(base, "-environment_type", "PROCESS", "-environment_config", fmt.Sprintf(`{"command":%q}`, self))
	for kind, flags := range map[string][]string{
		"LOOPBACK": append(base, "-environment_type", "LOOPBACK"),
		"EXTERNAL": append(base, "-environment_type", "EXTERNAL", "-environment_config", "127.0.0.1:"+pool),
		"PROCESS":  process,
	} {
		out := t.TempDir()
		succeed(t, append(flags, "-list", names, "-output", out, "-shards", "4")...)
		if !reflect.DeepEqual(files(t, out), want) {
			t.Errorf("%s: other bytes than without an engine", kind)
		}
	}

	long := list(t, 1200)
	out := t.TempDir()
	job, said := start(t, append(process, "-list", long, "-output", out, "-shards", "20", "-workers", "1")...)
	var killed int
	for range 3000 {
		if done, _ := filepath.Glob(filepath.Join(out, "part-*-of-00020.json")); len(done) > 2 {
			killed = worker(t, self)
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if killed == 0 {
		t.Fatal("there is no worker to kill")
	}
	// Prism 2.77 does not notice, and waits for ever: somebody has to end the job.
	timer := time.AfterFunc(5*time.Second, func() { job.Process.Kill() })
	defer timer.Stop()
	if err := job.Wait(); err == nil {
		t.Errorf("Prism goes on without its worker: say so in docs/scaling.md: %s", said)
	}
	engine = port(t)
	start(t, "-prism", engine)
	waitFor(t, engine)
	process[3] = "127.0.0.1:" + engine
	succeed(t, append(process, "-list", long, "-output", out, "-shards", "20")...)
	s := settings("detect", long)
	s.Shards = 20
	if !reflect.DeepEqual(files(t, out), plain(t, s)) {
		t.Error("after a kill, other bytes")
	}
}

// worker kills a process that an engine has started from a program, and returns its
// number.
func worker(t *testing.T, program string) int {
	t.Helper()
	all := must.Get(filepath.Glob("/proc/[0-9]*/cmdline"))
	for _, path := range all {
		text, _ := os.ReadFile(path) // it may be gone
		if args := strings.Split(string(text), "\x00"); args[0] == program && strings.Contains(string(text), "--provision_endpoint=") {
			n := must.Get(strconv.Atoi(filepath.Base(filepath.Dir(path))))
			p := must.Get(os.FindProcess(n))
			must.Do(p.Kill())
			return n
		}
	}
	return 0
}

func TestBooted(t *testing.T) {
	for text, want := range map[string][3]any{
		"--id='job-1_go' --provision_endpoint=h:1":                   {"job-1_go", "h:1", true}, // Prism 2.77
		"--id=1-1 --provision_endpoint=h:1":                          {"1-1", "h:1", true},      // without quotes
		"--worker=true --id=1-1 --options={} --logging_endpoint=h:1": {"", "", false},
		"-list x -output y":                                          {"", "", false},
	} {
		if id, endpoint, ok := booted(strings.Fields(text)); [3]any{id, endpoint, ok} != want {
			t.Errorf("%s: %q, %q, %v", text, id, endpoint, ok)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"-list", "a", "-output", "b", "-runner", "x"}, {"-list", "a", "-output", "b", "-mode", "x"}, {"-list", "a", "-output", "b", "c"}} {
		if out, err := call(t, args...); err == nil || err.(*exec.ExitError).ExitCode() != 2 {
			t.Errorf("%q: %v: %s", args, err, out)
		}
	}
}

package cpu

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"haarlem/internal/must"
)

// fake is a test that records calls.
type fake struct {
	fatal    string
	cleanups []func()
}

func (f *fake) Helper()                           {}
func (f *fake) Fatalf(format string, args ...any) { f.fatal = fmt.Sprintf(format, args...) }
func (f *fake) Cleanup(c func())                  { f.cleanups = append(f.cleanups, c) }

func TestAvailable(t *testing.T) {
	all := Available()
	if len(all) == 0 || all[0] != PureGo || !slices.IsSorted(all) {
		t.Fatalf("available: %v, want all from purego up", all)
	}
	if os.Getenv(Variable) == "" && Current() != all[len(all)-1] {
		t.Errorf("%v is in force, %v is the best", Current(), all[len(all)-1])
	}
	if !slices.Contains(all, Current()) {
		t.Errorf("%v is in force, available are %v", Current(), all)
	}
}

func TestForTest(t *testing.T) {
	before := Current()
	for _, l := range Available() {
		var f fake
		ForTest(&f, l)
		if f.fatal != "" {
			t.Errorf("%v: %s", l, f.fatal)
		}
		if Current() != l {
			t.Errorf("%v is in force, want %v", Current(), l)
		}
		for _, c := range f.cleanups {
			c()
		}
		if Current() != before {
			t.Fatalf("after the test %v is in force, before it was %v", Current(), before)
		}
	}
}

// beyond returns the levels that cannot run here.
func beyond() []Level {
	var l []Level
	for i := range names {
		if !slices.Contains(Available(), Level(i)) {
			l = append(l, Level(i))
		}
	}
	return l
}

// TestForTestBeyondTheMachine asks for a level above what there is.
func TestForTestBeyondTheMachine(t *testing.T) {
	old := Current()
	defer current.Store(uint32(old))
	for _, l := range beyond() {
		var f fake
		ForTest(&f, l)
		if want := l.String() + " cannot run here"; !strings.Contains(f.fatal, want) {
			t.Errorf("%v: %q, want %q", l, f.fatal, want)
		}
		current.Store(uint32(old))
	}
}

func TestForce(t *testing.T) {
	old := Current()
	defer current.Store(uint32(old))
	for i := range names {
		l := Level(i)
		current.Store(uint32(old))
		err := force(l.String())
		switch {
		case slices.Contains(Available(), l):
			if err != nil || Current() != l {
				t.Errorf("%v: error %v, and %v is in force", l, err, Current())
			}
		case err == nil || !strings.Contains(err.Error(), best().String()):
			t.Errorf("%v: error %v, want one that names %v", l, err, best())
		case Current() != old:
			t.Errorf("%v: refused, yet %v is in force", l, Current())
		}
	}
	for _, name := range []string{"sse9", "AVX2", " avx2", "purego,avx2"} {
		if err := force(name); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), Variable) {
			t.Errorf("%q: error %v, want one that names it and the variable", name, err)
		}
	}
}

// TestVariable starts programs, as the variable is read when they start.
func TestVariable(t *testing.T) {
	const child = "HAARLEM_CPU_TEST_CHILD"
	if os.Getenv(child) != "" {
		fmt.Printf("in force: %v\n", Current())
		return
	}
	self := must.Get(os.Executable())
	run := func(value string) (string, error) {
		cmd := exec.Command(self, "-test.run=^TestVariable$")
		cmd.Env = append(os.Environ(), child+"=1", Variable+"="+value)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if _, err := run(""); errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this program runs in an emulator that cannot start others")
	}
	for _, l := range Available() {
		if out, err := run(l.String()); err != nil || !strings.Contains(out, "in force: "+l.String()+"\n") {
			t.Errorf("%s=%v: %v\n%s", Variable, l, err, out)
		}
	}
	if out, err := run(""); err != nil || !strings.Contains(out, "in force: "+best().String()+"\n") {
		t.Errorf("%s=: %v\n%s", Variable, err, out)
	}
	refused := []string{"fastest"}
	for _, l := range beyond() {
		refused = append(refused, l.String())
	}
	for _, name := range refused {
		out, err := run(name)
		status, ok := err.(*exec.ExitError)
		if !ok || status.ExitCode() != 2 || strings.Count(out, "\n") != 1 || !strings.Contains(out, Variable+"="+name) {
			t.Errorf("%s=%s: %v, want one line and status 2\n%s", Variable, name, err, out)
		}
	}
}

// required is the environment variable that names the level which must be in
// force. A continuous integration sets it for each level that it means to
// test, so that a machine, an emulator or a build that quietly runs another
// one fails.
const required = "HAARLEM_REQUIRE"

func TestLevelInForce(t *testing.T) {
	want := best()
	if name := os.Getenv(Variable); name != "" {
		l, ok := levelOf(name)
		if !ok {
			t.Fatalf("%s=%s and yet this program runs", Variable, name)
		}
		want = l
	}
	if name, ok := os.LookupEnv(required); ok {
		l, ok := levelOf(name)
		if !ok {
			t.Fatalf("%s=%s: unknown level, want one of %v", required, name, names)
		}
		want = l
	}
	if Current() != want {
		t.Errorf("level %v is in force, want %v (%s=%q, %s=%q; this build on this CPU runs %v at most)",
			Current(), want, required, os.Getenv(required), Variable, os.Getenv(Variable), best())
	}
}

func levelOf(name string) (Level, bool) {
	for l, n := range names {
		if n == name {
			return Level(l), true
		}
	}
	return 0, false
}

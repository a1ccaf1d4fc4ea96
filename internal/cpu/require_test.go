package cpu

import (
	"os"
	"testing"
)

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

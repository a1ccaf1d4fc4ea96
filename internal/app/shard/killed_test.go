package shard

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/must"
)

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

package shard

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// What a killed process was writing goes when the next shard begins; what a living
// one writes, or another machine, stays.
func TestKilledLeavesNothing(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run", "^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	d := Folder(t.TempDir())
	dead := machine() + strconv.Itoa(gone.Process.Pid) + "-123" + tempSuffix
	kept := []string{writer() + "123" + tempSuffix, tempPrefix + "elsewhere-" + strconv.Itoa(gone.Process.Pid) + "-1" + tempSuffix}
	for _, name := range append(kept, dead) {
		if err := os.WriteFile(d.path(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
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

package training

import (
	"slices"
	"strconv"

	"haarlem/cascade"
	"haarlem/internal/app/output"
)

// Flags that do not affect the result.
var withoutEffect = []string{"data", "resume", "overwrite", "workers", "mine", "checkpoint"}

// Flags whose values are paths.
var withPath = []string{"truth", "info", "pos", "vec", "val-truth", "bg", "val-bg", "bg-truth"}

// repeat returns the arguments that repeat the training, sorted by flag: those
// that were given, except withoutEffect, and the seed. path rewrites paths.
func (t *training) repeat(path func(string) string) []string {
	args := []string{"train"}
	f := t.v.flags
	for _, name := range slices.Sorted(slices.Values(f.Names())) {
		given := f.Given(name) || name == "seed" || name == "memory" && t.began != 0
		switch {
		case slices.Contains(withoutEffect, name) || !given:
		case name == "memory" && t.began == defaultMemory: // as if none had been given
		case name == "memory" && t.began != 0: // has no effect on a resumed training
			args = append(args, "-memory", strconv.FormatInt(t.began, 10))
		case slices.Contains(withPath, name):
			args = append(args, f.Again(name, path)...)
		default:
			args = append(args, f.Again(name, nil)...)
		}
	}
	return args
}

// provenance is the origin that the cascade records. It does not depend on the
// folder, so that the same training in two folders gives the same bytes.
func (t *training) provenance() cascade.Provenance {
	return cascade.Provenance{
		Program: output.Program(),
		Command: output.CommandLine(t.repeat(output.Portable)),
		Data:    t.v.dataNames,
	}
}

// command is the command line that repeats the training into the same folder.
func (t *training) command() string {
	return output.CommandLine(append(t.repeat(func(p string) string { return p }), "-data", t.v.data))
}

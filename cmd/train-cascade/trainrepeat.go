package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
)

// Flags that do not affect the result.
var withoutEffect = []string{"data", "resume", "overwrite", "workers", "mine", "checkpoint", "precalcValBufSize", "precalcIdxBufSize", "baseFormatSave"}

// Flags whose values are paths.
var withPath = []string{"truth", "info", "pos", "vec", "val-truth", "val-vec", "bg", "val-bg", "bg-truth"}

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

// commandLine quotes arguments for a shell.
func commandLine(args []string) string {
	words := []string{"train-cascade"}
	for _, a := range args {
		if a == "" || strings.ContainsFunc(a, func(r rune) bool {
			return !strings.ContainsRune("-_./=:,+@%", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// portable shortens a path of this machine, which is private and useless
// elsewhere: it becomes relative to the working directory, or its last part if
// it is not below that. Relative paths are unchanged.
func portable(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return ".../" + filepath.Base(path)
}

// provenance is the origin that the cascade records. It does not depend on the
// folder, so that the same training in two folders gives the same bytes.
func (t *training) provenance() cascade.Provenance {
	return cascade.Provenance{
		Program: thisProgram(),
		Command: commandLine(t.repeat(portable)),
		Data:    t.v.dataNames,
		Note:    t.v.note,
	}
}

// thisProgram names this program and its version.
func thisProgram() string { return "haarlem train-cascade " + cli.Release() }

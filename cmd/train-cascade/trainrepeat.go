package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"haarlem/cascade"
)

// Flags that have no say in what a training comes to.
var withoutEffect = []string{"data", "resume", "force", "workers", "checkpoint", "precalcValBufSize", "precalcIdxBufSize", "baseFormatSave"}

// Flags whose values are paths.
var withPath = []string{"truth", "info", "pos", "vec", "val-truth", "val-vec", "bg", "val-bg", "bg-truth"}

// repeat returns the arguments that repeat the training, sorted by flag: those
// that were given, but for withoutEffect, and the seed. path rewrites paths.
func (t *training) repeat(path func(string) string) []string {
	args := []string{"train"}
	flags := map[string][]string{}
	for _, f := range trainFlags() {
		name := f.Names()[0]
		given := t.c.IsSet(name) || name == "seed" || name == "memory" && t.began != 0
		if slices.Contains(withoutEffect, name) || !given {
			continue
		}
		var values []string
		switch v := t.c.Value(name).(type) {
		case bool:
			if !v {
				continue
			}
			values = []string{""}
		case []string:
			values = v
		case float64:
			values = []string{strconv.FormatFloat(v, 'g', -1, 64)}
		case time.Duration:
			values = []string{v.String()}
		default:
			values = []string{fmt.Sprint(v)}
		}
		if name == "memory" && t.began != 0 { // more or less of it makes no difference now
			values = []string{strconv.FormatInt(t.began, 10)}
		}
		if slices.Contains(withPath, name) {
			values = slices.Clone(values)
			for i := range values {
				values[i] = path(values[i])
			}
		}
		flags[name] = values
	}
	names := make([]string, 0, len(flags))
	for name := range flags {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range flags[name] {
			args = append(args, "-"+name)
			if _, isBool := t.c.Value(name).(bool); !isBool {
				args = append(args, v)
			}
		}
	}
	return args
}

// commandLine writes arguments as a shell reads them.
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

// portable shortens a path of this machine, which is of no use elsewhere and
// nobody's business: below the working directory it becomes relative, otherwise
// its last part is left. Relative paths stay as they were given.
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

// provenance is what the cascade says of its making. Where it is put has no
// say in it: the same training in two folders gives the same bytes.
func (t *training) provenance() cascade.Provenance {
	return cascade.Provenance{
		Program: program(),
		Command: commandLine(t.repeat(portable)),
		Data:    t.c.StringSlice("data-name"),
		Note:    t.c.String("note"),
	}
}

// program names this program and its version.
func program() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return "haarlem train-cascade " + version
}

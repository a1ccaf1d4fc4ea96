package output

import (
	"os"
	"path/filepath"
	"strings"

	"haarlem/internal/app/cli"
)

// CommandLine quotes arguments for a shell.
func CommandLine(args []string) string {
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

// Portable shortens a path of this machine, which is private and useless
// elsewhere: it becomes relative to the working directory, or its last part if
// it is not below that. Relative paths are unchanged.
func Portable(path string) string {
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

// Program names this program and its version.
func Program() string { return "haarlem train-cascade " + cli.Release() }

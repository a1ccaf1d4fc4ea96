package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// rename changes the module's path in all files below root, and returns how
// many it has written.
func rename(root, path string) (int, error) {
	if err := checkPath(path); err != nil {
		return 0, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	line := regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(mod)
	if line == nil {
		return 0, fmt.Errorf("%s: no line \"module PATH\"", filepath.Join(root, "go.mod"))
	}
	old, err := mention(root, string(line[1]))
	if err != nil {
		return 0, err
	}
	written := 0
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return fs.SkipDir
		case !d.Type().IsRegular() || !hasPath(name):
			return nil
		}
		before, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		after := old.ReplaceAll(before, []byte("${1}${3}"+path+"${2}${4}"))
		if bytes.Equal(before, after) {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		written++
		return os.WriteFile(name, after, info.Mode().Perm())
	})
	return written, err
}

// hasPath reports whether a file of that name may hold the module's path.
func hasPath(name string) bool {
	switch filepath.Ext(name) {
	case ".go", ".mod", ".md", ".s", ".sh", ".yml", ".yaml", ".toml":
		return true
	}
	switch filepath.Base(name) {
	case "run", "Makefile":
		return true
	}
	return false
}

// mention finds the old path where it means the module, not a file format or a
// program of the same name. Groups 1 and 3 are what precedes it, 2 and 4 what
// follows.
func mention(root, old string) (*regexp.Regexp, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	folders := []string{"asm"} // the module in _asm
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			folders = append(folders, regexp.QuoteMeta(e.Name()))
		}
	}
	old = regexp.QuoteMeta(old)
	following := []string{
		`/(?:` + strings.Join(folders, "|") + `)\b`, // a package
		`/\.\.\.`, `/"`, // all packages; a prefix in Go
		`@v[0-9]`, ` v[0-9]`, ` => `, `=\.\./`, // a requirement, a replacement
	}
	return regexp.Compile("(?m)(^|[\\s\"'`(=])" + old + "(" + strings.Join(following, "|") + ")" +
		`|(^module |^const module = ")` + old + `("?$)`)
}

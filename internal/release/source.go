package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sourceMembers returns the files that are committed, and the modules that they
// need in vendor/, so that a release builds without a network.
func sourceMembers() (members []member, err error) {
	defer caught(&err)
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w: a release is made in a clone", err)
	}
	add := func(name, file string) {
		info := get(os.Lstat(file))
		if !info.Mode().IsRegular() {
			check(fmt.Errorf("%s is not a regular file", file))
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		members = append(members, member{name: name, mode: mode, data: get(os.ReadFile(file))})
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		add(name, name)
	}
	temporary := get(os.MkdirTemp("", "release"))
	defer os.RemoveAll(temporary)
	vendor := filepath.Join(temporary, "vendor")
	if out, err := exec.Command("go", "mod", "vendor", "-o", vendor).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go mod vendor: %w\n%s", err, out)
	}
	check(filepath.WalkDir(vendor, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			add(filepath.ToSlash(get(filepath.Rel(temporary, file))), file)
		}
		return err
	}))
	return members, nil
}

// fill puts the release's values into a template of packaging/. A value that is
// left over is a mistake in the template.
func fill(text []byte, values map[string]string) ([]byte, error) {
	for name, value := range values {
		text = bytes.ReplaceAll(text, []byte("@"+name+"@"), []byte(value))
	}
	for _, word := range bytes.Fields(text) {
		if len(word) > 2 && word[0] == '@' && bytes.HasSuffix(word, []byte("@")) {
			return nil, fmt.Errorf("%s has no value", word)
		}
	}
	return text, nil
}

// debianMembers returns the folder debian/ of a release, whose templates are in
// packaging/debian.
func debianMembers(values map[string]string) (members []member, err error) {
	defer caught(&err)
	root := filepath.Join("packaging", "debian")
	check(filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fill(get(os.ReadFile(file)), values)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		m := member{name: filepath.ToSlash(get(filepath.Rel(root, file))), mode: 0o644, data: data}
		if m.name == "rules" {
			m.mode = 0o755
		}
		members = append(members, m)
		return nil
	}))
	return members, nil
}

// copyright returns the licence's first sentence, and its text as Debian wants it
// in a file of copyrights: indented, with dots for empty lines.
func copyright() (holder, text string, err error) {
	data, err := os.ReadFile("LICENSE")
	if err != nil {
		return "", "", err
	}
	_, rest, found := strings.Cut(string(data), "Copyright (c) ")
	if !found {
		return "", "", fmt.Errorf("LICENSE does not say: Copyright (c)")
	}
	holder, text, _ = strings.Cut(rest, "\n")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, l := range lines {
		if l = strings.TrimSpace(l); l == "" {
			l = "."
		}
		lines[i] = " " + l
	}
	return holder, strings.Join(lines, "\n"), nil
}

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
func sourceMembers() ([]member, error) {
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w: a release is made in a clone", err)
	}
	var members []member
	add := func(name, file string) error {
		info, err := os.Lstat(file)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", file)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		members = append(members, member{name: name, mode: mode, data: data})
		return nil
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if err := add(name, name); err != nil {
			return nil, err
		}
	}
	temporary, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	vendor := filepath.Join(temporary, "vendor")
	if out, err := exec.Command("go", "mod", "vendor", "-o", vendor).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go mod vendor: %w\n%s", err, out)
	}
	err = filepath.WalkDir(vendor, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(temporary, file)
		if err != nil {
			return err
		}
		return add(filepath.ToSlash(relative), file)
	})
	return members, err
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
func debianMembers(values map[string]string) ([]member, error) {
	root := filepath.Join("packaging", "debian")
	var members []member
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if data, err = fill(data, values); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if relative == "rules" {
			mode = 0o755
		}
		members = append(members, member{name: filepath.ToSlash(relative), mode: mode, data: data})
		return nil
	})
	return members, err
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

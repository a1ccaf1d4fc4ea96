package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// library returns the C library for this machine as make installs it, with licences.
// It finds its headers and itself wherever it is unpacked.
func library(version string) (members []member, err error) {
	defer caught(&err)
	folder := get(os.MkdirTemp("", "release"))
	defer os.RemoveAll(folder)
	installed := filepath.Join(folder, "installed")
	build := exec.Command("make", "-s", "-C", "capi", "install", "VERSION="+version, "BUILD="+filepath.Join(folder, "build"), "DESTDIR="+installed, "PREFIX=/.",
		"PCPREFIX=$${pcfiledir}/../..")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	members = get(licences(platform{runtime.GOOS, runtime.GOARCH}, "./capi"))
	check(filepath.WalkDir(installed, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		mode := get(d.Info()).Mode()
		m := member{name: filepath.ToSlash(get(filepath.Rel(installed, file))), mode: mode.Perm()}
		if mode&fs.ModeSymlink != 0 {
			m.link = get(os.Readlink(file))
		} else {
			m.data = get(os.ReadFile(file))
		}
		members = append(members, m)
		return nil
	}))
	return members, nil
}

// wheelsFor are the systems for which wheels are built: this machine, and those that need
// no C compiler.
var wheelsFor = []string{"here", "musllinux_1_1_x86_64", "musllinux_1_1_aarch64", "macosx_12_0_x86_64", "macosx_12_0_arm64"}

// wheels builds the Python package into a folder, and returns the names of the files.
func wheels(version, folder string) ([]string, error) {
	args := []string{filepath.Join("python", "backend.py"), "-out", folder}
	for _, arch := range wheelsFor {
		args = append(args, "-arch", arch)
	}
	build := exec.Command("python3", args...)
	build.Env = append(os.Environ(), "HAARLEM_VERSION="+version)
	build.Stderr = os.Stderr
	out, err := build.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", build, err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		names = append(names, filepath.Base(strings.TrimSpace(line)))
	}
	return names, nil
}

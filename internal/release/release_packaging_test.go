//go:build packaging

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// A release of one program for this machine, built twice, is the same to the byte;
// the program runs and prints its version, and the other files match.
func TestRelease(t *testing.T) {
	defer func(all []string) { programs = all }(programs)
	programs = []string{"boost"}
	here := platform{runtime.GOOS, runtime.GOARCH}
	if !slices.Contains(platforms, here) || here.os == "windows" {
		t.Skipf("there is no archive of programs to run here for %s/%s", here.os, here.arch)
	}
	t.Chdir(filepath.Join("..", ".."))
	first, second := t.TempDir(), t.TempDir()
	for _, folder := range []string{first, second} {
		must.Do(release("v1.2.3", folder, here.os+"/"+here.arch, "https://example.org/haarlem/", false))
	}
	name := fmt.Sprintf("haarlem-v1.2.3-%s-%s", here.os, here.arch)
	sums := read(t, first, "SHA256SUMS")
	for _, file := range []string{
		name + ".tar.gz", "haarlem-v1.2.3.cdx.json", "haarlem-v1.2.3-source.tar.gz", "haarlem-v1.2.3-debian.tar.gz", "haarlem.rb",
	} {
		data := read(t, first, file)
		if !bytes.Equal(data, read(t, second, file)) {
			t.Errorf("%s differs between two builds", file)
		}
		if line := fmt.Sprintf("%x  %s\n", sha256.Sum256(data), file); !strings.Contains(string(sums), line) {
			t.Errorf("SHA256SUMS has no line %q:\n%s", line, sums)
		}
	}
	for _, program := range programs {
		file := filepath.Join(t.TempDir(), program)
		unpack(t, read(t, first, name+".tar.gz"), name+"/"+program, file)
		unpack(t, read(t, first, name+".tar.gz"), name+"/licences/gonum.org/v1/plot/LICENSE", filepath.Join(t.TempDir(), "LICENSE"))
		out, err := exec.Command(file, "-version").CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), program+" v1.2.3, go") {
			t.Errorf("%s -version: %v\n%s", program, err, out)
		}
	}
	formula := string(read(t, first, "haarlem.rb"))
	for _, want := range []string{
		`url "https://example.org/haarlem/haarlem-v1.2.3-source.tar.gz"`,
		fmt.Sprintf("sha256 %q", fmt.Sprintf("%x", sha256.Sum256(read(t, first, "haarlem-v1.2.3-source.tar.gz")))),
	} {
		if !strings.Contains(formula, want) {
			t.Errorf("the formula does not say %s:\n%s", want, formula)
		}
	}
	for _, c := range []struct{ archive, member, want string }{
		{"source", "haarlem-v1.2.3-source/vendor/modules.txt", "# golang.org/x/image "},
		{"debian", "debian/changelog", "haarlem (1.2.3-1) unstable"},
		{"debian", "debian/copyright", "License: BSD-3-Clause\n Redistribution and use in source and binary forms"},
	} {
		file := filepath.Join(t.TempDir(), "member")
		unpack(t, read(t, first, "haarlem-v1.2.3-"+c.archive+".tar.gz"), c.member, file)
		if got := string(read(t, file)); !strings.Contains(got, c.want) {
			t.Errorf("%s does not say %q:\n%s", c.member, c.want, got)
		}
	}
	var bill struct {
		Components []component `json:"components"`
	}
	must.Do(json.Unmarshal(read(t, first, "haarlem-v1.2.3.cdx.json"), &bill))
	for _, module := range []string{"std", "golang.org/x/image", "gonum.org/v1/plot"} {
		if !slices.ContainsFunc(bill.Components, func(c component) bool { return c.Name == module && c.Version != "" }) {
			t.Errorf("the bill of materials has no %s", module)
		}
	}
}

// The C library is what make installs, and finds itself; wheels have the release's version.
func TestNative(t *testing.T) {
	defer func(all []string) { wheelsFor = all }(wheelsFor)
	wheelsFor = []string{"musllinux_1_1_x86_64"}
	t.Chdir(filepath.Join("..", ".."))
	members := must.Get(library("1.2.3"))
	has := func(name, link, text string) {
		i := slices.IndexFunc(members, func(m member) bool { return m.name == name })
		if i < 0 || members[i].link != link || !strings.Contains(string(members[i].data), text) {
			t.Errorf("no %s with %q among the files of the library", name, link+text)
		}
	}
	has("lib/libhaarlem.so", "libhaarlem.so.1", "")
	has("lib/libhaarlem.so.1", "", "1.2.3")
	has("lib/pkgconfig/haarlem.pc", "", "prefix=${pcfiledir}/../..\n")
	has("include/haarlem/opencv.hpp", "", "CascadeClassifier")
	has("share/haarlem/haarcascades/haarcascade_eye.xml", "eye-stages.xml", "")
	has("share/haarlem/haarcascades/eye-stages.xml", "", "opencv-cascade-classifier")
	has("licences/golang.org/x/sys/LICENSE", "", "Redistribution")
	has("NOTICE", "", "Haarlem")
	folder := t.TempDir()
	names := must.Get(wheels("1.2.3", folder))
	if want := "haarlem-1.2.3-py3-none-musllinux_1_1_x86_64.whl"; !slices.Equal(names, []string{want}) || len(read(t, folder, want)) < 1<<20 {
		t.Errorf("%v", names)
	}
}

func read(t *testing.T, elements ...string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join(elements...)))
}

// unpack writes one member of a compressed tar archive to a file that runs.
func unpack(t *testing.T, archive []byte, member, file string) {
	t.Helper()
	z := must.Get(gzip.NewReader(bytes.NewReader(archive)))
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			t.Fatalf("%s: %v", member, err)
		}
		if h.Name != member {
			continue
		}
		b := must.Get(io.ReadAll(r))
		must.Do(os.WriteFile(file, b, 0o777))
		return
	}
}

//go:build capi

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/models"
)

// These tests build the libraries as the Makefile does, and programs in C and C++ with
// them. They need make, a compiler for C and one for C++, and pkg-config.
//
//	go test -tags capi ./capi

const (
	stagesPath = "../models/frontalfaceopencv/frontalface-opencv.xml"
	fewStages  = "../cascade/detector/testdata/parity/upright-stumps.xml"
	softPath   = "../models/facefast/face-fast.cascade"
)

// A place is where the library is installed for the tests.
type place struct{ folder string }

var strict = []string{"-Wall", "-Wextra", "-Wconversion", "-Werror", "-O1"}

// install builds the libraries and installs them.
func install(t *testing.T) place {
	t.Helper()
	p := place{t.TempDir()}
	run(t, nil, "make", "-s", "install", "BUILD="+p.at("build"), "PREFIX="+p.at("usr"))
	return p
}

func (p place) at(path ...string) string {
	return filepath.Join(append([]string{p.folder}, path...)...)
}

// compile makes a program out of a source, with the shared library.
func (p place) compile(t *testing.T, compiler, source string, flags ...string) string {
	t.Helper()
	out := p.at(strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
	pkg := run(t, []string{"PKG_CONFIG_PATH=" + p.at("usr", "lib", "pkgconfig")}, "pkg-config", "--cflags", "--libs", "haarlem")
	args := append(append([]string{source, "-o", out, "-pthread"}, strict...), flags...)
	run(t, nil, compiler, append(args, strings.Fields(pkg)...)...)
	return out
}

// run runs a command, which must succeed, and returns its output.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// whole is all of the drawing.
var whole image.Rectangle

// drawing returns a part of the drawn group of people, with two faces, or all of it.
func drawing(t *testing.T, r image.Rectangle) *image.Gray {
	t.Helper()
	data := must.Get(os.ReadFile("../samples/group.png"))
	img, _ := must.Get2(image.Decode(bytes.NewReader(data)))
	if r.Empty() {
		r = img.Bounds()
	}
	g := image.NewGray(image.Rectangle{Max: r.Size()})
	draw.Draw(g, g.Rect, img, r.Min, draw.Src)
	return g
}

// pgm writes a picture.
func (p place) pgm(t *testing.T, name string, g *image.Gray) string {
	t.Helper()
	path := p.at(name)
	data := append(fmt.Appendf(nil, "P5\n%d %d\n255\n", g.Rect.Dx(), g.Rect.Dy()), g.Pix...)
	must.Do(os.WriteFile(path, data, 0o666))
	return path
}

// The library in the hands of programs in C and C++.
func TestLibrary(t *testing.T) {
	p := install(t)
	two := p.pgm(t, "two.pgm", drawing(t, image.Rect(280, 130, 480, 270)))
	group := p.pgm(t, "group.pgm", drawing(t, whole))

	t.Run("prototypes", func(t *testing.T) {
		data := must.Get(os.ReadFile(p.at("build", "libhaarlem.h")))
		must.Do(os.WriteFile(p.at("exported.h"), data, 0o666))
		run(t, nil, "cc", "-std=c11", "-Wall", "-Werror", "-I.", "-I"+p.folder, "-fsyntax-only", "testdata/prototypes.c")
		run(t, nil, "cc", append([]string{"-std=c99", "-pedantic", "-fsyntax-only", "-x", "c"}, append(strict, "haarlem.h")...)...)
		run(t, nil, "c++", append([]string{"-std=c++11", "-pedantic", "-fsyntax-only", "-x", "c++"}, append(strict, "haarlem.h")...)...)
	})
	t.Run("exports", func(t *testing.T) {
		for _, line := range strings.Split(strings.TrimSpace(run(t, nil, "nm", "-D", "--defined-only", p.at("usr", "lib", "libhaarlem.so"))), "\n") {
			f := strings.Fields(line)
			if name := f[len(f)-1]; !strings.HasPrefix(strings.ToLower(name), "haarlem_") {
				t.Errorf("the library exports %s", name)
			}
		}
	})
	t.Run("checks", func(t *testing.T) {
		t.Log(run(t, nil, p.compile(t, "cc", "testdata/checks.c"), two, stagesPath, softPath))
	})
	t.Run("threads", func(t *testing.T) {
		t.Log(run(t, nil, p.compile(t, "cc", "testdata/threads.c"), two, stagesPath, "48", "1"))
	})
	t.Run("examples", func(t *testing.T) {
		c := must.Get(models.Open(models.Default))
		d := must.Get(detector.New(&detector.Options{MinSize: image.Pt(30, 30)}, c))
		found := must.Get(d.Detect(context.Background(), drawing(t, whole)))
		want := ""
		for _, f := range found {
			want += fmt.Sprintf("%d %d %d %d %.4f\n", f.Box.Min.X, f.Box.Min.Y, f.Box.Dx(), f.Box.Dy(), f.Score)
		}
		if got := run(t, nil, p.compile(t, "cc", "examples/faces.c"), group); got != want || len(found) < 8 {
			t.Errorf("with the shared library:\n%swant\n%s", got, want)
		}
		static := p.at("faces-static")
		run(t, nil, "cc", append([]string{"examples/faces.c", "-I" + p.at("usr", "include"), p.at("usr", "lib", "libhaarlem.a"), "-pthread", "-o", static}, strict...)...)
		if got := run(t, nil, static, group); got != want {
			t.Errorf("with the archive:\n%swant\n%s", got, want)
		}
		crowd := p.compile(t, "c++", "examples/crowd.cpp", "-std=c++17", "-Wno-sign-conversion")
		if got, want := run(t, nil, crowd, group, two, "nowhere"), fmt.Sprintf("%s: 11\n%s: 2\nnowhere: not a picture in the PGM form (P5)\n", group, two); got != want {
			t.Errorf("%swant\n%s", got, want)
		}
	})
}

// valgrind sees no access outside of what the caller gave. Go's tag valgrind tells it of
// Go's own memory. Values in that memory it does not follow well, nor goroutines that
// are stopped anywhere.
func TestValgrind(t *testing.T) {
	if _, err := exec.LookPath("valgrind"); errors.Is(err, exec.ErrNotFound) || runtime.GOARCH != "amd64" {
		t.Skip("no valgrind here: memory is checked by guard pages only")
	}
	p := install(t)
	picture := p.pgm(t, "small.pgm", drawing(t, image.Rect(300, 150, 390, 220)))
	checks := p.compile(t, "cc", "testdata/checks.c", "-g")
	run(t, nil, "go", "build", "-buildvcs=false", "-tags", "valgrind", "-buildmode=c-shared",
		"-ldflags", "-w -extldflags '-Wl,-soname,libhaarlem.so.1 -Wl,--version-script="+absolute(t, "haarlem.map")+"'", "-o", p.at("usr", "lib", "libhaarlem.so.1"), ".")
	t.Log(run(t, []string{"GODEBUG=asyncpreemptoff=1"}, "valgrind", "-q", "--error-exitcode=9", "--leak-check=no", "--undef-value-errors=no",
		checks, picture, fewStages, softPath, "quick"))
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path = must.Get(filepath.Abs(path))
	return path
}

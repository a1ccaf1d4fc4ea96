//go:build capi

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// stockFolder is where Debian's package opencv-data has OpenCV's cascades.
const stockFolder = "/usr/share/opencv4"

// needOpenCV skips a test where there is no OpenCV for C++.
func needOpenCV(t *testing.T) {
	t.Helper()
	if err := exec.Command("pkg-config", "opencv4").Run(); err != nil {
		t.Skip("no OpenCV here: it is in the package libopencv-dev")
	}
}

// opencvFlags are for programs with OpenCV's header files and some of its modules.
func opencvFlags(modules ...string) []string {
	flags := []string{"-isystem", "/usr/include/opencv4"}
	for _, m := range modules {
		flags = append(flags, "-lopencv_"+m)
	}
	return flags
}

// The classifier of haarlem/opencv.hpp gives what OpenCV's gives.
func TestOpenCV(t *testing.T) {
	needOpenCV(t)
	p := install(t)
	face := filepath.Join(stockFolder, "haarcascades", "haarcascade_frontalface_default.xml")
	t.Run("parity", func(t *testing.T) {
		args := []string{"12", "../samples/group.png", "../samples/room.png", "--"}
		for _, folder := range []string{"haarcascades", "lbpcascades"} {
			found, err := filepath.Glob(filepath.Join(stockFolder, folder, "*.xml"))
			if err != nil || len(found) == 0 {
				t.Fatalf("no cascades in %s: they are in the package opencv-data", folder)
			}
			args = append(args, found...)
		}
		program := p.compile(t, "c++", "testdata/opencv.cpp", append(opencvFlags("objdetect", "imgcodecs", "imgproc", "core"), "-std=c++17", "-pedantic")...)
		t.Log(run(t, nil, program, args...))
	})
	// One line is another, and OpenCV's class is not asked. Then without its header file.
	t.Run("as OpenCV", func(t *testing.T) {
		want := run(t, nil, p.compile(t, "c++", "examples/opencv.cpp", append(opencvFlags("imgcodecs", "core"), "-std=c++11", "-pedantic")...), face, "../samples/group.png")
		if n := strings.Count(want, "\n"); n < 8 {
			t.Errorf("%d faces, want at least 8", n)
		}
		flags := append(opencvFlags("imgcodecs", "core"), "-std=c++11", "-pedantic", "-DHAARLEM_AS_OPENCV")
		if got := run(t, nil, p.compile(t, "c++", "testdata/as_opencv.cpp", flags...), face, "../samples/group.png"); got != want {
			t.Errorf("%swant\n%s", got, want)
		}
		bare := p.at("bare", "opencv2")
		must.Do(os.MkdirAll(bare, 0o777))
		headers := must.Get(filepath.Glob("/usr/include/opencv4/opencv2/*"))
		for _, h := range headers {
			if name := filepath.Base(h); !strings.HasPrefix(name, "objdetect") {
				must.Do(os.Symlink(h, filepath.Join(bare, name)))
			}
		}
		flags[1] = p.at("bare")
		if got := run(t, nil, p.compile(t, "c++", "testdata/as_opencv.cpp", append(flags, "-DWITHOUT_OBJDETECT")...), face, "../samples/group.png"); got != want {
			t.Errorf("without objdetect:\n%swant\n%s", got, want)
		}
	})
	t.Run("cmake", func(t *testing.T) {
		if _, err := exec.LookPath("cmake"); err != nil {
			t.Skip("no cmake here")
		}
		folder := p.at("project")
		must.Do(os.Mkdir(folder, 0o777))
		project := fmt.Sprintf(`cmake_minimum_required(VERSION 3.16)
project(faces C)
find_package(haarlem 0.1 REQUIRED)
add_executable(faces %q)
target_link_libraries(faces haarlem::haarlem)
`, absolute(t, "examples/faces.c"))
		must.Do(os.WriteFile(filepath.Join(folder, "CMakeLists.txt"), []byte(project), 0o666))
		run(t, nil, "cmake", "-S", folder, "-B", folder, "-DCMAKE_PREFIX_PATH="+p.at("usr"))
		run(t, nil, "cmake", "--build", folder)
		if got := run(t, nil, filepath.Join(folder, "faces"), p.pgm(t, "group.pgm", drawing(t, whole))); strings.Count(got, "\n") < 8 {
			t.Errorf("found:\n%s", got)
		}
	})
}

// The commands of docs/c.md work as they are there, in another folder than /usr/local.
func TestDocumentedCommands(t *testing.T) {
	page := must.Get(os.ReadFile("../docs/c.md"))
	var blocks []string
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		if m[1] == "" {
			blocks = append(blocks, m[2])
		}
	}
	if len(blocks) < 2 {
		t.Fatalf("docs/c.md has %d pieces of commands, want at least 2", len(blocks))
	}
	p := place{t.TempDir()}
	for i, block := range blocks {
		if i > 0 {
			needOpenCV(t)
		}
		commands := strings.NewReplacer("/usr/local", p.at("usr"), "-C capi", "-C capi BUILD="+p.at("build"), " -o ", " -o "+p.folder+"/",
			" ./", " "+p.folder+"/", "\n./", "\n"+p.folder+"/", "group.pgm", p.at("group.pgm")).Replace(block)
		cmd := exec.Command("sh", "-e", "-c", commands)
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "PKG_CONFIG_PATH="+p.at("usr", "lib", "pkgconfig"))
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(out), "\n") < 8 {
			t.Fatalf("%v\n%s\n%s", err, commands, out)
		}
	}
}

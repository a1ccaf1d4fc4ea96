// Release builds a release: the programs for each platform, in an archive with its
// licence and those of what it is linked from; the C library and wheels, if asked for; the source with its modules; a Homebrew formula and a Debian source
// package that build from that source without a network; a software bill of
// materials, and checksums.
//
//	go run ./internal/release -version v1.0.0 -out dist -url https://example.org/haarlem
//
// The same commit, version and Go give the same bytes.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A platform is what Go calls an operating system and an architecture.
type platform struct{ os, arch string }

var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

var programs = []string{"detect", "train-cascade", "boost"}

func programPackages() (all []string) {
	for _, p := range programs {
		all = append(all, "./cmd/"+p)
	}
	return all
}

func main() {
	version := flag.String("version", "", "the release's `VERSION`, such as v1.0.0")
	out := flag.String("out", "dist", "new or empty `FOLDER` for the files")
	only := flag.String("only", "", "one `PLATFORM`, such as linux/amd64; all if not given")
	url := flag.String("url", "https://example.org/haarlem", "where the files will be, for the formula and for Debian")
	native := flag.Bool("native", false, "also the C library for this machine, and wheels for Python, which need make, a C compiler and python3")
	terms := flag.String("licences", "", "only write the licences of what ./capi is linked from into `FOLDER`")
	stock := flag.String("cascades", "", "only write our cascades, in OpenCV's format and under its names, into `FOLDER`")
	flag.Parse()
	run := func() error { return release(*version, *out, *only, *url, *native) }
	if *terms != "" {
		run = func() error { return writeLicences(*terms) }
	}
	if *stock != "" {
		run = func() error { return writeStock(*stock) }
	}
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func release(version, out, only, url string, native bool) (err error) {
	defer caught(&err)
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(version) {
		return fmt.Errorf("-version %q, want something like v1.0.0", version)
	}
	if files, err := os.ReadDir(out); err == nil && len(files) > 0 {
		return fmt.Errorf("the folder %s is not empty", out)
	}
	check(os.MkdirAll(out, 0o777))
	module := get(modulePath())
	var files []string
	write := func(name string, data []byte, err error) {
		check(err)
		files = append(files, name)
		fmt.Println(filepath.Join(out, name))
		check(os.WriteFile(filepath.Join(out, name), data, 0o666))
	}
	var bill materials
	for _, p := range platforms {
		if only != "" && only != p.os+"/"+p.arch {
			continue
		}
		var members []member
		for _, program := range programs {
			data := get(build(module, program, version, p))
			if err := bill.add(data); err != nil {
				return fmt.Errorf("%s for %s/%s: %w", program, p.os, p.arch, err)
			}
			name := program
			if p.os == "windows" {
				name += ".exe"
			}
			members = append(members, member{name: name, mode: 0o755, data: data})
		}
		members = append(members, member{name: "README.md", mode: 0o644, data: get(os.ReadFile("README.md"))})
		members = append(members, get(licences(p, programPackages()...))...)
		write(archive(fmt.Sprintf("haarlem-%s-%s-%s", version, p.os, p.arch), p.os == "windows", members))
	}
	if len(files) == 0 {
		return fmt.Errorf("-only %q is none of the platforms", only)
	}
	number := strings.TrimPrefix(version, "v")
	if native {
		write(archive(fmt.Sprintf("libhaarlem-%s-%s-%s", version, runtime.GOOS, runtime.GOARCH), false, get(library(number))))
		for _, name := range get(wheels(number, out)) {
			files = append(files, name)
			fmt.Println(filepath.Join(out, name))
		}
	}
	data, err := bill.cycloneDX(module, version)
	write(fmt.Sprintf("haarlem-%s.cdx.json", version), data, err)
	name, source, err := archive("haarlem-"+version+"-source", false, get(sourceMembers()))
	write(name, source, err)
	holder, licence, err := copyright()
	check(err)
	date, err := exec.Command("git", "log", "-1", "--format=%cD").Output()
	if err != nil {
		return fmt.Errorf("git log: %w", err)
	}
	values := map[string]string{
		"URL": strings.TrimSuffix(url, "/"), "VERSION": number, "DEBIAN": strings.Replace(number, "-", "~", 1),
		"SHA256": fmt.Sprintf("%x", sha256.Sum256(source)), "MODULE": module, "COPYRIGHT": holder, "LICENSE": licence, "DATE": strings.TrimSpace(string(date)),
	}
	formula, err := fill(get(os.ReadFile(filepath.Join("packaging", "haarlem.rb"))), values)
	write("haarlem.rb", formula, err)
	// Unpacked in the folder of the source, it is that folder's debian/.
	_, data, err = archive("debian", false, get(debianMembers(values)))
	write("haarlem-"+version+"-debian.tar.gz", data, err)
	return checksums(out, files)
}

// modulePath returns the path of the module in the working directory.
func modulePath() (string, error) {
	out, err := exec.Command("go", "list", "-m").Output()
	return strings.TrimSpace(string(out)), err
}

// build compiles a program and returns its bytes.
func build(module, program, version string, p platform) ([]byte, error) {
	folder, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, program)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", name,
		"-ldflags", "-s -w -buildid= -X "+module+"/internal/app/cli.release="+version, "./cmd/"+program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s for %s/%s: %w\n%s", program, p.os, p.arch, err, out)
	}
	return os.ReadFile(name)
}

// checksums writes SHA256SUMS, for sha256sum -c.
func checksums(folder string, names []string) error {
	var b strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(b.String()), 0o666)
}

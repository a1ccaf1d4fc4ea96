// Build compiles what the page needs from the sources of this module:
//
//	go generate ./web                 into web/built, which is embedded and committed
//	go run ./web/build -site DIR      the whole page, newly compiled, into DIR
//
// It needs nothing but Go, and runs in any folder of the module.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/internal/kernel/wasm"
	"haarlem/web"
)

func main() {
	site := flag.String("site", "", "write the whole page into this `folder`, and leave web/built as it is")
	only := flag.Bool("check", false, "only compare the sources with those of web/built")
	flag.Parse()
	if err := run(*site, *only, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "web/build:", err)
		os.Exit(1)
	}
}

func run(site string, only bool, args []string) error {
	if len(args) != 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
	root, err := output("go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	if only {
		return check(root)
	}
	built, err := compile(root)
	if err != nil {
		return err
	}
	if site == "" {
		own, all, err := sources(root)
		if err != nil {
			return err
		}
		if err := os.WriteFile(record(root), fmt.Appendf(nil, "%s  web/detector\n%s  all packages of the program, and Go\n", own, all), 0o666); err != nil {
			return err
		}
		for name, data := range built {
			if err := os.WriteFile(filepath.Join(root, "web", "built", name), data, 0o666); err != nil {
				return err
			}
		}
		return nil
	}
	models, err := web.Builtin()
	if err != nil {
		return err
	}
	files, err := web.FilesWith(models, built)
	if err != nil {
		return err
	}
	return web.Write(site, files)
}

// compile returns the files of web/built. The same sources and the same Go
// give the same bytes, wherever they lie.
func compile(root string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "haarlem-web")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	compiled := filepath.Join(dir, "detector.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=",
		"-tags", "haarlemsimd", "-o", compiled, "./web/detector")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOEXPERIMENT=", "GOWASM=")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go build ./web/detector for WebAssembly: %w", err)
	}
	program, err := os.ReadFile(compiled)
	if err != nil {
		return nil, err
	}
	built := map[string][]byte{}
	if built["detector.wasm.gz"], err = packed(program); err != nil {
		return nil, err
	}
	if built["lanes.wasm.gz"], err = packed(wasm.Module()); err != nil {
		return nil, err
	}
	// Go's own half of what connects a Go program with JavaScript. It belongs
	// to the version of Go that compiled the program.
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	glue, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	version, err := output("go", "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	built["wasm_exec.js"] = glue
	text := fmt.Appendf(nil, "Compiled by go generate ./web with %s.\n\n", version)
	for _, name := range slices.Sorted(maps.Keys(built)) {
		text = fmt.Appendf(text, "%x  %s\n", sha256.Sum256(built[name]), name)
	}
	built["built.txt"] = text
	return built, nil
}

func packed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

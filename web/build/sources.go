package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sources returns hashes of what detector.wasm is compiled from: of the package in
// web/detector, and of all packages of this module that it consists of, with the version
// of Go. Results depend on nothing else.
func sources(root string) (own, all string, err error) {
	cmd := exec.Command("go", "list", "-deps", "-tags", "haarlemsimd", "-json=Dir,Module,GoFiles,SFiles,EmbedFiles", "./web/detector")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOEXPERIMENT=", "GOWASM=")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("go list: %w", err)
	}
	version, err := output("go", "env", "GOVERSION")
	if err != nil {
		return "", "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, version)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir                         string
			Module                      *struct{ Main bool }
			GoFiles, SFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", "", err
		}
		if p.Module == nil || !p.Module.Main {
			continue
		}
		one := sha256.New()
		for _, name := range append(append(p.GoFiles, p.SFiles...), p.EmbedFiles...) {
			data, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return "", "", err
			}
			fmt.Fprintf(one, "%s %d\n%s", name, len(data), data)
		}
		sum := fmt.Sprintf("%x", one.Sum(nil)[:16])
		if filepath.Base(p.Dir) == "detector" && filepath.Base(filepath.Dir(p.Dir)) == "web" {
			own = sum
		}
		fmt.Fprintln(h, filepath.Base(p.Dir), sum)
	}
	return own, fmt.Sprintf("%x", h.Sum(nil)[:16]), nil
}

// record is where the hashes of the sources of web/built are kept.
func record(root string) string { return filepath.Join(root, "web", "built", "sources.txt") }

// check compares today's sources with those of web/built. Where only the search has
// changed, the program need not be compiled anew if it finds the same: step chromium of
// .ci/run compares that. Nothing of 1.3 MB is committed for it, then.
func check(root string) error {
	own, all, err := sources(root)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(record(root))
	if err != nil {
		return err
	}
	switch {
	case strings.Contains(string(text), all):
		fmt.Println("web/built is compiled from these sources")
	case strings.Contains(string(text), own):
		fmt.Println("web/built is compiled from other sources of the search: go generate ./web, if results differ (.ci/run chromium) or before a release")
	default:
		return errors.New("web/detector has changed: run go generate ./web, and commit web/built")
	}
	return nil
}

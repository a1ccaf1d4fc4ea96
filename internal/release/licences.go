package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenceName matches the files by which authors say on what terms their work may be
// given to others.
var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)\b`)

// writeLicences writes the licences of the C library into a folder.
func writeLicences(folder string) (err error) {
	defer caught(&err)
	for _, m := range get(licences(platform{"linux", "amd64"}, "./capi")) {
		file := filepath.Join(folder, filepath.FromSlash(m.name))
		check(os.MkdirAll(filepath.Dir(file), 0o777))
		check(os.WriteFile(file, m.data, 0o666))
	}
	return nil
}

// licences returns this project's licence and notice, and the licences of Go and of all
// modules that packages for a platform are linked from, in folders of the modules' names.
// A module without one is an error.
func licences(p platform, packages ...string) (members []member, err error) {
	defer caught(&err)
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"}
	list := exec.Command("go", append(args, packages...)...)
	list.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	goRoot := strings.TrimSpace(string(root))
	lines := append(strings.Split(strings.TrimSpace(string(out)), "\n"), "go\t"+goRoot+"\t"+goRoot)
	files := map[string]string{"LICENSE": "LICENSE", "NOTICE": "NOTICE"} // by their names in the archive
	modules := map[string]bool{}                                         // whether there is a licence
	for _, line := range slices.DeleteFunc(lines, func(l string) bool { return l == "" }) {
		module, rest, _ := strings.Cut(line, "\t")
		top, folder, _ := strings.Cut(rest, "\t")
		// Those of the package's folder, and of all above it in the module.
		for ; ; folder = filepath.Dir(folder) {
			below := get(filepath.Rel(top, folder))
			for _, e := range get(os.ReadDir(folder)) {
				if e.Type().IsRegular() && licenceName.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
					files[path.Join("licences", module, filepath.ToSlash(below), e.Name())] = filepath.Join(folder, e.Name())
					modules[module] = true
				}
			}
			if folder == top {
				break
			}
		}
		if !modules[module] {
			return nil, fmt.Errorf("%s, which is linked, has no licence in %s", module, top)
		}
	}
	for name, file := range files {
		members = append(members, member{name: name, mode: 0o644, data: get(os.ReadFile(file))})
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return members, nil
}

package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
)

// Materials are the modules that programs were built from.
type materials struct {
	goVersion string
	modules   map[string]debug.Module // by path
}

// add records the modules of a program.
func (m *materials) add(program []byte) error {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return err
	}
	if m.modules == nil {
		m.modules = map[string]debug.Module{}
	}
	m.goVersion = info.GoVersion
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		m.modules[d.Path] = *d
	}
	return nil
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// cycloneDX writes the bill in CycloneDX's format, version 1.6. The hashes are
// those of go.sum: of a module's list of files, not of an archive.
func (m *materials) cycloneDX(module, version string) ([]byte, error) {
	newComponent := func(kind, name, version string) component {
		purl := "pkg:golang/" + name + "@" + version
		return component{Type: kind, Ref: purl, Name: name, Version: version, PURL: purl}
	}
	main := newComponent("application", module, version)
	std := newComponent("library", "std", strings.TrimPrefix(m.goVersion, "go"))
	components := []component{std}
	refs := []string{std.Ref}
	for _, path := range slices.Sorted(maps.Keys(m.modules)) {
		d := m.modules[path]
		c := newComponent("library", d.Path, d.Version)
		if sum, ok := strings.CutPrefix(d.Sum, "h1:"); ok {
			b, err := base64.StdEncoding.DecodeString(sum)
			if err != nil {
				return nil, fmt.Errorf("%s: checksum %q: %w", path, d.Sum, err)
			}
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(b)}}
		}
		components = append(components, c)
		refs = append(refs, c.Ref)
	}
	bill := struct {
		Format       string       `json:"bomFormat"`
		SpecVersion  string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     any          `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}{"CycloneDX", "1.6", 1, map[string]any{"component": main}, components, []dependency{{main.Ref, refs}}}
	b, err := json.MarshalIndent(bill, "", "  ")
	return append(b, '\n'), err
}

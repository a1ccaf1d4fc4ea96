// Package datasource describes the pictures that a model learned from, one line a
// source, so that a model says by itself on which terms its data are.
package datasource

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A Source is one source of pictures.
type Source struct {
	Name    string // of the collection
	Version string // the repository and its commit, or the package and its version
	Licence string // the SPDX identifier
	By      string // whom the licence wants named
	Used    string // what of it was used, and the arguments of -truth and -bg that name it
	SHA256  string // of the list of the pictures used, a file name a line, in hex
}

// Usage is the help of the flag -data-source.
const Usage = "keep a source of pictures in the model, as `TEXT`: \"NAME; version V; licence L; by WHOM; used WHAT; list FILE\". The model keeps the SHA-256 of FILE, which lists the pictures; may be repeated"

var keys = []string{"version", "licence", "by", "used", "sha256"}

// Open are the licences that allow everyone to use a picture commercially and to
// derive works from it. BSD-3-Clause is that of Haarlem's own pictures.
var Open = []string{"CC0-1.0", "CC-BY-2.0", "CC-BY-3.0", "CC-BY-4.0", "CC-BY-SA-2.0", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "BSD-3-Clause"}

// IsOpen reports whether the licence is one of Open. Several are separated by " and ".
func (s *Source) IsOpen() bool {
	return !slices.ContainsFunc(strings.Split(s.Licence, " and "), func(l string) bool { return !slices.Contains(Open, l) })
}

// Parse reads "NAME; version V; licence L; by A; used U; sha256 HEX".
func Parse(line string) (*Source, error) {
	v, err := split(line, keys)
	if err != nil {
		return nil, err
	}
	if sum, err := hex.DecodeString(v[5]); err != nil || len(sum) != sha256.Size {
		return nil, fmt.Errorf("data source %q: sha256 %q is not one of 64 hex digits", v[0], v[5])
	}
	return &Source{v[0], v[1], v[2], v[3], v[4], v[5]}, nil
}

// Lines returns the lines that Parse reads for texts that end in "list FILE" instead of
// "sha256 HEX".
func Lines(texts []string) ([]string, error) {
	var lines []string
	for _, text := range texts {
		v, err := split(text, append(slices.Clone(keys[:4]), "list"))
		if err != nil {
			return nil, err
		}
		list, err := os.ReadFile(v[5])
		if err != nil {
			return nil, fmt.Errorf("data source %q: %w", v[0], err)
		}
		lines = append(lines, fmt.Sprintf("%ssha256 %x", strings.TrimSuffix(text, "list "+v[5]), sha256.Sum256(list)))
	}
	return lines, nil
}

// split returns the name and the values of the keys.
func split(text string, keys []string) ([]string, error) {
	v := strings.Split(text, "; ")
	if len(v) == len(keys)+1 && v[0] != "" {
		for i, key := range keys {
			value, ok := strings.CutPrefix(v[i+1], key+" ")
			if !ok || value == "" {
				break
			}
			if v[i+1] = value; i == len(keys)-1 {
				return v, nil
			}
		}
	}
	return nil, fmt.Errorf("data source %q has not these parts: NAME; %s", text, strings.Join(keys, " ...; "))
}

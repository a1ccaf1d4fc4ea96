package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/picture"
)

// An input is one picture to look at.
type input struct {
	path  string // as it is reported; "-" for stdin
	stdin bool
}

// expand turns arguments into pictures, in the order given, and within a
// folder or pattern in the order of names. A file that does not exist stays:
// it is reported when its turn comes, like one that cannot be read. A folder
// or pattern without pictures is a mistake in the call.
func expand(args []string, recursive bool) ([]input, error) {
	var all []input
	seenStdin := false
	for _, arg := range args {
		if arg == "" {
			return nil, usagef("one of the names is empty")
		}
		if arg == "-" {
			if seenStdin {
				return nil, usagef("- is given twice, but stdin holds one picture")
			}
			seenStdin = true
			all = append(all, input{path: "-", stdin: true})
			continue
		}
		info, err := os.Stat(arg)
		switch {
		case err == nil && info.IsDir():
			found, err := pictures(arg, recursive)
			if err != nil {
				return nil, usageError{err}
			}
			if len(found) == 0 {
				return nil, usagef("%s: no pictures in this folder (%s)", arg, emptyHint(recursive))
			}
			all = append(all, found...)
		case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
			found, err := matches(arg, recursive)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		default:
			all = append(all, input{path: arg})
		}
	}
	return all, nil
}

func emptyHint(recursive bool) string {
	names := "looked for " + strings.Join(picture.Extensions(), " ")
	if recursive {
		return names
	}
	return names + "; -recursive looks into its folders"
}

// matches are the files of a pattern, and the pictures of its folders.
func matches(pattern string, recursive bool) ([]input, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, usagef("%s: not a pattern: a [ has no ]", pattern)
	}
	var all []input
	for _, name := range names {
		if hidden(name) && !hidden(pattern) {
			continue // as shells do
		}
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() {
			all = append(all, input{path: name})
			continue
		}
		found, err := pictures(name, recursive)
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, usagef("%s: no file matches this pattern", pattern)
	}
	return all, nil
}

// pictures are the files in a folder whose names end like those of pictures.
// Names that begin with a dot are hidden, from this program too.
func pictures(dir string, recursive bool) ([]input, error) {
	var all []input
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == dir:
			return nil
		case hidden(path):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			if !recursive {
				return fs.SkipDir
			}
			return nil
		}
		if slices.Contains(picture.Extensions(), strings.ToLower(filepath.Ext(path))) {
			all = append(all, input{path: path})
		}
		return nil
	})
	return all, err
}

func hidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

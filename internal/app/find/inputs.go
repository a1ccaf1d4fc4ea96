package find

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/picture"
)

// An input is one picture to look at.
type input struct {
	path  string // as it is reported; "-" for stdin
	under string // its path in the folder that was given; empty if it was given itself
	stdin bool
}

// A selection is what the arguments of a call stand for.
type selection struct {
	Inputs []input
	left   []unreadable // found beside them in folders, and cannot be read
	inside int          // folders in folders that were not looked into
}

// An unreadable file is in a folder that was given.
type unreadable struct {
	picture.Unreadable
	dir string
}

// in is a file in a folder.
func in(dir, path string) input {
	under, err := filepath.Rel(dir, path)
	if err != nil { // which folders that were listed do not have
		under = ""
	}
	return input{path: path, under: under}
}

// expand turns arguments into pictures, in the order given, and within a
// folder or pattern in the order of names. A file that does not exist stays:
// it is reported when its turn comes, like one that cannot be read. A folder
// or pattern without anything to see is a mistake in the call; a folder that
// cannot be opened is not, so that the others are searched.
func expand(args []string, recursive bool) (*selection, error) {
	all := &selection{}
	seenStdin := false
	for _, arg := range args {
		if arg == "" {
			return nil, cli.Usagef("one of the names is empty")
		}
		if arg == "-" {
			if seenStdin {
				return nil, cli.Usagef("- is given twice, but stdin holds one picture")
			}
			seenStdin = true
			all.Inputs = append(all.Inputs, input{path: "-", stdin: true})
			continue
		}
		info, err := os.Stat(arg)
		switch {
		case err == nil && info.IsDir():
			if !all.folder(arg, recursive) {
				return nil, cli.Usagef("%s: no pictures in this folder (%s)", arg, emptyHint(recursive))
			}
		// Windows says of a pattern that the name is not valid, not that there is no such file.
		case err != nil && !errors.Is(err, fs.ErrPermission) && strings.ContainsAny(arg, "*?["):
			if err := all.matches(arg, recursive); err != nil {
				return nil, err
			}
		default:
			all.Inputs = append(all.Inputs, input{path: arg})
		}
	}
	return all, nil
}

// folder adds the pictures in a folder, and what cannot be read of it. It
// reports whether there was anything.
func (s *selection) folder(dir string, recursive bool) bool {
	f, err := picture.List(dir, recursive)
	if err != nil {
		s.left = append(s.left, unreadable{picture.Unreadable{Path: dir, Err: err}, dir})
		return true
	}
	for _, path := range f.Pictures {
		s.Inputs = append(s.Inputs, in(dir, path))
	}
	for _, u := range f.Unreadable {
		s.left = append(s.left, unreadable{u, dir})
	}
	s.inside += f.Inside
	return len(f.Pictures)+len(f.Unreadable) > 0
}

// convert makes inputs of what folders hold and a converter is for.
func (s *selection) convert(c *picture.Converter) {
	left := s.left[:0]
	for _, l := range s.left {
		if c.Converts(l.Kind) {
			s.Inputs = append(s.Inputs, in(l.dir, l.Path))
		} else {
			left = append(left, l)
		}
	}
	s.left = left
}

func emptyHint(recursive bool) string {
	names := "looked for " + strings.Join(picture.Extensions(), " ")
	if recursive {
		return names
	}
	return names + "; -recursive looks into its folders"
}

// matches adds the files of a pattern, and the pictures of its folders.
func (s *selection) matches(pattern string, recursive bool) error {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return cli.Usagef("%s: not a pattern: a [ has no ]", pattern)
	}
	found := false
	for _, name := range names {
		if hidden(name) && !hidden(pattern) {
			continue // as shells do
		}
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() {
			s.Inputs = append(s.Inputs, input{path: name})
			found = true
			continue
		}
		found = s.folder(name, recursive) || found
	}
	if !found {
		return cli.Usagef("%s: no file matches this pattern", pattern)
	}
	return nil
}

func hidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

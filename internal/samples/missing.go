package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// namesShown is the number of names that an error or a report lists of each
// kind.
const namesShown = 10

// A MissingError reports files named in a list that do not exist. The existing
// ones are returned too, for callers that continue without the rest.
type MissingError struct {
	List  string   // the file that names them
	Names []string // the first ten, as in the list
	Count int      // how many are missing
	Of    int      // how many are named
}

func (e *MissingError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d pictures do not exist (looked beside this file, and in the working directory):", e.List, e.Count, e.Of)
	for _, n := range e.Names {
		b.WriteString("\n  " + shown(n))
	}
	if more := e.Count - len(e.Names); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

// A finder finds the pictures that a list names.
type finder struct {
	roots []string // folders, in the order of search; "": the working directory
	err   MissingError

	// names returns the names under which a file may be found; nil: its own.
	names func(string) []string
}

// newFinder searches beside the list, then in the working directory.
func newFinder(list string) *finder {
	return &finder{roots: []string{filepath.Dir(list), ""}, err: MissingError{List: list}}
}

// Beside returns the path of the existing file that a name in a list means: beside the
// list, or in the working directory.
func Beside(list, name string) (string, bool) { return newFinder(list).exists(name) }

// exists returns the path of an existing file of that name.
func (f *finder) exists(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	tries := []string{filepath.FromSlash(name)}
	if f.names != nil {
		tries = f.names(name)
	}
	if filepath.Separator == '/' && strings.Contains(name, `\`) { // written on Windows
		tries = append(tries, strings.ReplaceAll(name, `\`, "/"))
	}
	for _, try := range tries {
		for _, root := range f.roots {
			path := try
			if !filepath.IsAbs(try) {
				path = filepath.Join(root, try)
			}
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path, true
			}
			if filepath.IsAbs(try) {
				break
			}
		}
	}
	return "", false
}

// picture is exists of a name without its extension.
func (f *finder) picture(stem string) (string, bool) {
	for _, ext := range endings() {
		if path, ok := f.exists(stem + ext); ok && stem != "" {
			return path, true
		}
	}
	return "", false
}

// find is exists, and records missing files.
func (f *finder) find(name string) (string, bool) {
	f.err.Of++
	path, ok := f.exists(name)
	if !ok {
		f.miss(name)
	}
	return path, ok
}

func (f *finder) miss(name string) {
	f.err.Count++
	if len(f.err.Names) < namesShown {
		f.err.Names = append(f.err.Names, name)
	}
}

// missing returns the error, or nil if all were found.
func (f *finder) missing() error {
	if f.err.Count == 0 {
		return nil
	}
	return &f.err
}

// resolve replaces the names in a truth file with paths. Two names of one file
// become one photograph.
func (f *finder) resolve(photos []Photo) ([]Photo, error) {
	found := photos[:0]
	index := map[string]int{}
	for _, p := range photos {
		path, ok := f.find(p.File)
		if !ok {
			continue
		}
		if i, twice := index[path]; twice {
			found[i].Objects = append(found[i].Objects, p.Objects...)
			continue
		}
		index[path] = len(found)
		p.File = path
		found = append(found, p)
	}
	return found, f.missing()
}

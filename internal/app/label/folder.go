package label

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"haarlem/picture"
)

// errBad is wrapped by errors about a request.
var errBad = errors.New("wrong request")

// A folder is the pictures that the page shows, under names relative to it, with
// slashes. Nothing outside it can be named or read: also not by symbolic links.
type folder struct {
	dir   string // absolute, without links
	root  *os.Root
	names []string
	index map[string]bool
	left  int    // files that look like pictures, and are not shown
	why   string // the first of them
}

func openFolder(dir string) (*folder, error) {
	whole, err := filepath.Abs(dir)
	if err == nil {
		whole, err = filepath.EvalSymlinks(whole)
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(whole)
	if err != nil {
		return nil, err
	}
	f := &folder{dir: whole, root: root, index: map[string]bool{}}
	found, err := picture.List(whole, true)
	if err != nil {
		root.Close()
		return nil, err
	}
	leave := func(name, why string) {
		if f.left++; f.why == "" {
			f.why = name + ": " + why
		}
	}
	for _, u := range found.Unreadable {
		leave(u.Path, u.Kind.String())
	}
	for _, path := range found.Pictures {
		rel, err := filepath.Rel(whole, path)
		if err != nil {
			root.Close()
			return nil, err
		}
		name := filepath.ToSlash(rel)
		if _, err := root.Stat(name); err != nil {
			leave(path, "a link that leads out of the folder, or nowhere")
			continue
		}
		if !utf8.ValidString(name) {
			leave(fmt.Sprintf("%q", path), "its name is not UTF-8")
			continue
		}
		f.names = append(f.names, name)
		f.index[name] = true
	}
	if len(f.names) == 0 {
		root.Close()
		return nil, fmt.Errorf("%s: no pictures in this folder or its folders", dir)
	}
	return f, nil
}

// path is where a picture is.
func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// name returns which picture a path leads to.
func (f *folder) name(path string) (string, bool) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	// The folders may be links; the picture itself goes by its own name.
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(f.dir, filepath.Join(dir, filepath.Base(path)))
	if err != nil {
		return "", false
	}
	name := filepath.ToSlash(rel)
	return name, f.index[name]
}

// A stamp tells whether a file is the one it was.
type stamp struct {
	size, modified int64
}

func (s stamp) String() string { return fmt.Sprintf("%x-%x", s.modified, s.size) }

// open opens a picture of the folder.
func (f *folder) open(name string) (*os.File, stamp, error) {
	if !f.index[name] {
		return nil, stamp{}, fmt.Errorf("%q: %w", name, os.ErrNotExist)
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, stamp{}, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", name)
	}
	if err != nil {
		file.Close()
		return nil, stamp{}, err
	}
	return file, stamp{info.Size(), info.ModTime().UnixNano()}, nil
}

// stamp returns the stamp of a picture.
func (f *folder) stamp(name string) (stamp, error) {
	file, s, err := f.open(name)
	if err == nil {
		file.Close()
	}
	return s, err
}

// decodeTime is the time for a picture, which one that is made for it would exceed.
const decodeTime = time.Minute

// decode reads a picture, upright.
func (f *folder) decode(ctx context.Context, name string) (*picture.Picture, error) {
	file, _, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ctx, cancel := context.WithTimeout(ctx, decodeTime)
	defer cancel()
	return picture.Read(file, name, &picture.Options{Partial: true, Context: ctx})
}

// size returns the size of the upright picture.
func (f *folder) size(name string) (width, height int, err error) {
	if _, err := f.stamp(name); err != nil {
		return 0, 0, err
	}
	return picture.Size(f.path(name), nil)
}

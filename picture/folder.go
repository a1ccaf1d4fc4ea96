package picture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Folder is what [List] finds in one.
type Folder struct {
	// Pictures are the paths of the files to read.
	Pictures []string

	// Unreadable are files and folders that hold pictures or videos, as far as
	// their names or contents tell, and that cannot be read.
	Unreadable []Unreadable

	// Inside is the number of subfolders that were not searched, since recursive
	// was not set.
	Inside int
}

// An Unreadable is a file or folder in a folder that cannot be read.
type Unreadable struct {
	Path string
	Kind Kind  // empty if it is not known
	Err  error // names the path, and says why
}

// List returns the pictures of a folder, sorted by name, and with recursive those
// of its subfolders. The error is about dir itself: what cannot be read in it is
// listed as Unreadable.
//
// A file is a picture if it has the extension of one ([Extensions]) or begins with
// the signature of one. Unreadable are: pictures of a format that is not supported,
// by extension or by content; videos; files with the extension of a picture that
// are not regular files, such as named pipes; folders that cannot be opened; and
// symbolic links to folders outside dir, which are not followed. All else, such as
// text, is ignored, and so are names that begin with a dot.
func List(dir string, recursive bool) (*Folder, error) {
	l := &lister{recursive: recursive, readDir: os.ReadDir, folder: &Folder{}}
	if root, err := filepath.EvalSymlinks(dir); err == nil {
		l.root, _ = filepath.Abs(root)
	}
	entries, err := l.readDir(dir)
	if err != nil {
		return nil, named(dir, err)
	}
	l.walk(dir, entries)
	return l.folder, nil
}

// A lister is one call of List.
type lister struct {
	root      string // without links; empty if that is not known
	recursive bool
	readDir   func(string) ([]fs.DirEntry, error) // another one in tests
	folder    *Folder
}

func (l *lister) leave(path string, k Kind, err error) {
	l.folder.Unreadable = append(l.folder.Unreadable, Unreadable{path, k, err})
}

func (l *lister) walk(dir string, entries []fs.DirEntry) {
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir() && !l.recursive:
			l.folder.Inside++
		case e.IsDir():
			inside, err := l.readDir(path)
			if err != nil {
				l.leave(path, Kind{}, fmt.Errorf("%w: what is in this folder was not read", named(path, err)))
				continue
			}
			l.walk(path, inside)
		default:
			l.file(path, e)
		}
	}
}

func (l *lister) file(path string, e fs.DirEntry) {
	called := slices.Contains(Extensions(), ending(path))
	other, isOther := endings[ending(path)]
	mode := e.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		switch {
		case err != nil && called:
			l.folder.Pictures = append(l.folder.Pictures, path) // reading will say why not
			return
		case err != nil:
			return
		case info.IsDir():
			l.linked(path)
			return
		}
		mode = info.Mode()
	}
	switch {
	case !mode.IsRegular() && (called || isOther):
		k := special(mode)
		l.leave(path, k, fmt.Errorf("%s: %w", path, &KindError{k}))
		return
	case !mode.IsRegular():
		return
	case called:
		l.folder.Pictures = append(l.folder.Pictures, path)
		return
	}

	err := identify(path)
	var kind *KindError
	switch {
	case err == nil: // another name, but a picture
		l.folder.Pictures = append(l.folder.Pictures, path)
	case errors.As(err, &kind) && (isOther || kind.Kind.class != noPicture):
		l.leave(path, kind.Kind, err)
	case isOther && errors.Is(err, ErrFormat): // nothing is known but the name
		l.leave(path, other, fmt.Errorf("%s: %w", path, &KindError{other}))
	case isOther:
		l.leave(path, other, err)
	}
}

// identify reads so much of a file that it can say whether it is a picture.
func identify(path string) error {
	f, size, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := io.NewSectionReader(f, 0, size)
	format, err := sniff(r)
	if err == nil && (format == BMP || format == PNM) { // text might begin so
		if _, err = codecs[format].header(r); err != nil {
			err = ErrFormat
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// linked is for links to folders. One that leads to a folder in dir loses
// nothing.
func (l *lister) linked(path string) {
	if !l.recursive {
		l.folder.Inside++
		return
	}
	to, err := filepath.EvalSymlinks(path)
	if err == nil {
		to, err = filepath.Abs(to)
	}
	if err == nil && l.root != "" {
		if in, err := filepath.Rel(l.root, to); err == nil && in != ".." && !strings.HasPrefix(in, ".."+string(filepath.Separator)) {
			return
		}
	}
	k := Kind{"link to a folder", noFile, ""}
	l.leave(path, k, fmt.Errorf("%s: %w", path, &KindError{k}))
}

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

	// Left are files and folders that show something, as far as their names
	// or contents tell, and that cannot be read.
	Left []Left

	// Inside is how many folders were not looked into since that was not
	// asked for.
	Inside int
}

// A Left is something in a folder that cannot be read.
type Left struct {
	Path string
	Kind Kind  // empty if it is not known
	Err  error // names the path, and says why
}

// List finds the pictures of a folder, in the order of names; recursive asks
// for those of the folders in it, too. The error is about dir itself: what
// cannot be read within is Left, and does not keep its neighbours from being
// found.
//
// A file is a picture if its name ends like one ([Extensions]) or if its first
// bytes say so. What is called like a picture, or is one, of a kind that is not
// read here is Left, as are videos, files called like pictures that are no
// regular files, such as named pipes, folders that cannot be opened, and links
// that lead out of dir to folders, which are not followed. Anything else, such
// as text and databases, is no picture and not mentioned. Names that begin with
// a dot are hidden from List, too.
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
	l.folder.Left = append(l.folder.Left, Left{path, k, err})
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
	case errors.As(err, &kind) && (isOther || kind.Kind.Class != NoPicture):
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
	k := Kind{"link to a folder", NoFile, ""}
	l.leave(path, k, fmt.Errorf("%s: %w", path, &KindError{k}))
}

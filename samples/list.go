package samples

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/picture"
)

// endings are the extensions of pictures, in lower case.
var endings = picture.Extensions

// ListPictures returns the pictures that a path stands for: all of a folder
// and its folders, sorted by name (hidden files and folders, whose names begin
// with a dot, left out); those that a list such as OpenCV's bg.txt names, one a
// line, # before a comment, in the order of the list, relative to the list and
// to the working directory where that fails; or the one picture that it is. If
// some of a list do not exist, the error is a [*MissingError], and those that do
// are returned beside it. A folder or a list without any picture is an error.
func ListPictures(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, named(path, err)
	}
	isPicture := func(ext string) bool { return slices.Contains(endings(), ext) }
	if info.IsDir() {
		all, err := walk(path, isPicture)
		if err == nil && len(all) == 0 {
			err = at(path, 0, "no pictures in this folder or its folders; looked for %s", strings.Join(endings(), " "))
		}
		return all, err
	}
	if isPicture(strings.ToLower(filepath.Ext(path))) {
		return []string{path}, nil
	}
	if _, _, err := size(path); err == nil {
		return []string{path}, nil
	}

	in, err := os.Open(path)
	if err != nil {
		return nil, named(path, err)
	}
	defer in.Close()
	find := newFinder(path)
	var all []string
	err = lines(in, path, maxTextBytes, func(_ int, text string) error {
		if find.err.Of >= maxPhotos {
			return ErrLimit
		}
		if file, ok := find.find(text); ok {
			all = append(all, file)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case find.err.Of == 0:
		return nil, at(path, 0, "a list of pictures that names none")
	}
	return all, find.missing()
}

// walk returns the files in a folder and in its folders whose extensions, in
// lower case, are wanted, sorted. Names that begin with a dot are hidden.
func walk(dir string, want func(ext string) bool) ([]string, error) {
	var all []string
	// With a separator at its end a link to a folder is followed too.
	root := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return named(path, err)
		case path == root:
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir() && want(strings.ToLower(filepath.Ext(path))):
			if len(all) == maxPhotos {
				return at(dir, 0, "more than %d files: %w", maxPhotos, ErrLimit)
			}
			all = append(all, filepath.Clean(path))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(filepath.ToSlash(a), filepath.ToSlash(b)) })
	return all, nil
}

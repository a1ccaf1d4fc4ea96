package samples

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/picture"
)

// endings are the extensions of images, in lower case.
var endings = picture.Extensions

// ListPictures returns the pictures of a path. For a folder, these are all
// pictures in it and its subfolders, by name or content, sorted by name,
// without hidden files and folders; pictures of unsupported kinds are included,
// so that they are reported ([picture.List] has more). For a list such as
// OpenCV's bg.txt, they are those that it names, one per line, # before a
// comment, in the order of the list, relative to the list or else to the
// working directory. A path may also be one picture, or a pattern of names such as
// x*.jpg, each of which may be any of these. If some of a list do not
// exist, the error is a [*MissingError], and the others are returned too. A
// folder or a list without pictures is an error.
func ListPictures(path string) ([]string, error) {
	found, err := matches(path)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return listPath(path)
	}
	var all []string
	var missing []error
	for _, path := range found {
		more, err := listPath(path)
		if _, ok := errors.AsType[*MissingError](err); ok {
			missing = append(missing, err)
		} else if err != nil {
			return nil, err
		}
		if all = append(all, more...); len(all) > maxPhotos {
			return nil, at(path, 0, "more than %d files: %w", maxPhotos, ErrLimit)
		}
	}
	return all, errors.Join(missing...)
}

// listPath is ListPictures of a path that is no pattern.
func listPath(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, named(path, err)
	}
	if info.IsDir() {
		return listFolder(path)
	}
	if slices.Contains(endings(), strings.ToLower(filepath.Ext(path))) {
		return []string{path}, nil
	}
	if _, _, err := size(path); err == nil {
		return []string{path}, nil
	}

	in, err := OpenFile(path)
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

// walk returns the files below a folder whose extensions, in lower case, are
// wanted, sorted. Names that begin with a dot are hidden.
func walk(dir string, want func(ext string) bool) ([]string, error) {
	var all []string
	// With a separator at its end a link to a folder is followed.
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

// listFolder is ListPictures of a folder. A subfolder that cannot be opened is
// an error: a training must not silently miss data.
func listFolder(path string) ([]string, error) {
	folder, err := picture.List(path, true)
	if err != nil {
		return nil, err
	}
	all := folder.Pictures
	for _, l := range folder.Unreadable {
		switch {
		case l.Kind.Name == "":
			return nil, l.Err
		case !l.Kind.Video():
			all = append(all, l.Path)
		}
	}
	switch {
	case len(all) == 0:
		return nil, at(path, 0, "no pictures in this folder or its folders; looked for %s", strings.Join(endings(), " "))
	case len(all) > maxPhotos:
		return nil, at(path, 0, "more than %d files: %w", maxPhotos, ErrLimit)
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(filepath.ToSlash(a), filepath.ToSlash(b)) })
	return all, nil
}

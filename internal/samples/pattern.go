package samples

import (
	"os"
	"path/filepath"
	"strings"
)

// matches returns the files of a pattern such as x*.jpg, sorted; nil if the path
// is none. A file whose own name has such signs is no pattern.
func matches(path string) ([]string, error) {
	if !strings.ContainsAny(path, "*?[") {
		return nil, nil
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, nil
	}
	found, err := filepath.Glob(path)
	switch {
	case err != nil:
		return nil, at(path, 0, "%w of file names: want * for any letters, ? for one, [a-z] for one of these", err)
	case len(found) == 0:
		return nil, at(path, 0, "no file has a name of this pattern")
	}
	return found, nil
}

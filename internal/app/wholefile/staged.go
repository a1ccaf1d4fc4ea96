package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A Staged file is written under another name in the same folder, and gets its
// own when it is complete. It is for writers that want a name and not an
// io.Writer; see Write for the others.
type Staged struct {
	path, Part string
	overwrite  bool
}

func Stage(path string, overwrite bool) (*Staged, error) {
	dir, base := filepath.Split(path)
	ext := filepath.Ext(base)
	s := &Staged{path: path, overwrite: overwrite}
	// The extension stays, since it is what writers go by.
	s.Part = filepath.Join(dir, fmt.Sprintf(".%s.%08x.part%s", strings.TrimSuffix(base, ext), rand.Uint32(), ext))
	if _, err := os.Lstat(path); err == nil && !overwrite {
		return nil, fmt.Errorf("%s: not written: it exists (-overwrite replaces it)", path)
	}
	f, err := os.OpenFile(s.Part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return s, f.Close()
}

// DropStale removes what runs that were killed have left of a file.
func DropStale(path string) error {
	dir, base := filepath.Split(path)
	ext := filepath.Ext(base)
	hex := strings.Repeat("[0-9a-f]", 8)
	plain := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
	parts, err := filepath.Glob(plain.Replace(filepath.Join(dir, "."+strings.TrimSuffix(base, ext))) + "." + hex + ".part" + plain.Replace(ext))
	for _, part := range parts {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// Keep gives the file its name.
func (s *Staged) Keep() error {
	var err error
	if s.overwrite {
		err = os.Rename(s.Part, s.path)
	} else if err = os.Link(s.Part, s.path); err == nil { // which replaces nothing
		err = os.Remove(s.Part)
	} else if !errors.Is(err, fs.ErrExist) { // a disk that has no links
		err = os.Rename(s.Part, s.path)
	}
	if err != nil {
		return fmt.Errorf("%w; what was written is in %s", err, s.Part)
	}
	return nil
}

// Drop removes the file.
func (s *Staged) Drop() error { return os.Remove(s.Part) }

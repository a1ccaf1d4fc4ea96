// Package wholefile writes files that are there in full or not at all.
package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
)

// Write makes a file that is there in full or not at all.
func Write(path string, overwrite bool, content func(io.Writer) error) (err error) {
	if !overwrite {
		// Take the name first: nobody else can have it then.
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s: not written: it exists (-overwrite replaces it)", path)
		} else if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	part := fmt.Sprintf("%s.%08x.part", path, rand.Uint32())
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err == nil {
		err = errors.Join(content(f), f.Close())
		if err == nil {
			err = os.Rename(part, path)
		}
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}
	if err != nil && !overwrite {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

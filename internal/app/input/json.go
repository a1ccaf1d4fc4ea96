package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxReport bounds a file of results.
const maxReport = 64 << 20

// ReadJSON reads one value from a file, and nothing after it.
func ReadJSON(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, maxReport))
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: want the end of the file after the report", filepath.ToSlash(path))
	}
	return nil
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"haarlem/cascade"
)

// writeStock writes the cascades that models/stock/names.txt names, in OpenCV's format,
// into a folder: each once, and its names of OpenCV's as links to it.
func writeStock(folder string) error {
	const stock = "models/stock"
	names, err := os.ReadFile(filepath.Join(stock, "names.txt"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for line := range strings.Lines(string(names)) {
		name, path, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			return fmt.Errorf("%s/names.txt: %q, want a name of OpenCV's and the file of a cascade", stock, line)
		}
		c, err := cascade.Open(filepath.Join(stock, path))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := c.EncodeOpenCV(&out); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		own := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + ".xml"
		if err := os.WriteFile(filepath.Join(folder, own), out.Bytes(), 0o666); err != nil {
			return err
		}
		link := filepath.Join(folder, name)
		if err := os.Remove(link); err != nil && !os.IsNotExist(err) {
			return err
		}
		if err := os.Symlink(own, link); err != nil { // on Windows, where not everyone may
			if err := os.WriteFile(link, out.Bytes(), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

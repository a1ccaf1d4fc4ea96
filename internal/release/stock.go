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
func writeStock(folder string) (err error) {
	defer caught(&err)
	const stock = "models/stock"
	names := get(os.ReadFile(filepath.Join(stock, "names.txt")))
	check(os.MkdirAll(folder, 0o777))
	for line := range strings.Lines(string(names)) {
		name, path, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			return fmt.Errorf("%s/names.txt: %q, want a name of OpenCV's and the file of a cascade", stock, line)
		}
		var out bytes.Buffer
		if err := get(cascade.Open(filepath.Join(stock, path))).EncodeOpenCV(&out); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		own := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + ".xml"
		check(os.WriteFile(filepath.Join(folder, own), out.Bytes(), 0o666))
		link := filepath.Join(folder, name)
		if err := os.Remove(link); err != nil && !os.IsNotExist(err) {
			return err
		}
		if err := os.Symlink(own, link); err != nil { // on Windows, where not everyone may
			check(os.WriteFile(link, out.Bytes(), 0o666))
		}
	}
	return nil
}

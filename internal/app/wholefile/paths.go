package wholefile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// IsSame reports whether two paths lead to one file.
func IsSame(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// In returns the paths of what is in a folder and ends in ending, in the order of names.
func In(folder, ending string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) {
			all = append(all, filepath.Join(folder, e.Name()))
		}
	}
	return all, nil
}

// Check refuses what is no file but waits for somebody who writes, such as a named pipe.
// What was opened before, as shells do with <(command), is read.
func Check(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() && !strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/proc/") {
		return fmt.Errorf("%s: it is a named pipe or a device, want a file", path)
	}
	return nil
}

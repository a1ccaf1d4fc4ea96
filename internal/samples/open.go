package samples

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errNoFile is wrapped by errors about what is neither a regular file nor open
// already.
var errNoFile = errors.New("want a file")

// OpenFile opens a file for reading. It refuses a named pipe, a socket or a device,
// which would be waited for without end, unless this process was given it open, as
// /dev/stdin or /dev/fd/3.
func OpenFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	clean := filepath.ToSlash(filepath.Clean(path))
	given := clean == "/dev/stdin" || clean == os.DevNull || strings.HasPrefix(clean, "/dev/fd/") || strings.HasPrefix(clean, "/proc/self/fd/")
	if mode := info.Mode(); !mode.IsRegular() && !mode.IsDir() && !given {
		what := "a special file"
		switch {
		case mode&fs.ModeNamedPipe != 0:
			what = "a named pipe"
		case mode&fs.ModeSocket != 0:
			what = "a socket"
		case mode&fs.ModeDevice != 0:
			what = "a device"
		}
		return nil, fmt.Errorf("%s, %w", what, errNoFile)
	}
	return os.Open(path)
}

package picture

import (
	"fmt"
	"io"
)

// Size returns the width and height of the picture in a file, upright as
// [Open] would give it, from its header alone: no memory is taken for pixels,
// and o's limits are checked. That the pixels can be decoded is not said.
func Size(path string, o *Options) (width, height int, err error) {
	f, bytes, err := open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	if bytes < 0 {
		// What is read of a pipe is gone: nobody could read the pixels then.
		return 0, 0, fmt.Errorf("%s: %w: only a regular file can be asked for its size", path, ErrFormat)
	}
	r := io.NewSectionReader(f, 0, bytes)
	h, err := readHeader(r, o)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", path, err)
	}
	if h.codec.orientation(r) >= 5 { // lies on its side
		return h.height, h.width, nil
	}
	return h.width, h.height, nil
}

package cascade

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// Open reads a model file, native or OpenCV's XML, with default limits.
func Open(path string) (*Cascade, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cascade: %w", err)
	}
	defer f.Close()
	c, err := Read(f, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Read reads a model in the native format or in OpenCV's XML, of the new form or the
// old, which it recognises by content. A nil lim means defaults. Errors wrap
// [ErrFormat], [ErrLimit] or [ErrVersion], or are r's own.
//
// OpenCV's cascades get what OpenCV has in its code: the contrast gate, and thresholds
// that are 0.00001 lower than the file's. Some old files have a tree of stages, which
// is a chain for OpenCV, and here.
//
// The result has passed [Cascade.Check].
func Read(r io.Reader, lim *Limits) (*Cascade, error) {
	limits, err := lim.withDefaults()
	if err != nil {
		return nil, err
	}
	data, err := readAll(r, limits.Bytes)
	if err != nil {
		return nil, err
	}
	c, err := decode(data, limits)
	if err == nil {
		if w := c.Work(); w > limits.Work {
			return nil, fmt.Errorf("%w: weak classifiers that read %d rectangles, or pieces of large ones, want at most %d", ErrLimit, w, limits.Work)
		}
		return c, nil
	}
	for _, sentinel := range []error{ErrLimit, ErrVersion} {
		if errors.Is(err, sentinel) {
			return nil, fmt.Errorf("%w: %w", sentinel, err)
		}
	}
	return nil, fmt.Errorf("%w: %w", ErrFormat, err)
}

func decode(data []byte, lim Limits) (*Cascade, error) {
	if bytes.HasPrefix(data, []byte(nativeMagic)) {
		return readNative(data, lim)
	}
	if start := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n"); bytes.HasPrefix(start, []byte("<")) {
		return readOpenCV(data, lim)
	}
	for _, other := range []struct{ magic, what string }{
		{"\x1f\x8b", "gzip: unpack it first"},
		{"%YAML", "YAML: have OpenCV write XML instead"},
		{"{", "JSON: have OpenCV write XML instead"},
		{"\x03\x00\x00\x00", "a cascade of pico or pigo: detect runs it on pictures, videos and cameras, and train-cascade eval measures it; nothing else does"},
		{"\xff\xfe", "UTF-16: convert it to UTF-8"},
		{"\xfe\xff", "UTF-16: convert it to UTF-8"},
		{"\xef\xbb\xbf" + nativeMagic, "a model file of ours behind a byte order mark: remove the mark"},
	} {
		if bytes.HasPrefix(data, []byte(other.magic)) {
			return nil, fmt.Errorf("this is %s", other.what)
		}
	}
	return nil, fmt.Errorf("it begins with %s, want %q or <?xml", clip(data[:min(len(data), 41)]), nativeMagic)
}

// readAll reads at most limit bytes and reports an error if there are more.
func readAll(r io.Reader, limit int) ([]byte, error) {
	var b bytes.Buffer
	if f, ok := r.(interface{ Stat() (os.FileInfo, error) }); ok {
		// One allocation, if the file's size is right.
		if info, err := f.Stat(); err == nil && info.Size() < int64(limit) {
			b.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	if _, err := b.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return nil, fmt.Errorf("cascade: reading a model: %w", err)
	}
	if b.Len() > limit {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrLimit, limit)
	}
	return b.Bytes(), nil
}

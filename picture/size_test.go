package picture

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

// Size says what Open would give, in every orientation, from the header alone.
func TestSize(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		must.Do(os.WriteFile(path, data, 0o644))
		return path
	}
	for turn := 1; turn <= 8; turn++ {
		path := write("turned.jpg", jpegWithExif(encodeJPEG(stored(picked(16, 8), turn)), exifBlock(binary.BigEndian, turn)))
		if w, h, err := Size(path, nil); w != 16 || h != 8 || err != nil {
			t.Errorf("orientation %d: %dx%d, %v; want 16x8", turn, w, h, err)
		}
	}
	whole := encodePNG(picked(30, 20))
	if w, h, err := Size(write("cut.png", whole[:60]), nil); w != 30 || h != 20 || err != nil {
		t.Errorf("without its pixels: %dx%d, %v", w, h, err)
	}
	for name, test := range map[string]struct {
		data []byte
		o    *Options
		is   error
	}{
		"short.png": {whole[:20], nil, ErrDamaged},
		"large.png": {whole, &Options{MaxPixels: 599}, ErrTooLarge},
		"text.png":  {[]byte("hello"), nil, ErrFormat},
		"empty.png": {nil, nil, ErrFormat},
	} {
		path := write(name, test.data)
		_, _, err := Size(path, test.o)
		_, openErr := Open(path, test.o)
		if !errors.Is(err, test.is) || openErr == nil || err.Error() != openErr.Error() {
			t.Errorf("%s: %v; Open says %v", name, err, openErr)
		}
	}
	if _, _, err := Size(dir, nil); !errors.Is(err, ErrFormat) {
		t.Errorf("folder: %v", err)
	}
	if _, _, err := Size(filepath.Join(dir, "absent"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

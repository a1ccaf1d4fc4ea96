package detector_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

// A search without settings has the cascade's own stride, which is kept in
// files.
func TestStrideOfCascade(t *testing.T) {
	c := must.Get(cascade.Open("testdata/parity/upright-stumps.xml"))
	g := picture{"faces", 640, 480, 5}.draw()
	find := func(c *cascade.Cascade, stride int) []detector.Detection {
		o := &detector.Options{Ungrouped: true}
		if stride > 0 {
			o.Search = strideOf(c, stride)
		}
		d := must.Get(detector.New(o, c))
		return must.Get(d.Detect(context.Background(), g))
	}
	plain, coarse := find(c, 0), find(c, 3)
	c.Search.Stride = 3
	if got := find(c, 0); len(coarse) == 0 || len(coarse) == len(plain) || !slices.EqualFunc(got, coarse, detector.Detection.Equal) {
		t.Errorf("%d windows pass with a cascade of stride 3, %d with that option, %d with neither", len(got), len(coarse), len(plain))
	}
	if got, want := find(c, 1), find(c, 1); !slices.EqualFunc(got, want, detector.Detection.Equal) || len(got) <= len(coarse) {
		t.Errorf("%d windows pass with the option 1, %d with 3: want the option before the cascade", len(got), len(coarse))
	}

	var file bytes.Buffer
	must.Do(c.Encode(&file))
	again, err := cascade.Read(bytes.NewReader(file.Bytes()), nil)
	if err != nil || again.Search.Stride != 3 {
		t.Fatalf("read again: %+v, %v", again, err)
	}
	for _, wrong := range []string{"stride 0", "stride -1", "stride 99", "stride 2.0", "stride", "stride 2 2"} {
		text := strings.Replace(file.String(), "stride 3", wrong, 1)
		if _, err := cascade.Read(strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v, want an error that names the line", wrong, err)
		}
	}
	if err := c.EncodeOpenCV(&file); !errors.Is(err, cascade.ErrOpenCV) {
		t.Errorf("OpenCV's format: %v, which has no such thing", err)
	}
	c.Search.Stride = c.Width + 1
	if _, err := detector.New(nil, c); err == nil || !strings.Contains(err.Error(), "stride") {
		t.Errorf("a stride larger than the window: %v", err)
	}
}

// strideOf returns c's settings with another stride.
func strideOf(c *cascade.Cascade, stride int) *cascade.Search {
	return with(c, func(s *cascade.Search) { s.Stride = stride })
}

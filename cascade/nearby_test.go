package cascade_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
)

// Windows nearby are those of a search of all windows that stand beside one of
// the grid that came far. The picture is too large for one band, and several
// workers share it in other ways than one does.
func TestNearby(t *testing.T) {
	const exits = 150
	c, err := cascade.Open("../models/frontalface/frontalface.cascade")
	if err != nil {
		t.Fatal(err)
	}
	c.Stride, c.Nearby, c.Verifier = 2, 0, nil
	g := greyCopy(groupPicture(t))
	if testing.Short() {
		g = g.SubImage(image.Rect(100, 50, 420, 300)).(*image.Gray)
	}
	windows := func(c *cascade.Cascade, o cascade.Options) []cascade.Window {
		ws, err := newDetectorOf(t, c, &o).AppendWindows(context.Background(), nil, g)
		if err != nil {
			t.Fatal(err)
		}
		return ws
	}

	began := *c // the cascade up to the exit that counts
	began.Exits = c.Exits[:exits]
	began.Weak = c.Weak[:began.Exits[exits-1].After]
	type place struct{ size, at image.Point }
	visited := map[place]bool{}
	for _, w := range windows(&began, cascade.Options{}) {
		for dx := -1; dx <= 1; dx++ {
			visited[place{w.Size, w.At.Add(image.Pt(dx, 0))}] = true
		}
	}
	var want []cascade.Window
	for _, w := range windows(c, cascade.Options{Stride: 1}) {
		if visited[place{w.Size, w.At}] {
			want = append(want, w)
		}
	}
	plain := windows(c, cascade.Options{})
	if len(want) < 2*len(plain) || len(plain) == 0 {
		t.Fatalf("%d windows on the grid pass, %d with those nearby: that proves little", len(plain), len(want))
	}
	for _, workers := range []int{1, 2, 7} {
		if got := windows(c, cascade.Options{Nearby: exits, Workers: workers}); !slices.Equal(got, want) {
			t.Errorf("%d workers find %d windows, want %d", workers, len(got), len(want))
		}
	}

	// On other grids there is nothing to look at nearby.
	for _, stride := range []int{1, 3} {
		if got, want := windows(c, cascade.Options{Nearby: exits, Stride: stride}), windows(c, cascade.Options{Stride: stride}); !slices.Equal(got, want) {
			t.Errorf("stride %d: %d windows with those nearby, %d without", stride, len(got), len(want))
		}
	}

	// The cascade's own holds where the options are silent.
	c.Nearby = exits
	if got := windows(c, cascade.Options{}); !slices.Equal(got, want) {
		t.Errorf("a cascade with nearby finds %d windows, want %d", len(got), len(want))
	}
	if got := windows(c, cascade.Options{Nearby: -1}); !slices.Equal(got, plain) {
		t.Errorf("with -1 %d windows pass, want the %d on the grid", len(got), len(plain))
	}
}

func TestNearbyInFiles(t *testing.T) {
	c, err := cascade.Open("testdata/parity/upright-stumps.xml")
	if err != nil {
		t.Fatal(err)
	}
	c.Nearby = 2
	var file bytes.Buffer
	if err := c.Encode(&file); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(file.String(), "haarlem-cascade 2\n") {
		t.Errorf("a file of version 1 has what only version 2 knows")
	}
	again, err := cascade.Read(bytes.NewReader(file.Bytes()), nil)
	if err != nil || again.Nearby != 2 {
		t.Fatalf("read again: %+v, %v", again, err)
	}
	for _, wrong := range []string{"nearby 0", "nearby -1", "nearby 2.0", "nearby", "nearby 2 2"} {
		text := strings.Replace(file.String(), "nearby 2", wrong, 1)
		if _, err := cascade.Read(strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v, want an error that names the line", wrong, err)
		}
	}
	old := strings.Replace(file.String(), "haarlem-cascade 2", "haarlem-cascade 1", 1)
	if _, err := cascade.Read(strings.NewReader(old), nil); err == nil {
		t.Error("version 1 with nearby was read")
	}
	if err := c.EncodeOpenCV(&file); !errors.Is(err, cascade.ErrOpenCV) {
		t.Errorf("OpenCV's format: %v, which has no such thing", err)
	}
	c.Nearby = len(c.Exits) + 1
	if _, err := cascade.NewDetector(c, nil); !errors.Is(err, cascade.ErrModel) {
		t.Errorf("more exits than there are: %v", err)
	}
	c.Nearby = 0
	for _, n := range []int{-2, len(c.Exits) + 1} {
		if _, err := cascade.NewDetector(c, &cascade.Options{Nearby: n}); !errors.Is(err, cascade.ErrOptions) {
			t.Errorf("option %d: %v", n, err)
		}
	}
}

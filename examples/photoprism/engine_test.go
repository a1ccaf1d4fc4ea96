package face

import (
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	xdraw "golang.org/x/image/draw"

	"haarlem/internal/must"
	"haarlem/picture"
)

// All faces of the drawn group are found, however the picture is turned, and each where a
// face of the upright one is; and each face alone, enlarged until it fills a picture.
func TestEngine(t *testing.T) {
	engine := must.Get(NewHaarlemEngine())
	p := must.Get(picture.Open("../../samples/group.png", nil))
	group, folder := p.Image, t.TempDir()
	detect := func(name string, img image.Image, minSize int) Faces {
		file := filepath.Join(folder, name+".png")
		f := must.Get(os.Create(file))
		defer f.Close()
		must.Do(png.Encode(f, img))
		return must.Get(engine.Detect(file, minSize))
	}
	upright := detect("upright", group, 0)
	if len(upright) != 11 {
		t.Fatalf("%d faces, want 11", len(upright))
	}
	for quarters, name := range []string{"upright", "right", "upside down", "left"} {
		turned := group
		for range quarters {
			turned = quarter(turned)
		}
		all := detect(name, turned, 0)
		if size := turned.Bounds().Size(); len(all) != 11 || all[0].Rows != size.Y || all[0].Cols != size.X {
			t.Errorf("%s: %d faces, want 11 in %v: %+v", name, len(all), size, all[0])
		}
		for _, f := range upright {
			x, y := f.Area.Col, f.Area.Row
			rows, cols := f.Rows, f.Cols
			for range quarters {
				x, y, rows, cols = rows-1-y, x, cols, rows
			}
			n := 0
			for _, g := range all {
				if near(g.Area, x, y, f.Area.Scale/4) {
					n++
					// The points turn with the face: from the eyes to the mouth is down.
					dx, dy := g.Landmarks[1].Col-g.Eyes[0].Col, g.Landmarks[1].Row-g.Eyes[0].Row
					for range 4 - quarters {
						dx, dy = -dy, dx
					}
					if len(g.Eyes) != 2 || len(g.Landmarks) != 3 || dy < max(dx, -dx) || g.Score < 50 || g.Score > 100 {
						t.Errorf("%s: %+v", name, g)
					}
				}
			}
			if n != 1 {
				t.Errorf("%s: %d faces at %d,%d, want one", name, n, x, y)
			}
		}
	}
	for _, f := range upright {
		half := f.Area.Scale / 2
		box := image.Rect(f.Area.Col-half, f.Area.Row-half, f.Area.Col+half, f.Area.Row+half).Intersect(group.Bounds())
		alone := image.NewRGBA(image.Rect(0, 0, 200, 200))
		xdraw.CatmullRom.Scale(alone, alone.Rect, group, box, draw.Src, nil)
		if faces := detect("alone", alone, 100); len(faces) != 1 || !near(faces[0].Area, 100, 100, 30) {
			t.Errorf("a face that fills the picture, of %v: %+v", box, faces)
		}
		if faces := detect("alone", quarter(alone), 100); len(faces) != 1 {
			t.Errorf("a face that fills the picture, turned, of %v: %+v", box, faces)
		}
	}
	if faces := detect("upright", group, 90); len(faces) == 0 || len(faces) >= 11 {
		t.Errorf("%d faces of at least 90 pixels", len(faces))
	}
	if _, err := engine.Detect("nowhere.png", 0); err == nil {
		t.Error("a file that is not there was searched")
	}
	if err := engine.Close(); err != nil || engine.Name() != "haarlem" {
		t.Errorf("%v, %v", engine.Name(), err)
	}
	if _, err := engine.Detect("../../samples/group.png", 0); err == nil {
		t.Error("a closed engine searches")
	}
}

func near(a Area, x, y, tolerance int) bool {
	return max(a.Col-x, x-a.Col) <= tolerance && max(a.Row-y, y-a.Row) <= tolerance
}

// quarter returns a picture turned clockwise by 90 degrees.
func quarter(img image.Image) image.Image {
	b := img.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dy(), b.Dx()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.Set(b.Dy()-1-y, x, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return out
}

package picture

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// tree makes files in a new folder, and goes there.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, data := range files {
		must.Do(os.MkdirAll(filepath.Dir(name), 0o755))
		must.Do(os.WriteFile(name, []byte(data), 0o644))
	}
}

// said are the paths and kinds of what is left.
func said(f *Folder) []string {
	all := []string{}
	for _, l := range f.Unreadable {
		if l.Err == nil || !strings.HasPrefix(l.Err.Error(), l.Path+": ") {
			all = append(all, "an error that does not name "+l.Path)
		}
		all = append(all, filepath.ToSlash(l.Path)+" "+l.Kind.Name)
	}
	return all
}

func TestList(t *testing.T) {
	png := string(encodePNG(picked(9, 5)))
	tree(t, map[string]string{
		"b.jpg": "any", "A.PGM": "P5 1 1 255\nx", ".hidden.jpg": "any", "._b.jpg": "\x00\x05\x16\x07",
		"IMG_1.HEIC": box("heic"), "heic.jpg": box("heic"), "photo.heic": png, "other.heic": "\x01\x02\xff", "pic.avif": box("avif"),
		"empty.cr2": "", "drawing.svg": "<svg>", "trip.mov": box("qt  "), "noname": png, "subject01.glasses": "GIF89a", "raw": "8BPS\x00\x01",
		"README": "P2 is the second point.", "notes.txt": "BM", "boxes.csv": "a,b\n", "b.jpg.json": "{}", "Thumbs.db": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"paper.pdf": "%PDF-1.4", "all.zip": "PK\x03\x04", "blob": "\x01\x02\xff\xfe", "numbers": "P2 3 x",
		"sub/c.png": "any", "sub/d.jxl": "\xff\x0a", "sub/deep/e.gif": "any", ".git/f.png": "any", "sub.jpg/g.png": "any",
	})
	for _, dir := range []string{".", "./"} {
		f := must.Get(List(dir, false))
		if want := []string{"A.PGM", "b.jpg", "heic.jpg", "noname", "photo.heic", "subject01.glasses"}; !slices.Equal(f.Pictures, want) {
			t.Errorf("%q, want %q", f.Pictures, want)
		}
		want := []string{"IMG_1.HEIC HEIC picture", "drawing.svg SVG drawing", "empty.cr2 empty file", "other.heic HEIC picture", "pic.avif AVIF picture", "raw Photoshop picture", "trip.mov video"}
		if got := said(f); !slices.Equal(got, want) {
			t.Errorf("left are %q, want %q", got, want)
		}
		if f.Inside != 2 {
			t.Errorf("%d folders inside, want 2", f.Inside)
		}
	}
	f, err := List("sub", true)
	if err != nil || f.Inside != 0 {
		t.Fatal(err, f)
	}
	if want := []string{filepath.Join("sub", "c.png"), filepath.Join("sub", "deep", "e.gif")}; !slices.Equal(f.Pictures, want) {
		t.Errorf("%q, want %q", f.Pictures, want)
	}
	if got := said(f); !slices.Equal(got, []string{"sub/d.jxl JPEG XL picture"}) {
		t.Errorf("left are %q", got)
	}
	if _, err := List("absent", true); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "absent: ") {
		t.Error(err)
	}
}

func TestListLinks(t *testing.T) {
	tree(t, map[string]string{"in/a.png": "any", "in/sub/b.png": "any", "out/c.png": "any", "file.png": "any"})
	for name, to := range map[string]string{"in/away": "../out", "in/back": "sub", "in/up": "..", "in/gone.png": "nowhere", "in/gone": "nowhere", "in/d.png": "../file.png", "in/e.png": "../out"} {
		if err := os.Symlink(to, filepath.FromSlash(name)); err != nil {
			t.Skip(err) // a right that Windows may not give
		}
	}
	f, err := List("in", true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range f.Pictures {
		got = append(got, filepath.ToSlash(p))
	}
	if want := []string{"in/a.png", "in/d.png", "in/gone.png", "in/sub/b.png"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := said(f), []string{"in/away link to a folder", "in/e.png link to a folder", "in/up link to a folder"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
	if f, err = List("in", false); err != nil || f.Inside != 5 || len(f.Unreadable) != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

// A folder that cannot be opened does not hide its neighbours.
func TestListForbidden(t *testing.T) {
	tree(t, map[string]string{"a/x.png": "any", "b/x.png": "any", "c/x.png": "any"})
	forbidden := func(dir string) ([]fs.DirEntry, error) {
		if filepath.Base(dir) == "b" {
			return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission}
		}
		return os.ReadDir(dir)
	}
	l := &lister{recursive: true, readDir: forbidden, folder: &Folder{}}
	entries := must.Get(os.ReadDir("."))
	l.walk(".", entries)
	if want := []string{filepath.Join("a", "x.png"), filepath.Join("c", "x.png")}; !slices.Equal(l.folder.Pictures, want) {
		t.Errorf("%q, want %q", l.folder.Pictures, want)
	}
	if len(l.folder.Unreadable) != 1 || !errors.Is(l.folder.Unreadable[0].Err, fs.ErrPermission) || l.folder.Unreadable[0].Path != "b" || !reflect.DeepEqual(l.folder.Unreadable[0].Kind, Kind{}) {
		t.Errorf("%+v", l.folder.Unreadable)
	}
}

package samples

import (
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WriteYOLO writes a folder with "images", "labels", "classes.txt" and the "data.yaml"
// of Ultralytics' programs. The pictures are hard links where the file system has
// them, and copies elsewhere. Boxes ([Object.Extent]) end at the picture's edge. YOLO
// has neither landmarks nor ignored objects: it returns how many of the latter are left
// out. If the folder is there, it must hold only what this function writes, and is
// replaced.
func WriteYOLO(dir string, photos []Photo) (ignored int, err error) {
	names, err := stems(photos)
	if err != nil {
		return 0, err
	}
	classes := classesOf(photos)
	for _, c := range classes {
		if c[0] == '#' || strings.ContainsAny(c, "\r\n\x00") {
			return 0, at(dir, 0, "the class %q, want one that does not begin with # and is one line: YOLO's classes.txt has a name a line", clip(c))
		}
	}
	ours := func(path string) bool {
		folder, name, inside := strings.Cut(path, "/")
		switch {
		case !inside:
			return path == "classes.txt" || path == "data.yaml"
		case folder == "images":
			return slices.Contains(endings(), strings.ToLower(filepath.Ext(name)))
		}
		return folder == "labels" && strings.HasSuffix(name, ".txt")
	}
	err = newFolder(dir, ours, func(fresh string) error {
		for i := range photos {
			p := &photos[i]
			w, h, err := size(p.File)
			if err != nil {
				return err
			}
			left, err := writeYOLOLabels(filepath.Join(fresh, "labels", filepath.FromSlash(names[i])+".txt"), p.Objects, classes, image.Rect(0, 0, w, h))
			if err != nil {
				return err
			}
			ignored += left
			if err := linkOrCopy(filepath.Join(fresh, "images", filepath.FromSlash(names[i])+strings.ToLower(filepath.Ext(p.File))), p.File); err != nil {
				return err
			}
		}
		if err := putFile(filepath.Join(fresh, "classes.txt"), func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Join(append(classes, ""), "\n"))
			return err
		}); err != nil {
			return err
		}
		return putFile(filepath.Join(fresh, "data.yaml"), func(w io.Writer) error {
			_, err := fmt.Fprint(w, "path: .\ntrain: images\nval: images\nnames:\n")
			for i, c := range classes {
				if err == nil {
					_, err = fmt.Fprintf(w, "  %d: %q\n", i, c)
				}
			}
			return err
		})
	})
	return ignored, err
}

func writeYOLOLabels(path string, objects []Object, classes []string, picture image.Rectangle) (ignored int, err error) {
	err = putFile(path, func(w io.Writer) error {
		for k := range objects {
			o := &objects[k]
			b := o.Extent().Intersect(picture)
			switch {
			case o.Ignore:
				ignored++
				continue
			case b.Empty():
				continue
			}
			width, height := float64(picture.Dx()), float64(picture.Dy())
			if _, err := fmt.Fprintf(w, "%d %.9g %.9g %.9g %.9g\n", slices.Index(classes, o.class()),
				float64(b.Min.X+b.Max.X)/2/width, float64(b.Min.Y+b.Max.Y)/2/height, float64(b.Dx())/width, float64(b.Dy())/height); err != nil {
				return err
			}
		}
		return nil
	})
	return ignored, err
}

func linkOrCopy(to, from string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return named(to, err)
	}
	if ext := strings.ToLower(filepath.Ext(from)); !slices.Contains(endings(), ext) {
		return at(from, 0, "the name ends in %q: YOLO finds pictures by name, want one of %s", ext, strings.Join(endings(), " "))
	}
	whole, err := filepath.EvalSymlinks(from) // a hard link to a link would be relative to elsewhere
	if err != nil {
		return named(from, err)
	}
	if os.Link(whole, to) == nil {
		return nil
	}
	in, err := OpenFile(whole)
	if err != nil {
		return named(from, err)
	}
	defer in.Close()
	return WriteAtomically(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

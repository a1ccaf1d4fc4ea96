package sampling

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/resample"
	"haarlem/internal/samples/augment"
	"haarlem/picture"
)

// Folders of -pngoutput, as opencv_createsamples 2.4 has them.
const (
	scenePictures = "pos"
	sceneBoxes    = "annotations"
)

// makeScenes makes test pictures: -img once on each background. As with
// opencv_createsamples, the names hold the boxes, and the file of -info names
// them.
func (v *samplesFlags) makeScenes(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	zoom, err := v.shown()
	if err != nil {
		return err
	}
	one, err := v.oneOptions()
	if err != nil {
		return err
	}
	switch {
	case len(args) > 0 || len(v.truth) > 0:
		return cli.Usagef("-img and photographs are two ways to make windows: give one of them")
	case len(v.bg) == 0:
		return cli.Usagef("-img with -info makes test pictures, which need backgrounds: give -bg too")
	case len(v.Jitters) > 0:
		return cli.Usagef("-jitter is for windows, and means nothing for test pictures; train-cascade mosaic makes degraded ones")
	case v.flags.Given("maxscale") && !(v.maxScale >= 1 && v.maxScale <= 1e6):
		return cli.Usagef("-maxscale is %v, want 1 or more", v.maxScale)
	}
	folder := filepath.Dir(v.info)
	inner := "" // of the pictures, in the folder
	if v.flags.Given("pngoutput") {
		inner = scenePictures
		if v.pngOutput != "" {
			fmt.Fprintf(stderr, "train-cascade: -pngoutput has no value; %s is not used, and pictures go into %s\n", v.pngOutput, filepath.Join(folder, inner))
		}
	}
	for _, name := range []string{filepath.Base(v.info), scenePictures, sceneBoxes} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil && !v.overwrite && (inner != "" || name == filepath.Base(v.info)) {
			return cli.Usagef("%s exists: name another folder, or add -overwrite", filepath.Join(folder, name))
		}
	}
	img, err := picture.Open(v.img, nil)
	if err != nil {
		return err
	}
	backgrounds, err := v.backgrounds(ctx, stderr)
	if err != nil {
		return err
	}
	n := cmp.Or(v.num, 1000)
	if n > len(backgrounds) {
		if v.num > 0 {
			fmt.Fprintf(stderr, "train-cascade: -num is %d, and there is one test picture for each of %d backgrounds\n", v.num, len(backgrounds))
		}
		n = len(backgrounds)
	}
	var made output.MadeFolders
	defer func() {
		if err != nil {
			made.Remove()
		}
	}()
	into := []string{filepath.Join(folder, inner)}
	if inner != "" {
		into = append(into, filepath.Join(folder, sceneBoxes))
	}
	for _, path := range into {
		more, err := output.MakeFolders(path)
		if err != nil {
			return err
		}
		made = append(more, made...)
	}

	lines := make([]string, n)
	windows := make([]*image.Gray, n)
	var finish func()
	one.Progress, finish = output.Progress(stderr, "backgrounds")
	small, err := augment.Scenes(ctx, img.Image, backgrounds, n, &augment.SceneOptions{OneOptions: *one, MaxScale: v.maxScale}, func(s *augment.Scene) error {
		b := s.Box
		stem := fmt.Sprintf("%04d_%04d_%04d_%04d_%04d", s.Index+1, b.Min.X, b.Min.Y, b.Dx(), b.Dy())
		name := filepath.ToSlash(filepath.Join(inner, stem+".png"))
		lines[s.Index] = fmt.Sprintf("%s 1 %d %d %d %d\n", name, b.Min.X, b.Min.Y, b.Dx(), b.Dy())
		windows[s.Index] = resample.Part(s.Picture, float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y), v.Width, v.Height)
		if err := output.WritePNG(filepath.Join(folder, name), s.Picture); err != nil || inner == "" {
			return err
		}
		text := fmt.Sprintf("Image filename : %q\nBounding box for object 1 \"PASperson\" (Xmin, Ymin) - (Xmax, Ymax) : (%d, %d) - (%d, %d)\n", name, b.Min.X, b.Min.Y, b.Max.X, b.Max.Y)
		return os.WriteFile(filepath.Join(folder, sceneBoxes, stem+".txt"), []byte(text), 0o666)
	})
	finish()
	if err != nil {
		return err
	}
	if small > 0 {
		fmt.Fprintf(stderr, "train-cascade: %d backgrounds have no room for a window of %dx%d with a margin\n", small, v.Width, v.Height)
	}
	windows = slices.DeleteFunc(windows, func(w *image.Gray) bool { return w == nil })
	if len(windows) == 0 {
		return fmt.Errorf("no test pictures: no background has room for a window of %dx%d with a margin", v.Width, v.Height)
	}
	// Last, so that a folder with the list is complete.
	if err := os.WriteFile(v.info, []byte(strings.Join(lines, "")), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d test pictures\n", v.info, len(windows))
	return (&destination{sheet: v.sheetBeside(stem(v.info)), zoom: zoom}).draw(windows, stdout)
}

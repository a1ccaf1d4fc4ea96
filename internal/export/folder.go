package export

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"image"
	"io"
	"io/fs"
	"math"
	"strings"

	"haarlem/cascade/detector"
	"haarlem/internal/drawn"
)

// Formats are the names of what [Export.Files] can write.
var Formats = []string{"c", "js", "tables", "arduino", "esp-idf", "micropython", "zephyr"}

// boards has a folder for each of the formats that are more than the header: what belongs
// beside it, with NAME, UPPER, SUMMARY and NEIGHBORS to replace.
//
//go:embed boards
var boards embed.FS

// places are where the header and the picture of the example belong.
var places = map[string]struct{ header, picture string }{
	"arduino":     {"src/", "examples/Find/"},
	"esp-idf":     {"include/", "examples/find/main/"},
	"micropython": {"", ""},
	"zephyr":      {"include/", "samples/find/src/"},
}

// Files returns the files of a format, with paths that begin with the cascade's name as an
// identifier. In the profile Small, the cascade with its rounded numbers is among them. The
// examples for boards have a picture to search; nil means a drawn one with faces.
func (e *Export) Files(ctx context.Context, format string, picture *image.Gray) ([]File, error) {
	name := e.identifier()
	var files []File
	switch format {
	case "c":
		files = []File{{name + ".h", e.WriteC}}
	case "js":
		files = []File{{name + ".mjs", e.WriteJavaScript}}
	case "tables":
		all, err := e.Tables(ctx)
		if err != nil {
			return nil, err
		}
		for _, f := range all {
			files = append(files, File{name + "/" + f.Path, f.Write})
		}
		name += "/" + name
	default:
		at, ok := places[format]
		if !ok {
			return nil, fmt.Errorf("%w: format %q, want %s", ErrSettings, format, strings.Join(Formats, ", "))
		}
		text, err := e.example(ctx, picture)
		if err != nil {
			return nil, err
		}
		files = append(files, File{name + "/" + at.header + name + ".h", e.WriteC}, fileOf(name+"/"+at.picture+"picture.h", text))
		words := strings.NewReplacer("NAME", name, "UPPER", strings.ToUpper(name), "NEIGHBORS", fmt.Sprint(e.headerData().Neighbors), "SUMMARY", e.summary())
		root := "boards/" + format
		err = fs.WalkDir(boards, root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := boards.ReadFile(path)
			files = append(files, fileOf(words.Replace(name+strings.TrimPrefix(path, root)), words.Replace(string(text))))
			return err
		})
		if err != nil {
			return nil, err
		}
		name += "/" + name
	}
	if e.settings.Profile == Small {
		files = append(files, File{name + ".cascade", e.c.Encode})
	}
	return files, nil
}

func fileOf(path, text string) File {
	return File{path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}}
}

// Objects returns what the detector makes of the windows of g, of which groups of at most
// so many neighbors are left out; 0 means the model's number.
func (e *Export) Objects(ctx context.Context, g *image.Gray, neighbors int) ([]detector.Detection, error) {
	windows, err := e.Windows(ctx, g)
	if err != nil {
		return nil, err
	}
	m := e.Model()
	m.Search.MinScore = 0
	d, err := detector.New(&detector.Options{MinNeighbors: neighbors}, m)
	if err != nil {
		return nil, err
	}
	all := make([]detector.Detection, len(windows))
	for i, w := range windows {
		all[i] = detector.Detection{Box: w.Box, Score: math.Ldexp(float64(w.Score), -e.unit)}
	}
	return d.AppendGroups(nil, all, g), nil
}

// example returns picture.h: a picture that fits the search and 160x120, and what is found
// in it.
func (e *Export) example(ctx context.Context, g *image.Gray) (string, error) {
	room := image.Rect(0, 0, min(e.settings.Picture.X, 160), min(e.settings.Picture.Y, 120))
	if g == nil {
		g = drawn.Picture("faces", room.Max.X, room.Max.Y, 3)
	}
	g = shrink(g, room.Size())
	windows, err := e.Windows(ctx, g)
	if err != nil {
		return "", err
	}
	found, err := e.Objects(ctx, g, 0)
	if err != nil {
		return "", err
	}
	size := g.Rect.Size()
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* A grey picture, and the objects that Haarlem's detector finds in it: x, y, width, height,\n * number of windows. PICTURE_WINDOWS is room for its windows, 100 at least. */\n")
	fmt.Fprintf(&b, "enum { PICTURE_WIDTH = %d, PICTURE_HEIGHT = %d, PICTURE_WINDOWS = %d, PICTURE_OBJECTS = %d };\n\n", size.X, size.Y, max(100, len(windows)), len(found))
	pixels := &table{Bits: 8}
	for _, v := range g.Pix {
		pixels.Values = append(pixels.Values, int64(v))
	}
	fmt.Fprintf(&b, "static const uint8_t picture_pixels[] = {\n%s};\n\nstatic const int16_t picture_objects[][5] = {\n", numbers(pixels))
	for _, f := range found {
		fmt.Fprintf(&b, "\t{ %d, %d, %d, %d, %d },\n", f.Box.Min.X, f.Box.Min.Y, f.Box.Dx(), f.Box.Dy(), f.Neighbors)
	}
	b.WriteString("\t{ 0, 0, 0, 0, 0 }\n};\n")
	return b.String(), nil
}

// shrink returns g with as few pixels as fit room: means of squares of pixels.
func shrink(g *image.Gray, room image.Point) *image.Gray {
	size := g.Rect.Size()
	n := max(1, (size.X+room.X-1)/room.X, (size.Y+room.Y-1)/room.Y)
	small := image.NewGray(image.Rect(0, 0, size.X/n, size.Y/n))
	for i := range small.Pix {
		x, y, sum := i%small.Stride*n, i/small.Stride*n, 0
		for k := range n * n {
			sum += int(g.Pix[(y+k/n)*g.Stride+x+k%n])
		}
		small.Pix[i] = uint8((sum + n*n/2) / (n * n))
	}
	return small
}

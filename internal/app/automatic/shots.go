package automatic

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strconv"

	scaling "golang.org/x/image/draw"

	"haarlem/internal/annotate"
	"haarlem/internal/samples"
)

// A shot is a picture in the page, with boxes.
type shot struct {
	Source            template.URL
	Width, Height     int
	Title, File, Path string
	Place             string
}

// shots are a section of the page.
type shots struct {
	Note  string
	Key   []key
	Crops bool
	All   []shot
}

// A key says what the boxes of a colour are.
type key struct {
	Colour template.CSS
	Name   string
}

// The colours of boxes: of labels, and of detections.
var (
	labelColour, foundColour = color.RGBA{0xff, 0x30, 0x30, 0xff}, color.RGBA{0xff, 0xc2, 0x1a, 0xff}
	labelKey, foundKey       = template.CSS("#ff3030"), template.CSS("#ffc21a")
)

// Sizes of pictures in the page, in pixels of their longer side.
const (
	wholeSide = 480
	cropSide  = 176
)

// An outlined is a box to draw.
type outlined struct {
	box image.Rectangle
	of  color.RGBA
}

// shoot draws a photograph with boxes, or a square around the first of them.
func shoot(file string, crop bool, boxes ...outlined) (s shot, err error) {
	img, err := samples.ReadImage(file)
	if err != nil {
		return s, err
	}
	part, side, thick := img.Bounds(), wholeSide, 4
	if crop {
		b := boxes[0].box.Add(part.Min)
		for _, o := range boxes[1:] {
			b = b.Union(o.box.Add(part.Min))
		}
		half, mid := max(b.Dx(), b.Dy())*4/5+1, b.Min.Add(b.Max).Div(2)
		part, side = image.Rectangle{mid, mid}.Inset(-half), cropSide
		thick = 2
	}
	scale := min(float64(side)/float64(max(part.Dx(), part.Dy())), 4)
	to := func(v int) int { return int(math.Round(float64(v) * scale)) }
	out := image.NewRGBA(image.Rect(0, 0, max(to(part.Dx()), 1), max(to(part.Dy()), 1)))
	draw.Draw(out, out.Rect, image.Black, image.Point{}, draw.Src)
	shown := part.Intersect(img.Bounds())
	scaling.BiLinear.Scale(out, image.Rect(to(shown.Min.X-part.Min.X), to(shown.Min.Y-part.Min.Y), to(shown.Max.X-part.Min.X), to(shown.Max.Y-part.Min.Y)), img, shown, draw.Src, nil)
	for i := len(boxes) - 1; i >= 0; i-- {
		b := boxes[i].box.Add(img.Bounds().Min).Sub(part.Min)
		r := image.Rect(to(b.Min.X), to(b.Min.Y), to(b.Max.X), to(b.Max.Y))
		annotate.Frame(out, r, thick, boxes[i].of)
		annotate.Frame(out, r.Inset(-thick), 1+thick/3, color.Black)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, out, &jpeg.Options{Quality: 72}); err != nil {
		return s, err
	}
	box := boxes[0].box
	return shot{
		Source: template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), Width: out.Rect.Dx(), Height: out.Rect.Dy(),
		File: filepath.Base(file), Path: file, Place: fmt.Sprintf("%d,%d %d×%d", box.Min.X, box.Min.Y, box.Dx(), box.Dy()),
	}, nil
}

// A boxed is a line of a list of boxes that another step wrote.
type boxed struct {
	file string
	box  image.Rectangle
	row  map[string]string
}

// readBoxed reads such a list, with the columns file, x, y, width and height.
func readBoxed(path string) ([]boxed, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("%s: no list: %w", path, err)
	}
	var all []boxed
	for n, values := range rows[1:] {
		b := boxed{row: map[string]string{}}
		for i, name := range rows[0] {
			b.row[name] = values[i]
		}
		var v [4]int
		for i, name := range []string{"x", "y", "width", "height"} {
			if v[i], err = strconv.Atoi(b.row[name]); err != nil {
				return nil, fmt.Errorf("%s:%d: %s: %w", path, n+2, name, err)
			}
		}
		b.file, b.box = b.row["file"], image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3])
		all = append(all, b)
	}
	return all, nil
}

// Oracle prints what OpenCV's detectMultiScale finds, one rectangle per line,
// sorted, to compare by hand with Haarlem's.
//
//	cd bench && go run ./oracle -cascade FILE.xml [-scale 1.1] [-neighbors 0] [-min 24] [-max 0] IMAGE
//
// With -grey FILE.pgm it also writes OpenCV's grey plane, since decoders and colour
// weights differ between libraries.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"

	"gocv.io/x/gocv"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("oracle: ")
	model := flag.String("cascade", "", "OpenCV cascade, XML")
	scale := flag.Float64("scale", 1.1, "factor between levels")
	neighbors := flag.Int("neighbors", 0, "minNeighbors; 0 prints the raw candidates")
	minSize := flag.String("min", "0", "minimum size, N or WxH")
	maxSize := flag.String("max", "0", "maximum size, N or WxH; 0 means the image")
	grey := flag.String("grey", "", "write the grey plane to this PGM file")
	flag.Parse()
	if flag.NArg() != 1 || *model == "" {
		flag.Usage()
		os.Exit(2)
	}
	g, err := load(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	if *grey != "" {
		if err := writePGM(*grey, g); err != nil {
			log.Fatal(err)
		}
	}
	lo, err := parseSize(*minSize)
	if err != nil {
		log.Fatal(err)
	}
	hi, err := parseSize(*maxSize)
	if err != nil {
		log.Fatal(err)
	}

	c := gocv.NewCascadeClassifier()
	defer c.Close()
	if !c.Load(*model) {
		log.Fatalf("OpenCV cannot load %s", *model)
	}
	m, err := gocv.NewMatFromBytes(g.Rect.Dy(), g.Rect.Dx(), gocv.MatTypeCV8U, g.Pix)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	rects := c.DetectMultiScaleWithParams(m, *scale, *neighbors, 0, lo, hi)
	slices.SortFunc(rects, compare)
	for _, r := range rects {
		fmt.Println(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
	}
	fmt.Fprintf(os.Stderr, "OpenCV %s: %d rectangles\n", gocv.OpenCVVersion(), len(rects))
}

// compare orders rectangles by left, top, width, height.
func compare(a, b image.Rectangle) int {
	return slices.Compare([]int{a.Min.X, a.Min.Y, a.Dx(), a.Dy()}, []int{b.Min.X, b.Min.Y, b.Dx(), b.Dy()})
}

// load decodes a picture with Go's decoders (or a PGM) into a grey plane
// without gaps between rows.
func load(path string) (*image.Gray, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if strings.HasSuffix(path, ".pgm") {
		return readPGM(f)
	}
	m, _, err := image.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := m.Bounds()
	g := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(g, g.Rect, m, b.Min, draw.Src)
	return g, nil
}

func readPGM(r io.Reader) (*image.Gray, error) {
	var w, h, top int
	if _, err := fmt.Fscanf(r, "P5\n%d %d\n%d\n", &w, &h, &top); err != nil {
		return nil, fmt.Errorf("PGM header: %w", err)
	}
	if w < 1 || h < 1 || w > 1<<15 || h > 1<<15 || top != 255 {
		return nil, fmt.Errorf("PGM of %dx%d with maximum %d, want at least 1x1 with 255", w, h, top)
	}
	g := image.NewGray(image.Rect(0, 0, w, h))
	_, err := io.ReadFull(r, g.Pix)
	return g, err
}

func writePGM(path string, g *image.Gray) error {
	head := fmt.Sprintf("P5\n%d %d\n255\n", g.Rect.Dx(), g.Rect.Dy())
	return os.WriteFile(path, append([]byte(head), g.Pix...), 0o666)
}

// parseSize reads "24" or "24x32".
func parseSize(s string) (image.Point, error) {
	w, h, both := strings.Cut(s, "x")
	if !both {
		h = w
	}
	x, err := strconv.Atoi(w)
	if err != nil {
		return image.Point{}, fmt.Errorf("size %q, want N or WxH", s)
	}
	y, err := strconv.Atoi(h)
	if err != nil {
		return image.Point{}, fmt.Errorf("size %q, want N or WxH", s)
	}
	return image.Pt(x, y), nil
}

// Oracle prints what OpenCV's detectMultiScale finds, one rectangle per line,
// sorted, to compare by hand with Haarlem's.
//
//	cd bench && go run ./oracle -cascade FILE.xml [-scale 1.1] [-neighbors 0] [-min 24] [-max 0] IMAGE
package main

import (
	"flag"
	"fmt"
	"image"
	"log"
	"os"
	"slices"

	"gocv.io/x/gocv"

	"haarlem/internal/samples"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("oracle: ")
	model := flag.String("cascade", "", "OpenCV cascade, XML")
	scale := flag.Float64("scale", 1.1, "factor between levels")
	neighbors := flag.Int("neighbors", 0, "minNeighbors; 0 prints the raw candidates")
	smallest := flag.Int("min", 0, "minimum size, in pixels")
	largest := flag.Int("max", 0, "maximum size, in pixels; 0 means the image")
	flag.Parse()
	if flag.NArg() != 1 || *model == "" {
		flag.Usage()
		os.Exit(2)
	}
	g, err := samples.ReadGrey(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	c := gocv.NewCascadeClassifier()
	defer c.Close()
	if !c.Load(*model) {
		log.Fatalf("OpenCV cannot load %s", *model)
	}
	pixels := make([]byte, 0, g.Rect.Dx()*g.Rect.Dy()) // without gaps between rows
	for y := range g.Rect.Dy() {
		pixels = append(pixels, g.Pix[y*g.Stride:][:g.Rect.Dx()]...)
	}
	m, err := gocv.NewMatFromBytes(g.Rect.Dy(), g.Rect.Dx(), gocv.MatTypeCV8U, pixels)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	rects := c.DetectMultiScaleWithParams(m, *scale, *neighbors, 0, image.Pt(*smallest, *smallest), image.Pt(*largest, *largest))
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

//go:build ignore

// Found writes pictures as RGBA, and what the Go detector and its OpenCV names find in
// them as JSON, into a folder: go run found.go DIR CASCADE.xml PICTURE...
package main

import (
	"context"
	"encoding/json"
	"image"
	"image/draw"
	"log"
	"os"
	"path/filepath"

	"haarlem/cascade/detector"
	"haarlem/models"
	"haarlem/opencv"
	"haarlem/picture"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	c, err := models.Open(models.Default)
	must(err)
	d, err := detector.New(nil, c)
	must(err)
	cv := opencv.NewCascadeClassifier()
	if !cv.Load(os.Args[2]) {
		log.Fatal("not loaded")
	}
	type found struct {
		Name          string
		Width, Height int
		Faces         []detector.Detection
		OpenCV        []image.Rectangle
		Bounded       []image.Rectangle // each window, of the sizes that test.mjs names
	}
	var all []found
	for _, path := range os.Args[3:] {
		p, err := picture.Open(path, nil)
		must(err)
		b := p.Image.Bounds()
		m := image.NewNRGBA(b)
		draw.Draw(m, b, p.Image, b.Min, draw.Src)
		name := filepath.Base(path)
		must(os.WriteFile(filepath.Join(os.Args[1], name+".rgba"), m.Pix, 0o666))
		faces, err := d.Detect(context.Background(), m)
		must(err)
		bounded := cv.DetectMultiScaleWithParams(m, 1.2, 0, 0, image.Pt(30, 40), image.Pt(90, 100))
		all = append(all, found{name, b.Dx(), b.Dy(), faces, cv.DetectMultiScale(m), bounded})
	}
	data, err := json.Marshal(all)
	must(err)
	must(os.WriteFile(filepath.Join(os.Args[1], "found.json"), data, 0o666))
}

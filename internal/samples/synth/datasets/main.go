// Datasets draws small made-up data sets in the layouts of the real ones that the
// recipes in models/recipes want: whatever these find is a drawn face here. It is for
// trying the recipes.
//
//	go run ./internal/samples/synth/datasets FOLDER
package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"strconv"

	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/samples/synth/scene"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: datasets FOLDER")
		os.Exit(2)
	}
	s := &set{folder: os.Args[1], model: facemodel.Builtin()}
	s.backgrounds()
	s.cells()
	s.signs()
	s.helen()
}

// check ends the program with an error, if it is one.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "datasets:", err)
		os.Exit(1)
	}
}

// How many pictures a data set has.
const (
	photographs = 60
	crops       = 120
	grounds     = 24
)

// A set is where data sets are drawn into.
type set struct {
	folder string
	model  *facemodel.Model
}

// part is train for most, and val and test for some.
func part(i int) string {
	return []string{"train", "train", "train", "val", "test"}[i%5]
}

// save writes a picture, as JPEG.
func (s *set) save(name string, img image.Image) {
	path := filepath.Join(s.folder, filepath.FromSlash(name))
	check(os.MkdirAll(filepath.Dir(path), 0o777))
	var b bytes.Buffer
	check(jpeg.Encode(&b, img, &jpeg.Options{Quality: 92}))
	check(os.WriteFile(path, b.Bytes(), 0o666))
}

func (s *set) table(name string, rows [][]string) {
	var b bytes.Buffer
	check(csv.NewWriter(&b).WriteAll(rows))
	check(os.WriteFile(filepath.Join(s.folder, name), b.Bytes(), 0o666))
}

func (s *set) backgrounds() {
	for i, g := range scene.Backgrounds(grounds, 320, 240, 9, 2) {
		s.save(fmt.Sprintf("backgrounds/bg-%02d.jpg", i), g)
	}
}

func float(n int) string { return strconv.Itoa(n) + ".0" }

// cells are boxes with floats, three labels, and a column that says the part.
func (s *set) cells() {
	rows := [][]string{{"file", "label", "x", "y", "width", "height", "split"}}
	for i := range photographs / 2 {
		g, boxes := scene.Group(s.model, 6, 28, 320, 240, 1000+uint64(i))
		name := fmt.Sprintf("cell-%04d.jpg", i)
		s.save("cells/"+name, g)
		for k, b := range boxes {
			rows = append(rows, []string{name, []string{"WBC", "RBC", "Platelets"}[(i+k)%3], float(b.Min.X), float(b.Min.Y), float(b.Dx()), float(b.Dy()), part(i)})
		}
	}
	// The real one has a box of no size, too.
	rows = append(rows, []string{"cell-0001.jpg", "RBC", "3.0", "4.0", "0.0", "10.0", "train"})
	s.table("cells.csv", rows)
}

// signs are crops with the corners of the object before the crop was halved, and classes
// of which one is wanted.
func (s *set) signs() {
	rows := [][]string{{"file", "class", "split", "x1", "y1", "x2", "y2"}}
	faces := scene.Windows(s.model, crops, 32, 3, 2)
	others := scene.Backgrounds(crops/4, 42, 42, 4, 2)
	for i, g := range append(faces, others...) {
		class, around := "14", image.NewGray(image.Rect(0, 0, 42, 42))
		if i < crops {
			draw.Draw(around, around.Rect, others[i%len(others)], image.Point{}, draw.Src)
			draw.Draw(around, image.Rect(5, 5, 37, 37), g, image.Point{}, draw.Src)
		} else {
			class, around = strconv.Itoa(i%7), g
		}
		name := fmt.Sprintf("sign-%04d.jpg", i)
		s.save("signs/"+name, around)
		split := part(i)
		if split == "val" {
			split = "train"
		}
		rows = append(rows, []string{name, class, split, "10", "10", "74", "74"})
	}
	s.table("signs.csv", rows)
}

// helen has 68 points a face, of which only the eyes' are where they should be.
func (s *set) helen() {
	head := []string{"file"}
	for i := range 68 {
		head = append(head, fmt.Sprintf("x%d", i+1), fmt.Sprintf("y%d", i+1))
	}
	rows := [][]string{head}
	for i := range crops {
		g, boxes := scene.Group(s.model, 1, 60, 160, 160, 2000+uint64(i))
		if len(boxes) != 1 {
			continue
		}
		name := fmt.Sprintf("helen-%04d.jpg", i)
		s.save("faces-helen/"+name, g)
		b, row := boxes[0], []string{name}
		for k := range 68 {
			x, y := 0.5, 0.7
			switch {
			case k >= 36 && k < 42:
				x, y = 0.31, 0.39
			case k >= 42 && k < 48:
				x, y = 0.69, 0.39
			}
			row = append(row, fmt.Sprintf("%.1f", float64(b.Min.X)+float64(x*float64(b.Dx()))), fmt.Sprintf("%.1f", float64(b.Min.Y)+float64(y*float64(b.Dy()))))
		}
		rows = append(rows, row)
	}
	s.table("faces-helen.csv", rows)
}

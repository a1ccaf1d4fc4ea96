// Photoindex writes an index of the faces in a folder of photographs, a line of JSON
// a face, as photo libraries keep it: parts of the picture's size, and the eyes.
//
//	go run ./examples/photoindex samples
//
// pigo.go has the calls that PhotoPrism has around pigo.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"haarlem/integral"
	"haarlem/picture"
)

// A face is a line of the index.
type face struct {
	File    string     `json:"file"`
	X       float64    `json:"x"` // centre and side, in parts of the picture's width and height
	Y       float64    `json:"y"`
	Size    float64    `json:"size"`
	Quality float32    `json:"quality"`
	Eyes    [4]float64 `json:"eyes"` // x and y of the left one in the picture, then of the right one
}

// index writes the faces of all pictures in a folder.
func index(w io.Writer, folder string) error {
	finder, err := NewFinder()
	if err != nil {
		return err
	}
	pictures, err := picture.List(folder, true)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(w)
	for _, path := range pictures.Pictures {
		p, err := picture.Open(path, nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		grey := integral.Grey(p.Image)
		size := grey.Rect.Size()
		params := CascadeParams{
			MinSize: 20, MaxSize: min(size.X, size.Y), ShiftFactor: 0.1, ScaleFactor: 1.1,
			ImageParams: ImageParams{Pixels: &grey.Pix, Rows: size.Y, Cols: size.X, Dim: grey.Stride},
		}
		found, err := finder.RunCascade(params, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		width, height := float64(size.X), float64(size.Y)
		for _, d := range finder.ClusterDetections(found, 0.2) {
			left, right := finder.Eyes(d, params.ImageParams)
			if err := lines.Encode(face{
				filepath.Base(path), float64(d.Col) / width, float64(d.Row) / height, float64(d.Scale) / width, d.Q,
				[4]float64{float64(left.X) / width, float64(left.Y) / height, float64(right.X) / width, float64(right.Y) / height},
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: photoindex FOLDER")
		os.Exit(2)
	}
	if err := index(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "photoindex:", err)
		os.Exit(1)
	}
}

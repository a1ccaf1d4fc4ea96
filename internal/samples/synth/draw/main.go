// Draw writes the sample images and their truth. Everything is computed: no
// photograph, no model of a real person, no random source but a hash. Run it from
// the repository's root:
//
//	go run ./internal/samples/synth/draw
package main

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("dir", "samples", "folder to write the pictures to")
	flag.Parse()
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

// write draws every sample into dir.
func write(dir string) error {
	for _, s := range samples {
		files, err := s.files()
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, f.name), f.data, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// A sample is one image and the faces in it.
type sample struct {
	name  string // of its files, without extension
	draw  func() *canvas
	faces []face
}

var samples = []sample{
	{name: "group", draw: drawGroup, faces: group},
	{name: "room", draw: drawRoom},
}

type file struct {
	name string
	data []byte
}

// files returns the picture as PNG and its truth as CSV.
func (s sample) files() ([]file, error) {
	var picture bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(&picture, s.draw().image()); err != nil {
		return nil, err
	}
	var truth bytes.Buffer
	fmt.Fprintln(&truth, "file,x,y,width,height")
	for _, f := range s.faces {
		b := f.box()
		fmt.Fprintf(&truth, "%s.png,%d,%d,%d,%d\n", s.name, b.Min.X, b.Min.Y, b.Dx(), b.Dy())
	}
	return []file{
		{s.name + ".png", picture.Bytes()},
		{s.name + ".csv", truth.Bytes()},
	}, nil
}

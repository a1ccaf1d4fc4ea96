// Terminal shows a picture with its faces marked in a terminal of 24-bit colours: two
// pixels a character.
//
//	go run ./examples/terminal samples/group.png
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/disintegration/imaging"

	"haarlem/cascade/detector"
	"haarlem/models/frontalface"
	"haarlem/picture"
)

// show writes a picture, so many characters wide, with boxes around its faces.
func show(w io.Writer, path string, columns int) error {
	p, err := picture.Open(path, nil)
	if err != nil {
		return err
	}
	model, err := frontalface.Cascade()
	if err != nil {
		return err
	}
	finder, err := detector.New(nil, model)
	if err != nil {
		return err
	}
	found, err := finder.Detect(context.Background(), p.Image)
	if err != nil {
		return err
	}
	var marks []picture.Mark
	for _, f := range found {
		marks = append(marks, picture.Mark{Box: f.Box})
	}
	img := imaging.Resize(picture.Annotate(p.Image, marks), columns, 0, imaging.Box)
	b := bufio.NewWriter(w)
	for y := 0; y+1 < img.Rect.Dy(); y += 2 {
		for x := range columns {
			up, down := img.NRGBAAt(x, y), img.NRGBAAt(x, y+1)
			fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dm\x1b[48;2;%d;%d;%dm▀", up.R, up.G, up.B, down.R, down.G, down.B)
		}
		b.WriteString("\x1b[0m\n")
	}
	fmt.Fprintf(b, "%d faces in %v pixels\n", len(found), p.Image.Bounds().Size())
	return b.Flush()
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: terminal PICTURE")
		os.Exit(2)
	}
	if err := show(os.Stdout, os.Args[1], 100); err != nil {
		fmt.Fprintln(os.Stderr, "terminal:", err)
		os.Exit(1)
	}
}

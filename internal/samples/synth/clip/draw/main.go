// Draw writes a clip of moving synthetic faces as Y4M, and the truth beside it as CSV.
//
//	go run ./internal/samples/synth/clip/draw -turns -o clip    # clip.y4m, clip.csv
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"

	"haarlem/internal/samples/synth/clip"
	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/video"
)

func main() {
	var o clip.Options
	name := flag.String("o", "clip", "write `NAME`.y4m and NAME.csv")
	flag.IntVar(&o.Width, "width", 480, "`PIXELS` of a row")
	flag.IntVar(&o.Height, "height", 320, "`PIXELS` of a column")
	flag.IntVar(&o.Frames, "frames", 150, "draw `N` frames, 25 a second")
	flag.IntVar(&o.People, "people", 2, "draw `N` people")
	flag.IntVar(&o.Smallest, "smallest", 48, "the smallest face has `PIXELS`")
	flag.Uint64Var(&o.Seed, "seed", 1, "`SEED` of everything random")
	flag.BoolVar(&o.Turns, "turns", false, "people turn away and back")
	flag.BoolVar(&o.Posts, "posts", false, "people pass behind posts")
	flag.BoolVar(&o.Together, "together", false, "people pass each other")
	flag.Parse()
	if err := draw(*name, &o); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

func draw(name string, o *clip.Options) error {
	c := clip.New(facemodel.Builtin(), o)
	var film, truth bytes.Buffer
	w := video.NewY4M(&film, video.Rate{Num: c.Rate(), Den: 1}, "")
	fmt.Fprintln(&truth, "frame,id,x,y,width,height,visible")
	for i := range c.Frames() {
		if err := w.Write(c.Frame(i), 0); err != nil {
			return err
		}
		for _, t := range c.Truth(i) {
			fmt.Fprintf(&truth, "%d,%d,%d,%d,%d,%d,%.2f\n", i, t.ID, t.Box.Min.X, t.Box.Min.Y, t.Box.Dx(), t.Box.Dy(), t.Visible)
		}
	}
	return errors.Join(os.WriteFile(name+".y4m", film.Bytes(), 0o666), os.WriteFile(name+".csv", truth.Bytes(), 0o666))
}

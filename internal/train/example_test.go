package train_test

import (
	"context"
	"fmt"
	"image"
	"image/color"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/train"
)

// A cascade for bright squares on grey, from thirty positives and one negative
// image.
func Example() {
	const side = 12
	square := func(g *image.Gray, x0, y0 int, level uint8) {
		for y := y0 + 3; y < y0+9; y++ {
			for x := x0 + 3; x < x0+9; x++ {
				g.SetGray(x, y, color.Gray{Y: level})
			}
		}
	}
	plain := func(w, h int) *image.Gray {
		g := image.NewGray(image.Rect(0, 0, w, h))
		for i := range g.Pix {
			g.Pix[i] = byte(90 + (int64(i)*2654435761>>16)%40) // a texture
		}
		return g
	}
	data := &train.Data{Backgrounds: []train.Background{train.Plain{Gray: plain(200, 200)}}}
	for i := range 30 {
		g := plain(side, side)
		square(g, 0, 0, uint8(180+2*i))
		data.Positives = append(data.Positives, g)
	}
	result, err := train.Run(context.Background(), data, &train.Settings{Width: side, Height: side, Stages: train.StageGoals{Count: 4}, Negatives: 200}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	picture := plain(60, 40)
	square(picture, 30, 20, 220)
	d, err := detector.New(&detector.Options{MaxSize: image.Pt(side, side), Search: &cascade.Search{Stride: 1}, MinNeighbors: 1}, result.Cascade)
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := d.Detect(context.Background(), picture)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range found {
		fmt.Println(f.Box.Overlaps(image.Rect(33, 23, 39, 29)), f.Neighbors > 1)
	}
	// Output:
	// true true
}

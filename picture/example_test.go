package picture_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"path/filepath"

	"haarlem/picture"
)

func ExampleOpen() {
	p, err := picture.Open(filepath.Join("..", "samples", "group.png"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Format, p.Image.Bounds().Size())

	_, err = picture.Open(filepath.Join("..", "samples", "group.png"), &picture.Options{MaxPixels: 1000})
	fmt.Println(errors.Is(err, picture.ErrTooLarge))
	// Output:
	// PNG (800,500)
	// true
}

func ExampleBlur() {
	p, err := picture.Open(filepath.Join("..", "samples", "group.png"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	face := image.Rect(450, 263, 571, 384) // as a detector finds it
	hidden := picture.Blur(p.Image, []image.Rectangle{face}, picture.UsualMargin)
	fmt.Println(hidden.Bounds(), hidden.At(510, 320) == p.Image.At(510, 320), hidden.At(300, 100) == color.RGBAModel.Convert(p.Image.At(300, 100)))
	// Output:
	// (0,0)-(800,500) false true
}

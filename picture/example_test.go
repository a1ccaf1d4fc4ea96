package picture_test

import (
	"errors"
	"fmt"
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

package inspect_test

import (
	"fmt"

	"haarlem/internal/inspect"
	"haarlem/models"
)

func Example() {
	c, err := models.Open("face-fast")
	if err != nil {
		panic(err)
	}
	s, err := inspect.Describe(c)
	if err != nil {
		panic(err)
	}
	first := inspect.Sheet(c, 0, 16, nil)
	fmt.Println(s.Kind, s.Shape, s.Width, s.Height, s.Weak == len(c.Weak))
	fmt.Println(first.Rect.Dx(), "pixels wide")
	// Output:
	// haar soft 16 16 true
	// 822 pixels wide
}

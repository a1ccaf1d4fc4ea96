package texture_test

import (
	"fmt"
	"math/rand/v2"

	"haarlem/internal/samples/synth/texture"
)

func Example() {
	background := texture.Draw(rand.New(rand.NewPCG(1, 2)), 320, 240)
	fmt.Println(background.Bounds().Size())
	// Output: (320,240)
}

package samples_test

import (
	"context"
	"fmt"
	"image"

	"haarlem/internal/samples"
)

// From a truth file to training data, and to backgrounds that exclude the
// objects.
func Example() {
	photos, err := samples.ReadTruth("../../samples/group.csv", samples.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(photos[0].File, len(photos[0].Objects), "objects, the first at", photos[0].Objects[0].Box)

	checks := &samples.CheckOptions{Width: 24, Height: 24}
	photos, report, err := samples.CheckPositives(context.Background(), photos, checks)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(report)

	backgrounds, err := samples.Backgrounds([]string{"../../samples/room.png", "../../samples/group.png"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	backgrounds, report, err = samples.CheckBackgrounds(context.Background(), backgrounds, photos, checks)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(report)
	group := backgrounds[1]
	fmt.Println("a window on a face is no negative:", group.Forbids(image.Rect(247, 135, 281, 169)))
	// Output:
	// ../../samples/group.png 11 objects, the first at (245,133)-(279,167)
	// 1 photographs, 1 kept; 11 objects to learn, 11 kept
	// 2 backgrounds, 2 kept
	//         1 backgrounds that show objects  the objects left out  ../../samples/group.png (as ../../samples/group.png)
	//           take them out of the backgrounds
	// a window on a face is no negative: true
}

func ExampleParseFormat() {
	f, err := samples.ParseFormat("info.dat")
	fmt.Println(f, err)
	_, err = samples.ParseFormat("xls")
	fmt.Println(err)
	// Output:
	// info <nil>
	// format "xls", want one of auto, info, csv, voc, coco, yolo, landmarks, imglab, labelme, labelstudio
}

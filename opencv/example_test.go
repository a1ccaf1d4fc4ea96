package opencv_test

import (
	"fmt"
	"image"
	_ "image/png"
	"os"

	"haarlem/opencv"
)

// What was gocv.NewCascadeClassifier and gocv.IMRead.
func Example() {
	classifier := opencv.NewCascadeClassifier()
	defer classifier.Close()
	if !classifier.Load("../models/frontalfaceopencv/frontalface-opencv.xml") {
		fmt.Println("no cascade")
		return
	}
	f, err := os.Open("../samples/group.png")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	rects := classifier.DetectMultiScale(img)
	fmt.Printf("found %d faces\n", len(rects))
	for _, r := range rects[:2] {
		fmt.Println(r)
	}
	// Output:
	// found 11 faces
	// (491,129)-(525,163)
	// (246,133)-(276,163)
}

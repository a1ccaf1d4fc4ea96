package jsonout_test

import (
	"image"
	"log"
	"os"
	"time"

	"haarlem/cascade"
	"haarlem/internal/jsonout"
)

func Example() {
	found := []cascade.Detection{{Box: image.Rect(10, 20, 50, 60), Score: 0.87654321, Neighbors: 12}}
	face := cascade.Object{Singular: "face", Plural: "faces"}
	list, err := jsonout.NewArray(os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range []jsonout.Picture{
		jsonout.Of("one.png", image.Pt(640, 480), 12345*time.Microsecond, face, found),
		jsonout.Of("nobody.png", image.Pt(64, 48), time.Millisecond, cascade.Object{}, nil),
	} {
		if err := list.Add(p); err != nil {
			log.Fatal(err)
		}
	}
	if err := list.End(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [
	//  {"file":"one.png","width":640,"height":480,"object":"face","milliseconds":12.345,"faces":[{"x":10,"y":20,"width":40,"height":40,"score":0.876543,"neighbors":12}]},
	//  {"file":"nobody.png","width":64,"height":48,"object":"object","milliseconds":1,"faces":[]}
	// ]
}

package samples

import "image"

// A Point is a place in pixels.
type Point struct{ X, Y float64 }

// An Object is one labelled object of a photograph.
type Object struct {
	Box    image.Rectangle
	Marks  []Point
	Ignore bool
	Tags   map[string]string
}

// A Photo is a picture file and what it shows.
type Photo struct {
	File    string
	Objects []Object
}

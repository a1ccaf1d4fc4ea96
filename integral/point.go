package integral

// A Point is a position in an image, in pixels; pixel (0, 0) covers the square
// from (0, 0) to (1, 1).
type Point struct{ X, Y float64 }

// Package inspect describes cascades: their parts, and pictures of the features that
// they use.
//
//	s := inspect.Describe(c)
//	sheet := inspect.Sheet(c, 0, 64, mean)
//
// Describe counts. Sheet draws weak classifiers over a mean image of the
// object: the feature's positive and negative parts, and the outputs. Coverage
// draws how much the cascade uses each pixel, and Template the object as the
// cascade sees it. Equal cascades give equal images.
package inspect

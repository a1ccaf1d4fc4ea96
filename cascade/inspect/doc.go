// Package inspect looks into cascades: what they are made of, what they cost,
// and pictures of what they look at.
//
//	s := inspect.Describe(c)
//	sheet := inspect.Sheet(c, 0, 64, mean)
//
// Describe counts. Sheet draws weak learners, each over a mean picture of the
// object: where it counts light for it, where against it, and what it answers.
// Coverage draws where in the window weak learners look, and Template what the
// object looks like to the cascade. Equal cascades give equal pictures.
package inspect

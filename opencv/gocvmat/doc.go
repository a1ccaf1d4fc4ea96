// Package gocvmat has the names of gocv's cascade classifier, and its results, on
// gocv.Mat: package opencv does the search, and not OpenCV. A program changes
//
//	classifier := gocv.NewCascadeClassifier()
//
// to gocvmat.NewCascadeClassifier(). It needs the build tag gocv, as all here that
// needs OpenCV.
package gocvmat

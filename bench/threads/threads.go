// Package threads sets how many threads OpenCV uses, which gocv does not offer.
package threads

// #cgo pkg-config: opencv4
// #cgo CXXFLAGS: --std=c++11
// #include "threads.h"
import "C"

// Set makes OpenCV use n threads.
func Set(n int) { C.haarlem_set_threads(C.int(n)) }

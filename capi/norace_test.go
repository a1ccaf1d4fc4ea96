//go:build !race

package main

// raceDetector reports whether the tests run under the race detector, where pools
// forget what is put into them.
const raceDetector = false

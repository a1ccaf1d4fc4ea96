//go:build !race

package cascade_test

// raceDetector tells whether the tests run under the race detector.
const raceDetector = false

// Package opencv translates the command lines of opencv_traincascade and
// opencv_createsamples into those of train-cascade.
package opencv

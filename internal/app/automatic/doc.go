// Package automatic is the commands auto, which makes a measured model of labelled
// photographs, and divide, which checks and divides them for it.
package automatic

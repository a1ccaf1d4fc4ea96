// Package network evaluates the small convolutional networks of
// cascade.NetworkStep on squares of a picture, in integers, so that every machine
// computes the same.
package network

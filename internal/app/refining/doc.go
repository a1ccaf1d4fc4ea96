// Package refining is the commands that make a better model of a trained one: prune,
// verifier and calibrate.
package refining

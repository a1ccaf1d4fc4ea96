// Package training is the commands that train a cascade: train, and mine and
// mine-worker, which search negatives for it on other machines.
package training

// Package input reads what the commands of train-cascade are given: photographs
// and their truth, conditions on objects, training windows, models and the flags
// of their search.
package input

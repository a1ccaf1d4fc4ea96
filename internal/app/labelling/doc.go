// Package labelling is the command ui: pages on which photographs are labelled and a
// training is watched.
package labelling

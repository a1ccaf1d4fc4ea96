// Package plot draws the results of an experiment: error against rounds, the
// distribution of margins, and a detector's recall against false positives. It
// takes plain numbers, and writes PNG and SVG.
package plot

// Package plot draws what an experiment found: error against rounds, and the
// distribution of margins. It takes plain numbers, and writes PNG and SVG.
package plot

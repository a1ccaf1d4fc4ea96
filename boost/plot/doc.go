// Package plot draws what an experiment found: error against rounds, the
// distribution of margins, and a detector's hits against false alarms. It takes
// plain numbers, and writes PNG and SVG.
package plot

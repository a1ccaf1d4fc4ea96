// Package export writes a trained cascade as source code for other machines: C99 for
// microcontrollers, JavaScript, and tables for FPGAs.
//
// What is exported decides every window as [engine.Engine] does, to the bit, and visits
// the windows of a plain search: [Export.Options]. [Export.Windows] finds them in Go.
//
// # Exact integers
//
// A feature's value in Go is float32(raw)*inv with inv = float32(1/sqrt(nf)), where raw
// and nf are whole numbers. The exported C has no floating point. It works out the value
// in fixed point, with a bound on the error. Where a threshold or the edge of a bin is
// further away than the bound, the decision is certain. Otherwise the floating-point
// operations are repeated in integers, rounded as IEEE 754 rounds them. The contrast gate
// is a bound on nf. Scores are whole numbers of a unit of which all leaves and thresholds
// are multiples; [New] refuses cascades whose sums Go would round.
//
// # Films
//
// C and JavaScript have the tracker of package track too, to the bit, without descriptors.
// In C it works in doubles; products are stored before they are added, so that no compiler
// rounds both in one step.
//
// # The files
//
// Each file uses only those before it.
//
//	settings    what is exported, and how
//	profile     the 8-bit profile: a cascade with rounded numbers
//	exact       units, gates and bounds
//	levels      the image pyramid
//	packed      tables
//	export      an export, and the windows that it finds
//	c           the C99 header
//	javascript  the ES module
//	tables      memory files, CSV and a Verilog test bench
//	folder      what belongs beside the header: Arduino, ESP-IDF, MicroPython, Zephyr
//	set         several cascades in one file
package export

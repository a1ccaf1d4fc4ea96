// Package program compiles cascades for one memory layout of integral images: into
// records for vector lanes, which evaluate sixteen windows side by side, and for the
// exact evaluator.
//
// Each file uses only those before it: layout, feature, lbp, fixed, program, exact, place, records,
// trees, compile.
package program

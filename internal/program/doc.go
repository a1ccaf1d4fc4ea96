// Package program compiles cascades for one layout of the tables of sums: into
// records that vector lanes run through, sixteen windows side by side, and into
// what the exact evaluator needs, which has the last word.
//
// Its files know each other in this order, from the first on: layout, feature,
// fixed, program, exact, records, trees, compile.
package program

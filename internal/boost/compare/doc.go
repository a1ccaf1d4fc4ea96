// Package compare compares boosters with weak learners on tables: stratified
// k-fold cross-validation, or a training part and a test part, on all cores.
//
// An [Experiment] is tables by methods. [Experiment.Run] returns a [Report],
// which can be written as text, CSV and JSON, and counts on how many tables
// each method was best, second and worst. [ParseMethod] parses a method such as
// "adaboostr+monomials(length=2)".
//
// All numbers of a report except times depend on the experiment only, not on
// the number of workers.
package compare

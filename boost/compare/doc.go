// Package compare runs boosters with weak learners on tables and says which
// one errs least: stratified k-fold cross-validation, or a training part and a
// test part, on all cores.
//
// An [Experiment] is tables by methods. [Experiment.Run] gives a [Report],
// which writes itself as text, CSV and JSON, and counts on how many tables each
// method was best, second and worst. [ParseMethod] makes a method of a text
// such as "adaboostr+monomials(length=2)".
//
// All numbers of a report but the times depend on the experiment only, not on
// the number of workers.
package compare

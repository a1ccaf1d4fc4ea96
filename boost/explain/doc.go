// Package explain says why a model of package boost answers as it does: which
// columns matter, what each does to the score, and how much each has to do with
// the score of one row.
//
//   - [Gain] is what the splits of each column lower a loss by.
//   - [Permutation] is how much worse a metric is when a column is shuffled.
//   - [Shapes] are the curves and maps that an additive model consists of.
//   - [Explainer] parts the score of a row among the columns: exact Shapley values.
package explain

// Package explain explains predictions of models of package boost: which columns
// matter, the effect of each on the score, and its contribution to the score of one
// row.
//
//   - [Gain] is the decrease of a loss by the splits of each column.
//   - [Permutation] is how much worse a metric is when a column is shuffled.
//   - [Shapes] are the curves and maps that an additive model consists of.
//   - [Explainer] distributes the score of a row over the columns: exact Shapley values.
package explain

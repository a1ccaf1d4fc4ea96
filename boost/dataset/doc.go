// Package dataset reads tables: CSV, ARFF and LIBSVM become [boost.Data], with the
// names of columns, levels and classes.
//
//	data, err := dataset.ReadFile("credit.csv", &dataset.Options{Class: "default"})
//
// Columns of names are categorical: [boost.Trees] and [boost.Stumps] split them by
// sets of levels. Files are not trusted: [Limits] are checked before memory is taken.
package dataset

// Package dataset reads, writes and generates two-class tables: columns of numbers
// and a label per row. Three file formats are supported (CSV, ARFF and LIBSVM), and
// 28 problems, most of them from the literature, are built in, either as a complete
// finite domain or as a generator that is a pure function of its seed.
//
// [ReadFile] reads a [Table] from a file, and [Recipe.Table] makes one of the
// problems that [Sets] lists:
//
//	recipe, err := dataset.ParseRecipe("ringnorm:rows=1000,noise=0.1,seed=7")
//	...
//	table, err := recipe.Table()
//
// [Table.Indicators] turns nominal columns into columns of zeros and ones for
// learners of numbers, and [Table.Matrix] returns the columns as plain slices.
//
// The package does not depend on package boost, and imports only the standard
// library.
package dataset

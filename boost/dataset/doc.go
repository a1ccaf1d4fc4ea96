// Package dataset holds two-class tables: columns of numbers, a label a row,
// and where they come from. Three file formats are read and written (CSV, ARFF
// and LIBSVM), and 28 problems, most of them from the literature, are built in, either
// as a complete finite domain or as a generator that is a pure function of its
// seed.
//
// A [Table] is what everything else makes or takes. [ReadFile] reads one from a
// file, [Recipe.Table] makes one of the problems that [Sets] lists:
//
//	recipe, err := dataset.ParseRecipe("ringnorm:rows=1000,noise=0.1,seed=7")
//	...
//	table, err := recipe.Table()
//
// Boosting knows numbers only. [Table.Indicators] turns columns of names into
// columns of zeros and ones, and [Table.Matrix] gives the columns as plain
// slices.
//
// The package knows nothing of boosting: it stands on the standard library
// alone.
package dataset

// Package catalogue makes the tables of two classes that the experiments use: 28
// problems, most of them from the literature, either a complete finite domain or a
// generator that is a pure function of its seed.
//
// [Sets] lists them, and [Recipe.Table] makes one:
//
//	recipe, err := catalogue.ParseRecipe("ringnorm:rows=1000,noise=0.1,seed=7")
//	...
//	table, err := recipe.Table()
package catalogue

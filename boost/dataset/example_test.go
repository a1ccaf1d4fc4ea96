package dataset_test

import (
	"fmt"
	"os"
	"strings"

	"haarlem/boost/dataset"
)

// A recipe makes a table of a built-in set; here all boards at the end of a
// game of tic-tac-toe, with a tenth of the labels flipped.
func ExampleParseRecipe() {
	recipe, err := dataset.ParseRecipe("tictactoe:noise=0.1,seed=7")
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := recipe.Table()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Rows(), "boards,", len(table.Columns), "squares of", table.Columns[0].Levels)
	fmt.Println("the best classifier errs on", recipe.Bayes())
	// Output:
	// 958 boards, 9 squares of [b o x]
	// the best classifier errs on 0.1
}

// Columns of names become columns of zeros and ones, and a class may be any
// name.
func ExampleReadCSV() {
	const text = `weight,colour,kind
0.5,red,apple
?,green,pear
0.7,blue,apple
`
	table, err := dataset.ReadCSV(strings.NewReader(text), &dataset.Options{Positive: []string{"apple"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Labels)
	for _, c := range table.Indicators().Columns {
		fmt.Println(c.Name, c.Values)
	}
	// Output:
	// [1 -1 1]
	// weight [0.5 NaN 0.7]
	// colour=blue [0 0 1]
	// colour=green [0 1 0]
	// colour=red [1 0 0]
}

// Errors say where.
func ExampleReadCSV_errors() {
	_, err := dataset.ReadCSV(strings.NewReader("x,y\n1,a\n2,b\nthree,a\n"), nil)
	fmt.Println(err)
	// Output:
	// dataset: CSV line 4: syntax error: column "x": "three" is no finite number but line 2 has one: mend it, or list the column as nominal
}

func ExampleWriteARFF() {
	table := &dataset.Table{
		Name: "fruit", Classes: [2]string{"pear", "apple"}, Labels: []int8{1, -1},
		Columns: []dataset.Column{{Name: "weight", Values: []float64{0.5, 0.7}}},
	}
	if err := dataset.WriteARFF(os.Stdout, table); err != nil {
		fmt.Println(err)
	}
	// Output:
	// @relation fruit
	//
	// @attribute weight numeric
	// @attribute class {pear, apple}
	//
	// @data
	// 0.5,apple
	// 0.7,pear
}

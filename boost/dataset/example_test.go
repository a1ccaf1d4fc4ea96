package dataset_test

import (
	"fmt"
	"strings"

	"haarlem/boost/dataset"
)

// Columns of names are categorical, and a class may be any name.
func ExampleReadCSV() {
	const text = `weight,colour,kind
0.5,red,apple
?,green,pear
0.7,blue,apple
`
	data, err := dataset.ReadCSV(strings.NewReader(text), &dataset.Options{Positive: []string{"apple"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(data.Labels)
	for j, c := range data.Columns {
		fmt.Println(data.Names[j], c, data.LevelsOf(j))
	}
	// Output:
	// [1 -1 1]
	// weight [0.5 NaN 0.7] []
	// colour [2 1 0] [blue green red]
}

// Errors say where.
func ExampleReadCSV_errors() {
	_, err := dataset.ReadCSV(strings.NewReader("x,y\n1,a\n2,b\nthree,a\n"), nil)
	fmt.Println(err)
	// Output:
	// dataset: CSV line 4: syntax error: column "x": "three" is no finite number but line 2 has one: mend it, or list the column as nominal
}

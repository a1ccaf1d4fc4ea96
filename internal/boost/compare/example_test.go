package compare_test

import (
	"context"
	"fmt"
	"os"

	"haarlem/internal/boost/catalogue"
	"haarlem/internal/boost/compare"
)

// Two boosters with stumps, on all 432 robots of the third monk's problem, by
// cross-validation with four folds.
func ExampleExperiment_Run() {
	recipe, err := catalogue.ParseRecipe("monks3")
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := recipe.Table()
	if err != nil {
		fmt.Println(err)
		return
	}
	e := &compare.Experiment{Tables: []compare.Table{{Name: recipe.Set, Data: table}}, Rounds: []int{1, 20}, Folds: 4}
	for _, text := range []string{"discrete+stumps", "gentle+trees(leaves=3)"} {
		m, err := compare.ParseMethod(text, false)
		if err != nil {
			fmt.Println(err)
			return
		}
		e.Methods = append(e.Methods, m)
	}
	report, err := e.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	report.ForgetTimes() // they differ from run to run
	if err := report.WriteText(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Test errors in per cent: stratified 4-fold cross-validation, seed 0.
	//
	// After 1 rounds
	//    table  rows    +  discrete+stumps  gentle+trees(leaves=3)
	//   monks3   432  228   19.44 +- 1.69            2.78 +- 0.76*
	//
	//                   method  #best  #second  #worst  mean rank  mean error  ms a run
	//          discrete+stumps      0        1       1       2.00       19.44      0.00
	//   gentle+trees(leaves=3)      1        0       0       1.00        2.78      0.00
	//
	// After 20 rounds
	//    table  rows    +  discrete+stumps  gentle+trees(leaves=3)
	//   monks3   432  228    0.00 +- 0.00*           0.00 +- 0.00*
	//
	//                   method  #best  #second  #worst  mean rank  mean error  ms a run
	//          discrete+stumps      1        0       0       1.50        0.00      0.00
	//   gentle+trees(leaves=3)      1        0       0       1.50        0.00      0.00
}

// Command boost fits, applies, evaluates and explains models of tables:
// boosting in all the forms of package boost, from the command line.
package main

import (
	"haarlem/internal/app/cli"
)

func main() { program().Execute() }

func program() *cli.Program {
	return &cli.Program{
		Name:    "boost",
		Summary: "fit, apply, evaluate and explain boosted models of tables",
		Commands: []*cli.Command{
			fitCommand(), predictCommand(), evaluateCommand(), compareCommand(), explainCommand(), convertCommand(), boundsCommand(), marginsCommand(), listCommand(),
		},
	}
}

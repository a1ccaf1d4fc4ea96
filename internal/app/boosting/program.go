// Package boosting is the commands of program boost: they fit, apply, evaluate and
// explain models of tables.
package boosting

import "haarlem/internal/app/cli"

// Program is the whole program.
func Program() *cli.Program {
	return &cli.Program{
		Name:    "boost",
		Summary: "fit, apply, evaluate and explain boosted models of tables",
		Commands: []*cli.Command{
			fitCommand(), predictCommand(), evaluateCommand(), compareCommand(), explainCommand(), convertCommand(), boundsCommand(), marginsCommand(), listCommand(),
		},
	}
}

// Command boost fits, applies, evaluates and explains models of tables:
// boosting in all the forms of package boost, from the command line.
package main

import "haarlem/internal/app/boosting"

func main() { boosting.Program().Execute() }

// Modpath gives the module another path: in the go.mod files, in the imports
// of every Go file, and in the documents.
//
//	go run ./internal/modpath example.org/you/haarlem
//
// It works on the repository in the working directory, and changes only the
// path: the names of file formats, metrics and programs stay.
package main

import (
	"fmt"
	"os"
	"strings"
	"unicode"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/modpath NEW/MODULE/PATH")
		os.Exit(2)
	}
	n, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintf(os.Stderr, "modpath: %v\n", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed; go mod tidy and go test ./... come next\n", n)
}

// checkPath reports what is wrong with a module path, as far as a mistake in
// typing goes. The go command checks the rest.
func checkPath(path string) error {
	for _, element := range strings.Split(path, "/") {
		if element == "" || strings.HasPrefix(element, ".") || strings.HasPrefix(element, "-") || strings.HasSuffix(element, ".") {
			return fmt.Errorf("module path %q has an element %q", path, element)
		}
	}
	for _, r := range path {
		if !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-._~/", r)) || r > unicode.MaxASCII {
			return fmt.Errorf("module path %q has the character %q", path, r)
		}
	}
	return nil
}

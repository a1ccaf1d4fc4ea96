package web_test

import (
	"fmt"
	"log"
	"strings"

	"haarlem/web"
)

func Example() {
	models, err := web.Builtin()
	if err != nil {
		log.Fatal(err)
	}
	files, err := web.Files(models)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Type, "text/html") {
			fmt.Println(f.Name)
		}
	}
	// Output: index.html
}

// Command search finds the objects of a model in an image a number of times,
// for command instructions.
package main

import (
	"context"
	"flag"
	"fmt"
	"image"
	_ "image/png"
	"log"
	"os"

	"haarlem/cascade/detector"
	"haarlem/models"
)

func main() {
	log.SetFlags(0)
	name := flag.String("model", "face-fast", "name of the model")
	times := flag.Int("times", 1, "searches")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: search [flags] PICTURE.png")
	}
	f, err := os.Open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	m, _, err := image.Decode(f)
	if err != nil {
		log.Fatal(err)
	}
	g, ok := m.(*image.Gray)
	if !ok {
		log.Fatalf("%s: not a grey picture of 8 bits", flag.Arg(0))
	}
	c, err := models.Open(*name)
	if err != nil {
		log.Fatal(err)
	}
	d, err := detector.New(&detector.Options{Workers: 1}, c)
	if err != nil {
		log.Fatal(err)
	}
	var found []detector.Detection
	for range *times {
		if found, err = d.AppendDetect(context.Background(), found[:0], g); err != nil {
			log.Fatal(err)
		}
	}
	for _, f := range found {
		fmt.Println(f)
	}
}

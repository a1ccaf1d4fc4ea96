// A program with the client that is generated for Go: it compiles only if the types
// are what the interface describes, and ends well only if a server fits them.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"

	"clients/client"
)

func main() {
	c, err := client.NewClientWithResponses(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	picture, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	size, points := "60", client.Face5
	answer, err := c.DetectWithBodyWithResponse(context.Background(), &client.DetectParams{MinSize: &size, Points: &points}, "image/png", bytes.NewReader(picture))
	if err != nil {
		log.Fatal(err)
	}
	if answer.JSON200 == nil {
		log.Fatalf("%s: %s", answer.Status(), answer.Body)
	}
	faces := (*answer.JSON200)[0].Faces
	fmt.Printf("Go: %d faces, the first %d pixels wide with %d points\n", len(faces), faces[0].Width, len(*faces[0].Points))

	wrong := "-1"
	answer, err = c.DetectWithBodyWithResponse(context.Background(), &client.DetectParams{MinSize: &wrong}, "image/png", bytes.NewReader(picture))
	if err != nil {
		log.Fatal(err)
	}
	if answer.JSON400 == nil || answer.JSON400.Code != "option" {
		log.Fatalf("a wrong option: %s", answer.Body)
	}
}

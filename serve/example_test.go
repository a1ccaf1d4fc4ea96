package serve_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"haarlem/serve"
)

// A server is a handler like any other.
func Example() {
	s, err := serve.New(&serve.Options{MaxBytes: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	host := httptest.NewServer(s)
	defer host.Close()

	picture, err := os.Open("../samples/room.png") // with nobody in it
	if err != nil {
		log.Fatal(err)
	}
	defer picture.Close()
	answer, err := http.Post(host.URL+"/detect?min-size=40&name=room.png", "image/png", picture)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.StatusCode, len(body) > 0 && body[0] == '[')
	// Output: 200 true
}

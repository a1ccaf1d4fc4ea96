// Handler puts the detector behind a path of a web server of one's own.
//
//	go run ./examples/handler &
//	curl --data-binary @samples/group.png http://127.0.0.1:8081/faces/detect
package main

import (
	"fmt"
	"log"
	"net/http"
	"time"

	"haarlem/serve"
)

// newHandler returns a site: a page of its own, and the detector below /faces/.
func newHandler() (http.Handler, error) {
	faces, err := serve.New(&serve.Options{
		MaxPixels: 12e6,
		WorkTime:  5 * time.Second,
		Rate:      10, // pictures a second from each host
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/faces/", http.StripPrefix("/faces", faces))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "POST a picture to /faces/detect")
	})
	return mux, nil
}

func main() {
	handler, err := newHandler()
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Addr: "127.0.0.1:8081", Handler: handler,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute,
	}
	log.Fatal(server.ListenAndServe())
}

package main

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func TestHandler(t *testing.T) {
	h := must.Get(newHandler())
	picture := must.Get(os.Open("../../samples/group.png"))
	defer picture.Close()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "http://localhost/faces/detect", picture))
	if w.Code != 200 || strings.Count(w.Body.String(), `"score"`) != 11 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/", nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), "/faces/detect") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

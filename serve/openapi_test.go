package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
)

// A document is a part of the description.
type document map[string]any

func describe(t testing.TB) document {
	t.Helper()
	var d document
	must.Do(json.Unmarshal(openapi, &d))
	return d
}

// part follows names down; nil if there is nothing.
func (d document) part(names ...string) document {
	for _, n := range names {
		next, ok := d[n].(map[string]any)
		if !ok {
			return nil
		}
		d = next
	}
	return d
}

// resolve follows a reference, if p is one.
func (d document) resolve(p document) (document, error) {
	ref, ok := p["$ref"].(string)
	if !ok {
		return p, nil
	}
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, fmt.Errorf("reference %q leads elsewhere", ref)
	}
	if p = d.part(strings.Split(path, "/")...); p == nil {
		return nil, fmt.Errorf("reference %q leads nowhere", ref)
	}
	return p, nil
}

// known are the words of JSON Schema that check understands. Any other is an
// error, so that none is believed to be checked that is not.
var known = []string{"type", "properties", "required", "items", "minItems", "maxItems", "minimum", "maximum",
	"minLength", "maxLength", "pattern", "enum", "$ref", "description", "default", "examples", "contentMediaType"}

// check holds a value against a schema and returns what does not fit.
func (d document) check(schema document, at string, v any) (bad []string) {
	schema, err := d.resolve(schema)
	if err != nil {
		return []string{err.Error()}
	}
	wrong := func(format string, args ...any) {
		bad = append(bad, at+": "+fmt.Sprintf(format, args...))
	}
	for word := range schema {
		if !slices.Contains(known, word) {
			wrong("the schema says %q, which this test does not know", word)
		}
	}
	number := func(word string, or float64) float64 {
		if n, ok := schema[word].(float64); ok {
			return n
		}
		return or
	}
	kind := ""
	switch x := v.(type) {
	case map[string]any:
		kind = "object"
		properties := document(schema).part("properties")
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := x[name.(string)]; !ok {
				wrong("no %v", name)
			}
		}
		for name, value := range x {
			if properties == nil {
				continue
			}
			if p := properties.part(name); p != nil {
				bad = append(bad, d.check(p, at+"."+name, value)...)
			} else {
				wrong("%s is not described", name)
			}
		}
	case []any:
		kind = "array"
		if n := float64(len(x)); n < number("minItems", 0) || n > number("maxItems", math.Inf(1)) {
			wrong("%d items", len(x))
		}
		for i, value := range x {
			bad = append(bad, d.check(document(schema).part("items"), fmt.Sprintf("%s[%d]", at, i), value)...)
		}
	case string:
		kind = "string"
		if n := float64(len(x)); n < number("minLength", 0) || n > number("maxLength", math.Inf(1)) {
			wrong("%d characters", len(x))
		}
		if p, ok := schema["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(x) {
			wrong("%q does not match %s", x, p)
		}
	case float64:
		kind = "number"
		if schema["type"] == "integer" && x == math.Trunc(x) {
			kind = "integer"
		}
		if x < number("minimum", math.Inf(-1)) || x > number("maximum", math.Inf(1)) {
			wrong("%v is out of bounds", x)
		}
	case bool:
		kind = "boolean"
	}
	if kind != schema["type"] {
		wrong("it is of type %s, want %v", kind, schema["type"])
	}
	if list, ok := schema["enum"].([]any); ok && !slices.Contains(list, v) {
		wrong("%v is none of %v", v, list)
	}
	return bad
}

// The description is one: what OpenAPI 3.1 requires is there, all references
// lead somewhere, and every operation says what it answers.
func TestDescriptionIsWhole(t *testing.T) {
	d := describe(t)
	if v, _ := d["openapi"].(string); !strings.HasPrefix(v, "3.1.") {
		t.Errorf("openapi is %v", d["openapi"])
	}
	for _, name := range []string{"title", "version"} {
		if s, _ := d.part("info")[name].(string); s == "" {
			t.Errorf("info has no %s", name)
		}
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch x := v.(type) {
		case map[string]any:
			if _, err := d.resolve(x); err != nil {
				t.Errorf("%s: %v", at, err)
			}
			if p, ok := x["pattern"].(string); ok {
				if _, err := regexp.Compile(p); err != nil {
					t.Errorf("%s: %v", at, err)
				}
			}
			for name, value := range x {
				walk(at+"/"+name, value)
			}
		case []any:
			for i, value := range x {
				walk(fmt.Sprintf("%s/%d", at, i), value)
			}
		}
	}
	walk("#", map[string]any(d))
	names := map[string]bool{}
	for path := range d.part("paths") {
		if !strings.HasPrefix(path, "/") {
			t.Errorf("path %q", path)
		}
		for method := range d.part("paths", path) {
			operation := d.part("paths", path, method)
			id, _ := operation["operationId"].(string)
			if id == "" || names[id] {
				t.Errorf("%s %s: the operation's name %q is missing or not its own", method, path, id)
			}
			names[id] = true
			if len(operation.part("responses")) == 0 {
				t.Errorf("%s %s: no responses", method, path)
			}
			for status := range operation.part("responses") {
				r, err := d.resolve(operation.part("responses", status))
				if s, _ := r["description"].(string); err != nil || s == "" || !regexp.MustCompile("^[1-5][0-9][0-9]$").MatchString(status) {
					t.Errorf("%s %s: status %q: %v", method, path, status, err)
				}
			}
		}
	}
}

// The options that are described are those that are understood, with the
// defaults and bounds that they have.
func TestDescribedOptions(t *testing.T) {
	d := describe(t)
	s := newServer(t, nil)
	list, _ := d.part("paths", "/detect", "post")["parameters"].([]any)
	var names []string
	status := func(name, value string) int {
		return post(s, "?"+url.Values{name: {value}}.Encode(), nil).Code // 415 for the body, if the option is right
	}
	for _, p := range list {
		p := document(p.(map[string]any))
		name, _ := p["name"].(string)
		names = append(names, name)
		if p["in"] != "query" || p["required"] == true {
			t.Errorf("%s: %v", name, p)
		}
		schema := must.Get(d.resolve(p.part("schema")))
		for _, word := range []string{"minimum", "maximum"} {
			v, ok := schema[word].(float64)
			if !ok {
				continue
			}
			off := 1.0
			if word == "minimum" {
				off = -1
			}
			in, out := fmt.Sprint(v), fmt.Sprint(v+off)
			if schema["type"] == "integer" {
				in, out = fmt.Sprintf("%.0f", v), fmt.Sprintf("%.0f", v+off)
			}
			if got := status(name, in); got != 415 {
				t.Errorf("%s=%s is in bounds, but gives %d", name, in, got)
			}
			if got := status(name, out); got != 400 {
				t.Errorf("%s=%s is out of bounds, but gives %d", name, out, got)
			}
		}
		if v, ok := schema["default"]; ok {
			if got := status(name, fmt.Sprint(v)); got != 415 {
				t.Errorf("%s: its default %v gives %d", name, v, got)
			}
		}
		examples, _ := schema["examples"].([]any)
		for _, v := range examples {
			if got := status(name, v.(string)); got != 415 {
				t.Errorf("%s: its example %v gives %d", name, v, got)
			}
		}
	}
	slices.Sort(names)
	if want := slices.Sorted(maps.Keys(parameters)); !slices.Equal(names, want) {
		t.Errorf("described are %v, understood %v", names, want)
	}
}

// Every answer fits the description, and every status of it can be had.
func TestAnswersFitTheDescription(t *testing.T) {
	d := describe(t)
	// What is described and not yet seen.
	missing := map[string]bool{}
	for path := range d.part("paths") {
		for method := range d.part("paths", path) {
			for status := range d.part("paths", path, method, "responses") {
				missing[method+" "+path+" "+status] = true
			}
		}
	}
	codes := map[string]bool{}
	for _, c := range d.part("components", "schemas", "Failure", "properties", "code")["enum"].([]any) {
		codes[c.(string)] = true
	}
	see := func(method, path string, r *http.Response, body []byte) {
		t.Helper()
		// A wrong method has no operation of its own.
		if d.part("paths", path, method) == nil {
			for m := range d.part("paths", path) {
				method = m
			}
		}
		name := fmt.Sprintf("%s %s %d", method, path, r.StatusCode)
		delete(missing, name)
		response, err := d.resolve(d.part("paths", path, method, "responses", fmt.Sprint(r.StatusCode)))
		if err != nil || len(response) == 0 {
			if path == "/nowhere" {
				response, err = d.resolve(document{"$ref": "#/components/responses/Bug"})
			}
			if err != nil || len(response) == 0 {
				t.Errorf("%s is not described: %v", name, err)
				return
			}
		}
		for h := range response.part("headers") {
			if response.part("headers", h)["required"] == true && r.Header.Get(h) == "" {
				t.Errorf("%s: no header %s", name, h)
			}
		}
		kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
		content := response.part("content", kind)
		if content == nil {
			t.Errorf("%s: type %q is not described", name, kind)
			return
		}
		var v any = string(body)
		if kind == "application/json" {
			if err := json.Unmarshal(body, &v); err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
		}
		for _, bad := range d.check(content.part("schema"), name, v) {
			t.Error(bad)
		}
		if f, ok := v.(map[string]any); ok && r.StatusCode >= 400 {
			delete(codes, fmt.Sprint(f["code"]))
		}
	}
	send := func(s *Server, r *http.Request) {
		t.Helper()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		see(strings.ToLower(r.Method), r.URL.Path, w.Result(), w.Body.Bytes())
	}
	ask := func(s *Server, method, target string, body []byte) {
		t.Helper()
		send(s, httptest.NewRequest(method, "http://localhost"+target, bytes.NewReader(body)))
	}
	s := must.Get(New(&Options{MaxBytes: 1 << 20, Workers: 1, Waiting: -1}))
	data := group(t)
	ask(s, "POST", "/detect?min-size=60", data)
	ask(s, "POST", "/detect?min-size=60&min-score=2", data) // nobody
	ask(s, "POST", "/detect?min-size=-1", data)
	ask(s, "GET", "/detect", nil)
	ask(s, "POST", "/detect", make([]byte, 1<<20+1))
	ask(s, "POST", "/detect", huge())
	ask(s, "POST", "/detect", []byte("text"))
	ask(s, "POST", "/detect", data[:len(data)-100])
	ask(s, "POST", "/detect?model=face-fast&scale=1.01", manyFaces(t))
	ask(s, "GET", "/nowhere", nil)
	foreign := httptest.NewRequest("POST", "http://localhost/detect", nil)
	foreign.Header.Set("Origin", "https://evil.example")
	send(s, foreign)
	send(s, httptest.NewRequest("POST", "http://evil.example/detect", nil))
	for path := range d.part("paths") {
		if path != "/detect" {
			send(s, httptest.NewRequest("GET", "http://evil.example"+path, nil))
			foreign := httptest.NewRequest("GET", "http://localhost"+path, nil)
			foreign.Header.Set("Origin", "https://evil.example")
			send(s, foreign)
			ask(s, "GET", path, nil)
			ask(s, "POST", path, nil)
		}
	}
	for _, kind := range []string{"application/x-ndjson", "text/csv", "image/png", "image/jpeg", "audio/mpeg"} {
		r := httptest.NewRequest("POST", "http://localhost/detect?min-size=60&points=face5", bytes.NewReader(data))
		r.Header.Set("Accept", kind)
		send(s, r)
	}
	ask(s, "POST", "/detect?min-size=60&points=face5", data)
	s.work <- struct{}{}
	ask(s, "POST", "/detect", data)
	ask(s, "GET", "/readyz", nil)
	<-s.work
	locked := newServer(t, &Options{Keys: []Key{{"one", "0123456789abcdef"}}, Rate: 0.1})
	ask(locked, "POST", "/detect", data)
	ask(locked, "GET", "/metrics", nil)
	limited := newServer(t, &Options{Rate: 0.1})
	for range 2 {
		ask(limited, "GET", "/metrics", nil)
	}
	ask(limited, "POST", "/detect", data)
	s.close()
	ask(s, "GET", "/healthz", nil)

	hasty := newServer(t, &Options{WorkTime: time.Nanosecond})
	ask(hasty, "POST", "/detect", data)

	// A bug: a model that is there but nil.
	broken := newServer(t, nil)
	broken.o.Models[0].Name = "none"
	broken.models["none"] = nil
	ask(broken, "POST", "/detect", data)

	// What only a connection can do.
	slow := newServer(t, &Options{BodyTime: 300 * time.Millisecond})
	address, _ := listen(t, slow)
	for _, text := range []string{
		"POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
		"POST /detect HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
	} {
		c := must.Get(net.Dial("tcp", address))
		fmt.Fprint(c, text)
		r := must.Get(http.ReadResponse(bufio.NewReader(c), nil))
		var body bytes.Buffer
		if _, err := body.ReadFrom(r.Body); err != nil {
			t.Error(err)
		}
		see("post", "/detect", r, body.Bytes())
		c.Close()
	}
	for name := range missing {
		t.Errorf("%s is described, but this test has not seen it", name)
	}
	for name := range codes {
		t.Errorf("the code %q is described, but this test has not seen it", name)
	}
}

package serve

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/models"
	"haarlem/web"
)

func newServer(t testing.TB, o *Options) *Server {
	t.Helper()
	var v Options
	if o != nil {
		v = *o
	}
	if v.Models == nil {
		v.Models = first()
	}
	return must.Get(New(&v))
}

// first is the default model, which every server would decode anew.
var first = sync.OnceValue(func() []web.Model {
	return []web.Model{{Name: models.Default, Cascade: must.Get(models.Open(models.Default))}}
})

// listen serves s on a port of its own until the test ends.
func listen(t testing.TB, s *Server) (address string, end func() error) {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	end = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() { _ = end() }) // those that care have asked
	return l.Addr().String(), end
}

func group(t testing.TB) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join("..", "samples", "group.png")))
}

// huge is a PNG of few bytes whose header promises many pixels.
func huge() []byte {
	data := picturetest.PNG(image.NewGray(image.Rect(0, 0, 8, 8)))
	copy(data[16:], []byte{0, 0, 0x40, 0, 0, 0, 0x40, 0})
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func post(s http.Handler, query string, body []byte) *httptest.ResponseRecorder {
	return send(s, httptest.NewRequest("POST", "http://localhost/detect"+query, bytes.NewReader(body)))
}

// send has s answer a request.
func send(s http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// get asks for a path, with a header of names and values.
func get(s http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "http://localhost"+path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return send(s, r)
}

// refused checks that an answer is a failure's.
func refused(t testing.TB, what string, w *httptest.ResponseRecorder, status int, want string) {
	t.Helper()
	later := want == "busy" // of others a second time is refused as well
	if w.Code != status || code(t, w.Body.Bytes()) != want || later && w.Header().Get("Retry-After") == "" {
		t.Errorf("%s: %d %s, %v, want %d %s", what, w.Code, w.Body, w.Header(), status, want)
	}
}

func code(t testing.TB, body []byte) string {
	t.Helper()
	var f struct{ Code, Message string }
	if err := json.Unmarshal(body, &f); err != nil || f.Message == "" {
		t.Fatalf("not a failure's body: %v, %s", err, body)
	}
	return f.Code
}

// POST /detect answers what the detector finds, in detect's JSON.
func TestDetect(t *testing.T) {
	s := must.Get(New(nil))
	data := group(t)
	img := must.Get(png.Decode(bytes.NewReader(data)))
	c := must.Get(models.Open(models.Default))
	for query, o := range map[string]detector.Options{
		"":                              {},
		"?min-size=60&max-size=110x120": {MinSize: image.Pt(60, 60), MaxSize: image.Pt(110, 120)},
		"?scale=1.3&min-neighbors=-1":   {Scale: 1.3, Search: with(c, func(s *cascade.Search) { s.MinCandidates = 1 })},
		"?min-neighbors=0&min-size=100": {Ungrouped: true, MinSize: image.Pt(100, 100)},
		"?min-score=0.9&rotate=0,-10":   {MinScore: 0.9, Angles: []float64{0, -10}},
		"?pad=30&min-size=80":           {Search: with(c, func(s *cascade.Search) { s.Pad = 0.3 }), MinSize: image.Pt(80, 80)},
		"?pad=0":                        {Search: with(c, func(s *cascade.Search) { s.Pad = 0 })},
		"?model=" + models.Default + "&min-size=90": {MinSize: image.Pt(90, 90)},
	} {
		d := must.Get(detector.New(&o, c))
		want, err := d.Detect(context.Background(), img)
		if err != nil || len(want) == 0 {
			t.Fatal(len(want), err)
		}
		w := post(s, query, data)
		var got []jsonout.Picture
		if err := json.Unmarshal(w.Body.Bytes(), &got); w.Code != 200 || err != nil || len(got) != 1 {
			t.Fatalf("%s: %d, %v: %s", query, w.Code, err, w.Body)
		}
		if kind := w.Header().Get("Content-Type"); kind != "application/json" {
			t.Errorf("%s: type %q", query, kind)
		}
		var list bytes.Buffer
		a := must.Get(jsonout.NewArray(&list))
		expected := jsonout.Of("-", img.Bounds().Size(), 0, cascade.Object{Singular: "face", Plural: "faces"}, want)
		expected.Milliseconds = got[0].Milliseconds
		must.Do(errors.Join(a.Add(expected), a.End()))
		if w.Body.String() != list.String() {
			t.Errorf("%s: got\n%swant\n%s", query, w.Body, &list)
		}
	}
}

// manyFaces is a file full of one face.
func manyFaces(t *testing.T) []byte {
	t.Helper()
	m := must.Get(png.Decode(bytes.NewReader(group(t))))
	out := image.NewGray(image.Rect(0, 0, 1320, 1200))
	for y := range 1200 {
		for x := range 1320 {
			out.Set(x, y, m.At(153+2*(x%55), 176+2*(y%50)))
		}
	}
	return picturetest.PNG(out)
}

// What is wrong has the status and the code that openapi.json gives it.
func TestRefusals(t *testing.T) {
	s := must.Get(New(&Options{MaxBytes: 1 << 20, WorkTime: time.Minute}))
	data := group(t)
	for _, test := range []struct {
		query  string
		body   []byte
		status int
		code   string
	}{
		{"?nonsense=1", data, 400, "option"},
		{"?min-size=60&min-size=61", data, 400, "option"},
		{"?min-size=0", data, 400, "option"},
		{"?min-size=axb", data, 400, "option"},
		{"?min-size=100&max-size=50", data, 400, "option"},
		{"?scale=1", data, 400, "option"},
		{"?scale=NaN", data, 400, "option"},
		{"?min-neighbors=-2", data, 400, "option"},
		{"?min-neighbors=1e3", data, 400, "option"},
		{"?min-score=Inf", data, 400, "option"},
		{"?rotate=1,,2", data, 400, "option"},
		{"?rotate=" + strings.Repeat("1,", 16) + "1", data, 400, "option"},
		{"?model=../../etc/passwd", data, 400, "option"},
		{"?name=" + strings.Repeat("x", 256), data, 400, "option"},
		{"?name=%ff", data, 400, "option"},
		{"", nil, 415, "format"},
		{"", []byte("hello, world"), 415, "format"},
		{"", data[:len(data)/2], 422, "damaged"},
		{"", make([]byte, 1<<20+1), 413, "bytes"},
		{"", huge(), 413, "pixels"},
		{"?model=face-fast&scale=1.01", manyFaces(t), 422, "candidates"},
	} {
		refused(t, fmt.Sprintf("%.60s with %d bytes", test.query, len(test.body)), post(s, test.query, test.body), test.status, test.code)
	}
	form := httptest.NewRequest("POST", "http://localhost/detect", bytes.NewReader(data))
	form.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	refused(t, "a form that is none", send(s, form), 400, "body")
	if s.held.Load() != 0 || len(s.work) != 0 || s.waiting.Load() != 0 {
		t.Errorf("afterwards %d bytes are held, %d workers busy, %d requests waiting", s.held.Load(), len(s.work), s.waiting.Load())
	}
}

func TestMethodsAndPaths(t *testing.T) {
	s := newServer(t, nil)
	for _, test := range []struct {
		method, path, allow string
		status              int
	}{
		{"GET", "/detect", "POST", 405}, {"PUT", "/detect", "POST", 405}, {"OPTIONS", "/detect", "POST", 405},
		{"POST", "/healthz", "GET, HEAD", 405}, {"POST", "/metrics", "GET, HEAD", 405}, {"DELETE", "/", "GET, HEAD", 405},
		{"POST", "/openapi.json", "GET, HEAD", 405},
		{"GET", "/nowhere", "", 404}, {"GET", "/../serve.go", "", 404}, {"GET", "/detect/", "", 404},
		{"GET", "/", "", 200}, {"HEAD", "/", "", 200}, {"GET", "/healthz", "", 200}, {"GET", "/models/index.json", "", 200},
	} {
		r := httptest.NewRequest(test.method, "http://localhost/", nil)
		r.URL.Path = test.path
		w := send(s, r)
		if w.Code != test.status || w.Header().Get("Allow") != test.allow {
			t.Errorf("%s %s: %d, Allow %q; want %d, %q", test.method, test.path, w.Code, w.Header().Get("Allow"), test.status, test.allow)
		}
	}
}

// The page comes packed for those who can unpack it, is not sent twice, and
// may not send anything elsewhere.
func TestAssets(t *testing.T) {
	s := newServer(t, nil)
	plain, packed := get(s, "/app.js"), get(s, "/app.js", "Accept-Encoding", "br, gzip;q=0.8")
	if plain.Header().Get("Content-Encoding") != "" || packed.Header().Get("Content-Encoding") != "gzip" ||
		packed.Body.Len() >= plain.Body.Len() || plain.Header().Get("ETag") == packed.Header().Get("ETag") {
		t.Errorf("plain %d bytes, %v; packed %d bytes, %v", plain.Body.Len(), plain.Header(), packed.Body.Len(), packed.Header())
	}
	if w := get(s, "/app.js", "Accept-Encoding", "gzip;q=0"); w.Header().Get("Content-Encoding") != "" {
		t.Error("packed for one who said no to that")
	}
	if w := get(s, "/app.js", "If-None-Match", plain.Header().Get("ETag")); w.Code != 304 || w.Body.Len() != 0 {
		t.Errorf("known to the browser: %d with %d bytes", w.Code, w.Body.Len())
	}
	if p := get(s, "/").Header().Get("Content-Security-Policy"); !strings.Contains(p, "connect-src 'self'") || !strings.Contains(p, "default-src 'none'") {
		t.Errorf("policy %q", p)
	}
	if kind := get(s, "/sw.js").Header().Get("Content-Type"); !strings.HasPrefix(kind, "text/javascript") {
		t.Errorf("sw.js has type %q", kind)
	}
}

// A request waits for a worker; with enough waiting, others are sent away.
func TestBusy(t *testing.T) {
	t.Parallel()
	s := newServer(t, &Options{Workers: 1, Waiting: 1, WorkTime: 300 * time.Millisecond})
	s.work <- struct{}{} // the worker is busy
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- post(s, "", group(t)) }()
	wait(t, "a waiting request", func() bool { return s.waiting.Load() > 0 })
	refused(t, "one too many", post(s, "", group(t)), 503, "busy")
	refused(t, "waited for too long", <-first, 503, "busy")
	<-s.work
	s.o.WorkTime = time.Minute // however busy this machine is
	if w := post(s, "?min-size=80", group(t)); w.Code != 200 {
		t.Errorf("with time for it: %d %s", w.Code, w.Body)
	}
}

// A search that takes too long ends with a status of its own.
func TestWorkTime(t *testing.T) {
	s := newServer(t, &Options{WorkTime: 30 * time.Millisecond})
	refused(t, "a long search", post(s, "?scale=1.01&rotate=0,10,20,30,40,50,60,70", blank(t, 4000, 3000)), 503, "time")
}

// No more bytes are held than may be, whatever clients announce.
func TestHeld(t *testing.T) {
	s := newServer(t, &Options{MaxBytes: 1 << 20, MaxHeld: 1 << 20})
	s.held.Add(1<<20 - 1000)
	refused(t, "too many bytes", post(s, "", group(t)), 503, "busy")
	s.held.Add(-(1<<20 - 1000))
	if w := post(s, "?min-size=80", group(t)); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if n := s.held.Load(); n != 0 {
		t.Errorf("%d bytes are still held", n)
	}
}

// A client that sends slowly is told so; one that leaves is not waited for.
func TestSlowAndGone(t *testing.T) {
	t.Parallel()
	s := newServer(t, &Options{BodyTime: 150 * time.Millisecond})
	address, _ := listen(t, s)
	announce := func(bytes int64) *client {
		c := dial(t, address)
		fmt.Fprintf(c, "POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\nabc", bytes)
		return c
	}
	if status, body, _, err := announce(100000).answer(time.Minute); err != nil || status != 408 || code(t, body) != "slow" {
		t.Errorf("slow: %d %s %v", status, body, err)
	}
	// One that leaves in the middle.
	announce(100000).Close()
	wait(t, "an end of what is held", func() bool { return s.metrics.inFlight.Load() == 0 && s.held.Load() == 0 })
	// A body that announces more than is allowed is not read at all.
	if status, _, _, err := announce(1e12).answer(time.Minute); err != nil || status != 413 {
		t.Errorf("announced: %d %v", status, err)
	}
}

// At its end the server lets searches come to their end, tells requests that
// wait for a worker to come back later, and takes nothing more.
func TestShutdown(t *testing.T) {
	s := newServer(t, &Options{Workers: 1, Grace: time.Minute})
	address, end := listen(t, s)
	data := group(t)
	type answer struct {
		status int
		retry  string
		code   string
	}
	ask := func(query string) chan answer {
		answers := make(chan answer, 1)
		go func() {
			r, err := http.Post("http://"+address+"/detect"+query, "image/png", bytes.NewReader(data))
			if err != nil {
				t.Error(err)
				answers <- answer{}
				return
			}
			defer r.Body.Close()
			a := answer{status: r.StatusCode, retry: r.Header.Get("Retry-After")}
			if body, err := io.ReadAll(r.Body); err == nil && a.status != 200 {
				a.code = code(t, body)
			}
			answers <- a
		}()
		return answers
	}
	running := ask("?scale=1.01") // which takes some time
	wait(t, "a search", func() bool { return len(s.work) > 0 })
	var queued []chan answer
	for range 3 {
		queued = append(queued, ask(""))
	}
	wait(t, "three waiting requests", func() bool { return s.waiting.Load() == 3 || len(running) > 0 })
	if len(running) > 0 {
		t.Fatal("the search was over before anybody waited")
	}
	ended := make(chan error)
	go func() { ended <- end() }()
	for _, q := range queued {
		if a := <-q; a != (answer{503, "1", "closing"}) {
			t.Errorf("a request that waited got %+v", a)
		}
	}
	refused(t, "healthz while closing", get(s, "/healthz"), 503, "closing")
	refused(t, "a request that came too late", post(s, "", data), 503, "closing")
	if a := <-running; a.status != 200 {
		t.Errorf("the request that had begun got %+v", a)
	}
	if err := <-ended; err != nil {
		t.Errorf("end: %v", err)
	}
	if _, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		t.Error("it still takes connections")
	}
}

// Who is refused and does not send the body that was announced is answered all
// the same.
func TestRefusedWithoutBody(t *testing.T) {
	t.Parallel()
	s := newServer(t, &Options{BodyTime: 100 * time.Millisecond})
	address, _ := listen(t, s)
	for _, line := range []string{"POST /detect?nonsense=1", "POST /metrics"} {
		c := dial(t, address)
		fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n", line)
		if _, _, _, err := c.answer(10 * time.Second); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestMetrics(t *testing.T) {
	s := newServer(t, nil)
	post(s, "?min-size=80", group(t))
	post(s, "?min-size=x", nil)
	w := get(s, "/metrics")
	for _, line := range []string{
		`haarlem_requests_total{route="detect",status="200"} 1`,
		`haarlem_requests_total{route="detect",status="400"} 1`,
		"haarlem_pictures_pixels_total 400000",
		"haarlem_detect_seconds_count 1",
		"haarlem_detect_request_seconds_count 2",
		`haarlem_detect_request_seconds_bucket{le="+Inf"} 2`,
		"haarlem_workers_busy 0",
		"haarlem_body_bytes 0",
	} {
		if !strings.Contains(w.Body.String(), line+"\n") {
			t.Errorf("no line %s in\n%s", line, w.Body)
		}
	}
	// Every family is announced before its first sample, and every line reads.
	seen := map[string]bool{}
	for line := range strings.Lines(w.Body.String()) {
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, _, _ := strings.Cut(rest, " ")
			seen[name] = true
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		name := line[:strings.IndexAny(line, "{ ")]
		family := name
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if cut := strings.TrimSuffix(name, suffix); seen[cut] {
				family = cut
			}
		}
		var v float64
		if n, err := fmt.Sscan(line[strings.LastIndexByte(line, ' '):], &v); !seen[family] || n != 1 || err != nil {
			t.Errorf("line %q: announced %v, %v", line, seen[family], err)
		}
	}
}

func TestOptions(t *testing.T) {
	c := must.Get(models.Open(models.Default))
	for name, o := range map[string]*Options{
		"negative":   {Workers: -1},
		"waiting":    {Waiting: -2},
		"too large":  {MaxBytes: 1 << 40},
		"never held": {MaxBytes: 100, MaxHeld: 10},
		"twice":      {Models: []web.Model{{Name: "a", Cascade: c}, {Name: "a", Cascade: c}}},
		"nameless":   {Models: []web.Model{{Cascade: c}}},
	} {
		if _, err := New(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := New(&Options{Models: []web.Model{{Name: "mine", Cascade: c}}}); err != nil || post(s, "?model=mine&min-size=80", group(t)).Code != 200 || post(s, "?model="+models.Default, group(t)).Code != 400 {
		t.Errorf("a model of one's own: %v", err)
	}
}

// Detectors are used again, and not kept without end.
func TestDetectorsAreKept(t *testing.T) {
	s := newServer(t, nil)
	get := func(query string) *detector.Detector {
		r := httptest.NewRequest("POST", "/detect"+query, nil)
		q := must.Get(s.parseQuery(r.URL.Query()))
		all := must.Get(s.set(q))
		return all[0]
	}
	first := get("?min-size=30&name=a")
	if get("?min-size=30&name=b") != first {
		t.Error("the same options make another detector")
	}
	for i := range 3 * maxDetectors {
		get(fmt.Sprintf("?min-size=%d", 40+i))
	}
	if n := len(s.detectors.kept); n != maxDetectors {
		t.Errorf("%d detectors are kept", n)
	}
	if get("?min-size=30") == first {
		t.Error("the oldest one is still there")
	}
}

// Whatever the query says, it is options or a failure of status 400.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"", "min-size=40&max-size=50x60", "scale=1.1&min-score=-2", "rotate=0,-20,20", "min-neighbors=0&name=x", "a=b", "min-size=1&min-size=2", "%zz", "scale=1e999"} {
		f.Add(seed)
	}
	s := newServer(f, nil)
	f.Fuzz(func(t *testing.T, text string) {
		r := &http.Request{Method: "POST", URL: httptest.NewRequest("POST", "/detect", nil).URL}
		r.URL.RawQuery = text
		q, err := s.parseQuery(r.URL.Query())
		var refused *failure
		if err != nil && (!errors.As(err, &refused) || refused.status != 400) {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil {
			if _, err := detector.New(&q.values.Options, s.models[q.model]); err != nil {
				t.Fatalf("%q is a query, but the detector says: %v", text, err)
			}
		}
	})
}

// with returns c's settings, edited.
func with(c *cascade.Cascade, edit func(*cascade.Search)) *cascade.Search {
	s := c.Search
	edit(&s)
	return &s
}

package serve

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/picture"
	"haarlem/web"
)

// ask sends a picture and returns the answer in a form.
func ask(t *testing.T, s *Server, query, accept string, body []byte) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest("POST", "http://localhost/detect"+query, bytes.NewReader(body))
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	return send(s, r)
}

// The same faces in each form.
func TestForms(t *testing.T) {
	s, data := newServer(t, nil), group(t)
	var want []jsonout.Picture
	w := ask(t, s, "?min-size=60&points=face5", "", data)
	if err := json.Unmarshal(w.Body.Bytes(), &want); err != nil || len(want) != 1 || len(want[0].Faces) == 0 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	for _, f := range want[0].Faces {
		if f.Points == nil || len(*f.Points) != 5 {
			t.Fatalf("a face without its points: %+v", f)
		}
	}
	var line jsonout.Picture
	w = ask(t, s, "?min-size=60&points=face5", "text/*;q=0.5, application/x-ndjson", data)
	if err := json.Unmarshal(w.Body.Bytes(), &line); err != nil || strings.Count(w.Body.String(), "\n") != 1 || fmt.Sprint(len(line.Faces), *line.Faces[0].Points) != fmt.Sprint(len(want[0].Faces), *want[0].Faces[0].Points) {
		t.Errorf("a line: %v %s", err, w.Body)
	}
	w = ask(t, s, "?min-size=60&points=face5", "text/csv", data)
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(rows) != 1+len(want[0].Faces) || len(rows[0]) != 7+10 || rows[1][1] != fmt.Sprint(want[0].Faces[0].X) {
		t.Errorf("CSV: %v %v", err, rows)
	}
	plain := must.Get(picture.Read(bytes.NewReader(data), "plain", nil))
	first := want[0].Faces[0]
	centre := image.Pt(first.X+first.Width/2, first.Y+first.Height/2)
	for _, kind := range []string{"image/png", "image/jpeg"} {
		images := map[string]image.Image{}
		for _, draw := range []string{"boxes", "blur", "pixelate"} {
			w = ask(t, s, "?min-size=60&draw="+draw, kind, data)
			if got := w.Header().Get("Content-Type"); got != kind || w.Code != 200 {
				t.Fatalf("%s: %d %s", kind, w.Code, got)
			}
			p, err := picture.Read(w.Body, draw, nil)
			if err != nil || p.Image.Bounds().Size() != plain.Image.Bounds().Size() {
				t.Fatalf("%s %s: %v", kind, draw, err)
			}
			images[draw] = p.Image
		}
		if kind == "image/jpeg" {
			continue // compressed: not the same to the bit
		}
		same := func(draw string, at image.Point) bool {
			r, g, b, _ := images[draw].At(at.X, at.Y).RGBA()
			x, y, z, _ := plain.Image.At(at.X, at.Y).RGBA()
			return r == x && g == y && b == z
		}
		edge := image.Pt(first.X+first.Width/2, first.Y-1)
		if same("boxes", edge) || !same("boxes", centre) {
			t.Error("the boxes are not where the faces are")
		}
		if same("blur", centre) || same("pixelate", centre) || !same("blur", image.Pt(1, 1)) {
			t.Error("not the faces are hidden")
		}
	}
	for query, accept := range map[string]string{"": "audio/mpeg", "?name=a": "image/png;q=0", "?draw=blur": "application/json", "?draw=nothing": "image/png"} {
		if w := ask(t, s, query, accept, data); w.Code != 406 && w.Code != 400 {
			t.Errorf("%q with %q: %d", query, accept, w.Code)
		}
	}
}

// Of the answers that a client takes, the one that it prefers comes.
func TestAccept(t *testing.T) {
	for accept, want := range map[string]string{
		"":                               "application/json",
		"*/*":                            "application/json",
		"text/*":                         "text/csv",
		"image/*":                        "image/jpeg",
		"image/*, image/jpeg;q=0.1":      "image/png",
		"text/csv;q=0.2, */*;q=0.1":      "text/csv",
		"text/html, application/*;q=0.9": "application/json",
		"application/json;q=0, */*":      "application/x-ndjson",
	} {
		var headers []string
		if accept != "" {
			headers = []string{accept}
		}
		f, err := chooseForm(headers, false)
		if err != nil || f.kind != want {
			t.Errorf("%q: %v %v, want %s", accept, f, err, want)
		}
	}
	if f, err := chooseForm(nil, true); err != nil || f.kind != "application/x-ndjson" {
		t.Errorf("for several: %v %v", f, err)
	}
	if _, err := chooseForm([]string{"image/png"}, true); err == nil {
		t.Error("several pictures in one PNG")
	}
}

// A form with several files gets a line for each, in order, whatever is wrong with
// some of them; and no memory is kept.
func TestBatch(t *testing.T) {
	s, data := newServer(t, &Options{MaxBytes: 1 << 20}), group(t)
	w := send(s, formOf("?min-size=60", file{"a.png", data}, file{"broken.png", data[:len(data)/2]}, file{"large", make([]byte, 1<<20+1)},
		file{"text", []byte("hello")}, file{"b.png", data}))
	var got []string
	for d := json.NewDecoder(w.Body); d.More(); {
		var line struct {
			File, Code string
			Faces      []jsonout.Face
		}
		must.Do(d.Decode(&line))
		got = append(got, fmt.Sprint(line.File, " ", line.Code, len(line.Faces)))
	}
	var all []jsonout.Picture
	must.Do(json.Unmarshal(ask(t, s, "?min-size=60", "", data).Body.Bytes(), &all))
	faces := len(all[0].Faces)
	want := []string{fmt.Sprint("a.png ", faces), "broken.png damaged0", "large bytes0", "text format0", fmt.Sprint("b.png ", faces)}
	if fmt.Sprint(got) != fmt.Sprint(want) || faces == 0 {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if s.held.Load() != 0 || len(s.work) != 0 {
		t.Errorf("afterwards %d bytes are held, %d workers busy", s.held.Load(), len(s.work))
	}
}

type file struct {
	name string
	data []byte
}

// formOf is a request with a form of files, whose boundary is as curl's are.
func formOf(query string, files ...file) *http.Request {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must.Do(form.SetBoundary("------------------------d74496d66958873e"))
	for _, f := range files {
		must.Get(must.Get(form.CreateFormFile("file", f.name)).Write(f.data))
	}
	form.Close()
	r := httptest.NewRequest("POST", "http://localhost/detect"+query, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return r
}

// A camera's stream, as ffmpeg -f mpjpeg writes it, gets its lines while it goes on.
func TestStream(t *testing.T) {
	s, data := newServer(t, &Options{BodyTime: time.Minute}), group(t)
	address, _ := listen(t, s)
	read, write := io.Pipe()
	r := must.Get(http.NewRequest("POST", "http://"+address+"/detect?min-size=60", read))
	r.Header.Set("Content-Type", "multipart/x-mixed-replace;boundary=--ffmpeg")
	frame := func() {
		fmt.Fprintf(write, "--ffmpeg\r\nContent-type: image/jpeg\r\nContent-length: %d\r\n\r\n%s\r\n", len(data), data)
	}
	go frame()
	// The next part's boundary ends the one before.
	go func() { frame() }()
	answer := must.Get(http.DefaultClient.Do(r))
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for i := range 3 {
		if !lines.Scan() {
			t.Fatalf("line %d: %v", i, lines.Err())
		}
		if want := fmt.Sprintf(`{"file":"#%d",`, i+1); !strings.HasPrefix(lines.Text(), want) || !strings.Contains(lines.Text(), `"faces":[{`) {
			t.Errorf("line %d: %s", i, lines.Text())
		}
		if i < 2 {
			frame()
		}
	}
	write.Close()
	if !lines.Scan() || !strings.Contains(lines.Text(), `"code":"body"`) {
		t.Errorf("a stream that ends within a frame: %q", lines.Text())
	}
}

// A stream of pictures with what is found in each, and of one that cannot be searched
// with what is wrong with it.
func TestPictureStream(t *testing.T) {
	s, data := newServer(t, nil), group(t)
	r := formOf("?draw=blur&solid=true", file{"a", data}, file{"a", []byte("hello")}, file{"a", data})
	r.Header.Set("Accept", "multipart/x-mixed-replace")
	w := send(s, r)
	kind, parameters, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
	if err != nil || kind != "multipart/x-mixed-replace" {
		t.Fatalf("%d, %v: %.200s", w.Code, w.Header(), w.Body)
	}
	parts := multipart.NewReader(w.Body, parameters["boundary"])
	var got []string
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(p)
		if err != nil || p.Header.Get("Content-Length") != fmt.Sprint(len(data)) {
			t.Errorf("%v, %v, %d bytes", err, p.Header, len(data))
		}
		got = append(got, p.Header.Get("Content-Type"))
		if got[len(got)-1] == "application/json" {
			if !strings.Contains(string(data), `"code":"format"`) {
				t.Errorf("%s", data)
			}
			continue
		}
		img, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Size() != image.Pt(800, 500) {
			t.Errorf("%v", err)
		} else if n := painted(img, img.Bounds()); n < 0.1 || n > 0.8 {
			t.Errorf("%.2f of the picture is painted over", n)
		}
	}
	if want := "[image/jpeg application/json image/jpeg]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// painted is the share of a box that has the grey of solid, or nearly.
func painted(img image.Image, box image.Rectangle) float64 {
	n := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if v := color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y; v >= 42 && v <= 54 {
				n++
			}
		}
	}
	return float64(n) / float64(box.Dx()*box.Dy())
}

// What hides faces can hide number plates too, by a model that has no calibration.
func TestAlso(t *testing.T) {
	plates := must.Get(cascade.Open("../cmd/detect/testdata/plate.xml"))
	all := must.Get(web.Builtin())
	s := newServer(t, &Options{Models: append(all, web.Model{Name: "plate", Cascade: plates})})
	plate := image.Rect(220, 200, 316, 224)
	m := image.NewRGBA(image.Rect(0, 0, 400, 300))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{120}), image.Point{}, draw.Src)
	draw.Draw(m, plate, image.White, image.Point{}, draw.Src)
	data := picturetest.PNG(m)
	for query, hidden := range map[string]bool{"": false, "&also=plate": true, "&also=plate,face-fast": true} {
		w := ask(t, s, "?draw=pixelate&solid=true"+query, "image/png", data)
		img, err := png.Decode(w.Body)
		if err != nil {
			t.Fatalf("%s: %d %v", query, w.Code, err)
		}
		if n := painted(img, plate); n > 0.99 != hidden || n > 0 != hidden {
			t.Errorf("%q: %.2f of the plate is hidden", query, n)
		}
	}
	for query, say := range map[string]string{
		"?also=plate":               "it is for draw=blur",
		"?solid=true":               "it is for draw=blur",
		"?draw=blur&also=bus":       "there is no such model",
		"?draw=blur&also=plate,bus": "there is no such model",
		"?draw=blur&also=a,b,c,d,e": "at most 4",
		"?draw=blur&solid=1":        "true or false",
	} {
		if w := ask(t, s, query, "image/png", data); w.Code != 400 || !strings.Contains(w.Body.String(), say) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// Keys: without one nothing is searched, and the log has its name only.
func TestKeys(t *testing.T) {
	var log bytes.Buffer
	const secret = "correct-horse-battery"
	s := newServer(t, &Options{Keys: []Key{{"phone", secret}}, Access: slog.New(slog.NewJSONHandler(&log, nil))})
	for header, want := range map[string]int{
		"": 401, "Bearer": 401, "Bearer wrong": 401, "Basic " + secret: 401, "Bearer " + secret: 200, "bearer  " + secret: 200,
	} {
		r := httptest.NewRequest("POST", "http://localhost/detect?min-size=60&name=private", bytes.NewReader(group(t)))
		r.Header.Set("Authorization", header)
		if w := send(s, r); w.Code != want {
			t.Errorf("%q: %d, want %d", header, w.Code, want)
		}
	}
	for path, want := range map[string]int{"/": 200, "/healthz": 200, "/metrics": 401} {
		if w := get(s, path); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
	text := log.String()
	if strings.Contains(text, secret) || strings.Contains(text, "private") || strings.Count(text, `"key":"phone"`) != 2 || !strings.Contains(text, `"pictures":1,"pixels":400000,"faces":`) {
		t.Errorf("the log: %s", text)
	}
	for _, keys := range [][]Key{{{"a", "short"}}, {{"", secret}}, {{"a", secret}, {"b", secret}}} {
		if _, err := New(&Options{Keys: keys}); err == nil {
			t.Errorf("%v are taken", keys)
		}
	}
	keys, err := ReadKeys(strings.NewReader("# keys\n\nphone " + secret + "\n"))
	if err != nil || len(keys) != 1 || keys[0] != (Key{"phone", secret}) {
		t.Errorf("%v %v", keys, err)
	}
	if _, err := ReadKeys(strings.NewReader("phone\n")); err == nil {
		t.Error("a line without a secret is taken")
	}
}

// A client has its rate, and others theirs; buckets do not pile up.
func TestRate(t *testing.T) {
	l := rates{rate: 2, burst: 4, buckets: map[string]bucket{}}
	now := time.Unix(1000, 0)
	count := func(who string, seconds float64) (n int) {
		now = now.Add(time.Duration(seconds * 1e9))
		for l.take(who, now) == 0 {
			n++
		}
		return n
	}
	for i, c := range []struct {
		who     string
		seconds float64
		want    int
	}{{"a", 0, 4}, {"a", 0, 0}, {"a", 0.5, 1}, {"b", 0, 4}, {"a", 100, 4}, {"a", 1, 2}} {
		if n := count(c.who, c.seconds); n != c.want {
			t.Errorf("step %d: %d, want %d", i, n, c.want)
		}
	}
	if wait := l.take("a", now); wait != 500*time.Millisecond {
		t.Errorf("wait %v", wait)
	}
	for i := range 3 * maxBuckets {
		l.take(fmt.Sprint(i), now)
	}
	if n := len(l.buckets); n > maxBuckets {
		t.Errorf("%d buckets", n)
	}
}

//go:build chromium

package web_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/chromium"
	"haarlem/internal/kernel/wasm"
	"haarlem/internal/must"
	"haarlem/models"
	"haarlem/web"
)

// newlyBuilt compiles the page from today's sources.
func newlyBuilt(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./build", "-site", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go run ./web/build: %v\n%s", err, out)
	}
	return dir
}

// The program that is committed and embedded, and the one that today's sources
// give, both find what today's detector finds in this process: every built-in
// model, OpenCV's kinds of cascade, and the sample pictures. With vectors and
// without.
func TestBrowserFindsTheSame(t *testing.T) {
	ctx := limited(t, 12*time.Minute)
	embedded := t.TempDir()
	must.Do(web.Write(embedded, must.Get(web.Files(must.Get(web.Builtin())))))
	fresh := newlyBuilt(t)

	for _, name := range []string{"detector.wasm.gz", "lanes.wasm.gz", "wasm_exec.js"} {
		a := must.Get(os.ReadFile(filepath.Join(embedded, name)))
		b := must.Get(os.ReadFile(filepath.Join(fresh, name)))
		t.Logf("%s: what is committed has the bytes of today's sources and this Go: %v", name, bytes.Equal(a, b))
	}

	cascades := map[string]*cascade.Cascade{}
	for _, name := range models.Names() {
		c := must.Get(models.Open(name))
		cascades[name] = c
	}
	paths := must.Get(filepath.Glob("../cascade/detector/testdata/parity/*.xml"))
	if len(paths) < 5 {
		t.Fatalf("only %d of OpenCV's cascades", len(paths))
	}
	for _, path := range append(paths, "../cmd/detect/testdata/drawn.cascade") {
		c := must.Get(cascade.Open(path))
		cascades[path] = c
	}
	group := sample("group.png")
	pictures := map[string]*image.RGBA{"group": group, "room": sample("room.png"), "odd": cut(group, 33, 101, 317, 291)}

	b := chromium.ForTest(t)
	for _, site := range []struct {
		name, dir string
		vectors   bool
	}{{"embedded", embedded, true}, {"fresh", fresh, true}, {"fresh without vectors", fresh, false}} {
		t.Run(site.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.Handle("/", http.FileServer(http.Dir(site.dir)))
			mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte(`<!doctype html><link rel="icon" href="data:,">`))
			})
			s := httptest.NewServer(mux)
			defer s.Close()
			v := &visit{T: t, ctx: ctx, page: must.Get(b.NewPage(ctx))}
			must.Do(v.page.Open(ctx, s.URL+"/empty"))
			v.do(asking, site.vectors)
			for which, m := range pictures {
				v.do("pictures[%q] = bytes(%q), 0", which, base64.StdEncoding.EncodeToString(m.Pix))
			}
			total := 0
			for name, c := range cascades {
				model := must.Bytes(c.Encode)
				if data, err := os.ReadFile(name); err == nil { // as it is, if it is a file
					model = data
				}
				info := tell[struct {
					ID            int
					Error         string
					Width, Height int
				}](v, fmt.Sprintf("await ask({type: 'load', bytes: bytes(%q)})", base64.StdEncoding.EncodeToString(model)))
				if info.Error != "" || info.Width != c.Width || info.Height != c.Height {
					t.Fatalf("%s: %+v", name, info)
				}
				for which, m := range pictures {
					if which == "group" && !site.vectors {
						continue // the slowest search; "odd" is a part of it
					}
					for _, a := range []asked{{Min: 30, Scale: 1.1, Score: -1}, {Min: 60, Scale: 1.2, Neighbors: -1, Score: 0.3}} {
						total += compare(v, fmt.Sprintf("%s, %+v", name, a), info.ID, which, m, a, native(c, a.options(c), m))
					}
				}
			}
			if total < 100 {
				t.Errorf("only %d detections in all: that compares little", total)
			}
			v.noProblems()
		})
	}
}

// asking starts the page's worker and talks with it as the page does. Without
// vectors, it makes the worker believe that the browser has none.
const asking = `
	globalThis.bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
	const url = new URL("/worker.js", location.href).href, base = new URL("/", location.href).href;
	const code = "const fetch0 = fetch; self.fetch = (n) => fetch0('" + base + "' + n); const import0 = importScripts;" +
		"self.importScripts = (n) => import0('" + base + "' + n);" +
		(%v ? "" : "WebAssembly.validate = () => false;") + await (await fetch(url)).text();
	globalThis.worker = new Worker(URL.createObjectURL(new Blob([code], {type: "text/javascript"})));
	globalThis.pictures = {};
	let next = 1;
	const waiting = new Map();
	let failed;
	worker.onmessage = ({data}) => {
		if (data.type === "answer") { waiting.get(data.key)(data.result); waiting.delete(data.key); }
		if (data.type === "failed") for (const f of waiting.values()) f({error: data.error});
	};
	globalThis.ask = (m) => new Promise((resolve) => { waiting.set(next, resolve); worker.postMessage({...m, key: next++}); });
	undefined`

// asked is what the worker is asked for.
type asked struct {
	Min       int     `json:"min"`
	Scale     float64 `json:"scale"`
	Score     float64 `json:"score"`
	Neighbors int     `json:"neighbors"`
}

// options are those of a detector that is asked for the same.
func (a asked) options(c *cascade.Cascade) detector.Options {
	s := c.Search
	s.MinScore = max(a.Score, 0)
	if a.Neighbors < 0 {
		s.MinCandidates = 1
	}
	return detector.Options{MinSize: image.Pt(a.Min, a.Min), Scale: a.Scale, MinNeighbors: max(a.Neighbors, 0), Search: &s}
}

// compare runs one search in the browser and returns how many detections it
// compared.
func compare(v *visit, what string, id int, which string, m *image.RGBA, a asked, want []detector.Detection) int {
	v.Helper()
	got := tell[struct {
		Error string
		Faces []float64
	}](v, fmt.Sprintf("await ask({type: 'detect', model: %d, pixels: pictures[%q], width: %d, height: %d, options: %s})",
		id, which, m.Rect.Dx(), m.Rect.Dy(), must.Get(json.Marshal(a))))
	if got.Error != "" || len(got.Faces) != 6*len(want) {
		v.Errorf("%s on %s: %d numbers and %q, want %d detections", what, which, len(got.Faces), got.Error, len(want))
		return 0
	}
	for i, w := range want {
		f := got.Faces[6*i : 6*i+6]
		box := image.Rect(int(f[0]), int(f[1]), int(f[0]+f[2]), int(f[1]+f[3]))
		// The exponential of calibrated scores is not the same to the last bit
		// on every machine.
		if box != w.Box || int(f[5]) != w.Neighbors || math.Abs(f[4]-w.Score) > 1e-12*math.Abs(w.Score) {
			v.Errorf("%s on %s: detection %d is %v, want %+v", what, which, i, f, w)
			return i
		}
	}
	return len(want)
}

// The tests of the kernels that the module has run in the browser, with its vectors:
// random programs of all shapes and actions, and random layers, against plain Go.
func TestKernelsInBrowser(t *testing.T) {
	for _, c := range []struct {
		kernel string
		calls  int // of the module, at least
		tests  []string
	}{
		{"lanes", 500, []string{"TestRun"}},
		{"conv8", 2000, []string{"TestApply"}},
		{"area", 200, []string{"TestDown", "TestAcross"}},
		{"colour", 3000, []string{"TestPlanes"}},
	} {
		t.Run(c.kernel, func(t *testing.T) { inBrowser(t, c.kernel, c.calls, c.tests) })
	}
}

func inBrowser(t *testing.T, kernel string, calls int, tests []string) {
	ctx := limited(t, 3*time.Minute)
	binary := filepath.Join(t.TempDir(), "test.wasm")
	cmd := exec.Command("go", "test", "-c", "-tags", "haarlemsimd", "-o", binary, "haarlem/internal/kernel/"+kernel)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	all := files(t)
	mux := http.NewServeMux()
	serveBytes := func(path, kind string, data []byte) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(data)
		})
	}
	data := must.Get(os.ReadFile(binary))
	serveBytes("/test.wasm", "application/wasm", data)
	serveBytes("/lanes.wasm", "application/wasm", wasm.Module())
	serveBytes("/wasm_exec.js", "text/javascript", all["wasm_exec.js"].Data)
	serveBytes("/{$}", "text/html", []byte(`<!doctype html><link rel="icon" href="data:,"><script src="wasm_exec.js"></script>`))
	s := httptest.NewServer(mux)
	defer s.Close()
	p := must.Get(chromium.ForTest(t).NewPage(ctx))
	must.Do(p.Open(ctx, s.URL))
	outcome := tell[struct{ Status, Calls int }](&visit{T: t, ctx: ctx, page: p}, `await (async () => {
		const go = new Go();
		go.argv = ["kernel.test", "-test.v", "-test.short", "-test.run", "^(`+strings.Join(tests, "|")+`)$"];
		let loops, calls = 0, status = -1;
		go.exit = (code) => { status = code; };
		const counted = (name) => (...a) => { calls++; return loops[name](...a); };
		go.importObject.haarlem = new Proxy({}, { get: (_, name) => (name === "ready" ? () => 1 : counted(name)) });
		const { instance } = await WebAssembly.instantiateStreaming(fetch("test.wasm"), go.importObject);
		loops = (await WebAssembly.instantiateStreaming(fetch("lanes.wasm"), { go: { mem: instance.exports.mem } })).instance.exports;
		await go.run(instance);
		return { status, calls };
	})()`)
	said := strings.Join(p.Lines(), "\n")
	if outcome.Status != 0 || outcome.Calls < calls {
		t.Errorf("status %d, %d calls of the module\n%s", outcome.Status, outcome.Calls, said)
	}
	for _, name := range tests {
		if !strings.Contains(said, "--- PASS: "+name+" ") {
			t.Errorf("%s did not run\n%s", name, said)
		}
	}
}

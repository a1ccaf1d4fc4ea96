package web_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/must"
	"haarlem/models"
	"haarlem/web"
)

func files(t testing.TB) map[string]web.File {
	t.Helper()
	list := must.Get(web.Builtin())
	all := must.Get(web.Files(list))
	byName := map[string]web.File{}
	for _, f := range all {
		byName[f.Name] = f
	}
	return byName
}

func unpacked(t testing.TB, data []byte) []byte {
	t.Helper()
	z := must.Get(gzip.NewReader(bytes.NewReader(data)))
	return must.Get(io.ReadAll(z))
}

// What is compiled is there, and is what was written down about it.
func TestBuilt(t *testing.T) {
	all := files(t)
	note := must.Get(os.ReadFile("built/built.txt"))
	for _, name := range []string{"detector.wasm.gz", "lanes.wasm.gz", "wasm_exec.js"} {
		data := all[name].Data
		if !strings.Contains(string(note), fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)) {
			t.Errorf("%s has another checksum than built.txt says: go generate ./web", name)
		}
		if strings.HasSuffix(name, ".gz") && !bytes.HasPrefix(unpacked(t, data), []byte("\x00asm\x01\x00\x00\x00")) {
			t.Errorf("%s is no WebAssembly", name)
		}
	}
}

// maxPage is the largest size that a visitor may have to load, compressed.
const maxPage = 3 << 20

func TestPageIsSmall(t *testing.T) {
	total := 0
	for name, f := range files(t) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		must.Get(z.Write(f.Data))
		must.Do(z.Close())
		n := min(b.Len(), len(f.Data))
		t.Logf("%8d %s", n, name)
		total += n
	}
	t.Logf("%8d in all", total)
	if total > maxPage {
		t.Errorf("the page has %d bytes compressed, want at most %d", total, maxPage)
	}
}

// The page knows its models from the index, and gets the bytes of the models.
func TestModels(t *testing.T) {
	all := files(t)
	var index []struct{ Name, File string }
	must.Do(json.Unmarshal(all["models/index.json"].Data, &index))
	var names []string
	for _, m := range index {
		names = append(names, m.Name)
		c := must.Get(cascade.Read(bytes.NewReader(all[m.File].Data), nil))
		if !bytes.Equal(must.Bytes(c.Encode), must.Bytes(must.Get(models.Open(m.Name)).Encode)) {
			t.Errorf("%s is another model than %s", m.File, m.Name)
		}
	}
	if !slices.Equal(names, models.Names()) {
		t.Errorf("the page offers %v, want %v", names, models.Names())
	}
	if _, err := web.Files(nil); err == nil {
		t.Error("a page without a model")
	}
}

// The service worker keeps exactly the files that there are, and its edition
// changes with any of them.
func TestServiceWorker(t *testing.T) {
	all := files(t)
	text := string(all["sw.js"].Data)
	var list []string
	must.Do(json.Unmarshal([]byte(regexp.MustCompile(`const files = (\[.*\]);`).FindStringSubmatch(text)[1]), &list))
	want := []string{"./"}
	for name := range all {
		if name != "sw.js" && name != "index.html" {
			want = append(want, name)
		}
	}
	slices.Sort(list)
	slices.Sort(want)
	if !slices.Equal(list, want) {
		t.Errorf("it keeps %v, want %v", list, want)
	}
	c := must.Get(models.Open(models.Default))
	other := must.Get(web.Files([]web.Model{{Name: "another", Cascade: c}}))
	i := slices.IndexFunc(other, func(f web.File) bool { return f.Name == "sw.js" })
	if string(other[i].Data) == text {
		t.Error("another page has the same edition")
	}
}

// Whatever the page refers to is there, and nothing is elsewhere.
func TestReferences(t *testing.T) {
	all := files(t)
	for _, name := range []string{"index.html", "app.js", "worker.js", "style.css", "sw.js", "manifest.webmanifest"} {
		text := string(all[name].Data)
		for _, m := range regexp.MustCompile(`(?:href=|src=|fetch\(|importScripts\(|new Worker\(|unpacked\(|register\(|"src": )"([^"]+)"`).FindAllStringSubmatch(text, -1) {
			if _, ok := all[m[1]]; !ok {
				t.Errorf("%s refers to %s, which is not part of the page", name, m[1])
			}
		}
		if strings.Contains(text, "http://") || strings.Contains(text, "https://") {
			t.Errorf("%s refers to another host", name)
		}
		if strings.Contains(text, "frontalface") || strings.Contains(text, "face-fast") {
			t.Errorf("%s names a model", name)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	list := must.Get(web.Builtin())
	all := must.Get(web.Files(list))
	must.Do(web.Write(dir, all))
	for _, f := range all {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil || !bytes.Equal(data, f.Data) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if err := web.Write(dir, []web.File{{Name: "../elsewhere"}}); err == nil {
		t.Error("a file outside the folder")
	}
}

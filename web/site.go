// Package web holds the page that finds faces in a browser: on the visitor's
// own camera, on pictures and on videos, with the detector of package cascade
// as WebAssembly. No picture leaves the browser.
//
// The folder page is what people wrote, the folder built what
// go generate ./web compiled from the rest of this module; the README there
// says why that is committed. [Files] puts both together with models, for a
// server or, by [Write], as files for any host. The page works without a
// network once it has been loaded.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/cascade"
	"haarlem/models"
	"haarlem/models/face5"
)

//go:generate go run ./build

//go:embed page built
var embedded embed.FS

// A Model is a cascade that the page offers.
type Model struct {
	Name    string
	Cascade *cascade.Cascade
}

// Builtin returns the models that come with the project, the default first.
func Builtin() ([]Model, error) {
	var all []Model
	for _, name := range models.Names() {
		c, err := models.Open(name)
		if err != nil {
			return nil, err
		}
		all = append(all, Model{name, c})
	}
	return all, nil
}

// A File is one file of the page.
type File struct {
	Name string // with slashes, such as models/0.cascade
	Type string // its media type
	Data []byte
}

// Files returns the page with these models, the first of which it begins with,
// in the order of names.
func Files(list []Model) ([]File, error) {
	return FilesWith(list, nil)
}

// FilesWith is Files with some other bytes instead of those in the folder
// built, by name: what was just compiled and is not embedded yet.
func FilesWith(list []Model, built map[string][]byte) ([]File, error) {
	if len(list) == 0 {
		return nil, errors.New("web: a page without a model")
	}
	var all []File
	add := func(name string, data []byte) {
		all = append(all, File{Name: name, Type: mediaType(name), Data: data})
	}
	for _, dir := range []string{"page", "built"} {
		entries, err := embedded.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if path.Ext(e.Name()) == ".md" || path.Ext(e.Name()) == ".txt" {
				continue // for readers of the repository
			}
			data, ok := built[e.Name()]
			if dir == "page" || !ok {
				if data, err = embedded.ReadFile(path.Join(dir, e.Name())); err != nil {
					return nil, err
				}
			}
			add(e.Name(), data)
		}
	}
	type entry struct {
		Name string `json:"name"`
		File string `json:"file"`
	}
	var index []entry
	for i, m := range list {
		var b bytes.Buffer
		if err := m.Cascade.Encode(&b); err != nil {
			return nil, fmt.Errorf("web: model %s: %w", m.Name, err)
		}
		name := fmt.Sprintf("models/%d.cascade", i)
		add(name, b.Bytes())
		index = append(index, entry{m.Name, name})
	}
	text, err := json.MarshalIndent(index, "", " ")
	if err != nil {
		return nil, err
	}
	add("models/index.json", append(text, '\n'))
	add("models/face5.points", face5.File())
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return all, fillIn(all)
}

// fillIn tells the service worker which files it is to keep, and a name for
// exactly this edition of them, so that a browser notices the next one.
func fillIn(all []File) error {
	sum := sha256.New()
	names := []string{"./"}
	worker := -1
	for i, f := range all {
		fmt.Fprintf(sum, "%s %d\n", f.Name, len(f.Data))
		sum.Write(f.Data)
		switch f.Name {
		case "sw.js":
			worker = i
		case "index.html": // which is ./
		default:
			names = append(names, f.Name)
		}
	}
	if worker < 0 {
		return errors.New("web: the page has no sw.js")
	}
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	text := string(all[worker].Data)
	for _, fill := range []struct{ mark, value string }{
		{`"@EDITION@"`, fmt.Sprintf(`"%x"`, sum.Sum(nil)[:8])},
		{`["@FILES@"]`, string(list)},
	} {
		if strings.Count(text, fill.mark) != 1 {
			return fmt.Errorf("web: sw.js: want %s once", fill.mark)
		}
		text = strings.Replace(text, fill.mark, fill.value, 1)
	}
	all[worker].Data = []byte(text)
	return nil
}

// mediaType does not ask the machine it runs on, whose tables differ.
func mediaType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".json":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".wasm":
		return "application/wasm"
	case ".gz":
		return "application/gzip"
	}
	return "application/octet-stream"
}

// Write writes files into a folder, which is made if it is not there. Files
// of the same names are replaced, others left alone.
func Write(dir string, files []File) error {
	for _, f := range files {
		if !fs.ValidPath(f.Name) {
			return fmt.Errorf("web: %q is not a name inside a folder", f.Name)
		}
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, f.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

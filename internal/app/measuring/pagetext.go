package measuring

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"haarlem/cascade"
)

// A modelPage is a page in progress.
type modelPage struct {
	model   *cascade.Cascade
	file    string // the model's
	bytes   []byte
	path    string // the page's
	name    string // of the page, without folder and .md
	text    []byte
	pending []pagePicture
}

// A pagePicture is a picture to write beside the page once everything has
// succeeded.
type pagePicture struct {
	path string
	draw func(path string) error
}

// objects names what the model finds. Models of before they said it find faces.
func (p *modelPage) objects() string { return cmp.Or(p.model.Object.Plural, "faces") }

// openPage reads a model and its page.
func openPage(model, path string) (*modelPage, error) {
	p := &modelPage{file: model, path: path, name: strings.TrimSuffix(filepath.Base(path), ".md")}
	var err error
	if p.bytes, err = os.ReadFile(model); err != nil {
		return nil, err
	}
	if p.model, err = cascade.Read(bytes.NewReader(p.bytes), nil); err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	if p.text, err = os.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
		p.text, err = fmt.Appendf(nil, freshPage, p.name), nil
	}
	return p, err
}

// freshPage is a new page.
const freshPage = `# %s

<!-- facts: written by train-cascade page -->
<!-- end of facts -->

## How it was made

<!-- commands: written by train-cascade page -->
<!-- end of commands -->

## Data and terms

<!-- data: written by train-cascade page -->
<!-- end of data -->

## How good it is

<!-- results: written by train-cascade page -->
<!-- end of results -->

<!-- reliability: written by train-cascade page -->
<!-- end of reliability -->

<!-- cost: written by train-cascade page -->
<!-- end of cost -->

## Known failures
`

// part returns the position of a part of the page, without its two marker
// lines.
func (p *modelPage) part(name string) (from, to int, err error) {
	first := fmt.Appendf(nil, "<!-- %s: written by train-cascade page -->\n", name)
	last := fmt.Appendf(nil, "<!-- end of %s -->\n", name)
	from, to = bytes.Index(p.text, first), bytes.Index(p.text, last)
	if from < 0 || to < from || bytes.Count(p.text, first) > 1 || bytes.Count(p.text, last) > 1 {
		return 0, 0, fmt.Errorf("%s: no place for the part %q: put these two lines, once, where it is to stand:\n%s%s", p.path, name, first, last)
	}
	return from + len(first), to, nil
}

// put replaces a part of the page.
func (p *modelPage) put(name, text string) error {
	from, to, err := p.part(name)
	if err != nil {
		return err
	}
	if text != "" {
		text = "\n" + strings.TrimSpace(text) + "\n\n"
	}
	p.text = bytes.Join([][]byte{p.text[:from], []byte(text), p.text[to:]}, nil)
	return nil
}

// picture adds a picture to draw, and returns its name beside the page.
func (p *modelPage) picture(suffix string, draw func(path string) error) string {
	name := p.name + "-" + suffix + ".png"
	p.pending = append(p.pending, pagePicture{filepath.Join(filepath.Dir(p.path), name), draw})
	return name
}

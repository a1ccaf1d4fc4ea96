package boosting

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"haarlem/boost"
	"haarlem/boost/dataset"
	"haarlem/boost/interop"
)

// model is a model of one score or of several.
type model struct {
	one     *boost.Model
	several *boost.MultiModel
}

// loadModel reads a model of either kind, or of another library.
func loadModel(path string) (*model, error) {
	if path == "" {
		return nil, fmt.Errorf("no model given: -model MODEL")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := bufio.NewReader(file)
	first, err := r.Peek(64)
	if err != nil && err != io.EOF {
		return nil, err
	}
	m := &model{}
	switch {
	case bytes.HasPrefix(first, []byte("haarlem-boost-multi ")):
		m.several, err = boost.LoadMulti(r)
	case bytes.HasPrefix(first, []byte("haarlem-boost")):
		m.one, err = boost.Load(r)
	default:
		var theirs *interop.Model
		if theirs, err = interop.Read(r); err == nil {
			m.one, m.several = theirs.One, theirs.Several
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func (m *model) save(w io.Writer) error {
	if m.several != nil {
		return m.several.Save(w)
	}
	return m.one.Save(w)
}

func (m *model) schema() *boost.Schema {
	if m.several != nil {
		return &m.several.Schema
	}
	return &m.one.Schema
}

func (m *model) align(d *boost.Data) (*boost.Data, error) {
	if m.several != nil {
		return m.several.Align(d)
	}
	return m.one.Align(d)
}

// target is what the model predicts.
func (m *model) target() dataset.Target {
	switch {
	case m.several != nil:
		return dataset.SeveralClasses
	case m.one.Link == boost.IdentityLink || m.one.Link == boost.LogLink:
		return dataset.Numbers
	}
	return dataset.TwoClasses
}

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
type model interop.Model

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
		m.Several, err = boost.LoadMulti(r)
	case bytes.HasPrefix(first, []byte("haarlem-boost")):
		m.One, err = boost.Load(r)
	default:
		var theirs *interop.Model
		theirs, err = interop.Read(r)
		m = (*model)(theirs)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func (m *model) save(w io.Writer) error {
	if m.Several != nil {
		return m.Several.Save(w)
	}
	return m.One.Save(w)
}

func (m *model) schema() *boost.Schema {
	if m.Several != nil {
		return &m.Several.Schema
	}
	return &m.One.Schema
}

func (m *model) align(d *boost.Data) (*boost.Data, error) {
	if m.Several != nil {
		return m.Several.Align(d)
	}
	return m.One.Align(d)
}

// target is what the model predicts.
func (m *model) target() dataset.Target {
	switch {
	case m.Several != nil:
		return dataset.SeveralClasses
	case m.One.Link == boost.IdentityLink || m.One.Link == boost.LogLink:
		return dataset.Numbers
	}
	return dataset.TwoClasses
}

package boosting

import (
	"fmt"
	"os"

	"haarlem/boost"
	"haarlem/boost/dataset"
	"haarlem/boost/interop"
)

// model is a model of one score or of several.
type model struct{ *interop.Model }

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
	m, err := interop.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &model{m}, nil
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

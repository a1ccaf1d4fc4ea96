package find

import (
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"

	"haarlem/internal/app/cli"
	"haarlem/landmarks"
	"haarlem/models/face5"
	"haarlem/models/face68"
)

// openPoints opens the landmark model of -points. Without a name it returns
// nil: not wanted.
func openPoints(name string) (*landmarks.Model, error) {
	var m *landmarks.Model
	var err error
	switch name {
	case "":
		return nil, nil
	case face5.Name:
		m, err = face5.Model()
	case face68.Name:
		m, err = face68.Model()
	default:
		var f *os.File
		if f, err = os.Open(name); errors.Is(err, fs.ErrNotExist) {
			return nil, cli.Usagef("-points %s: there is no such file, and the built-in landmark models are %s and %s", name, face5.Name, face68.Name)
		} else if err != nil {
			return nil, err
		}
		defer f.Close()
		if m, err = landmarks.Read(f); err != nil {
			err = fmt.Errorf("-points %s: %w", name, err)
		}
	}
	return m, err
}

// levelled returns what is in a face's box, turned so that its eyes are level.
func levelled(p *landmarks.Predictor, img image.Image, box image.Rectangle, points []landmarks.Point) image.Image {
	eyes := p.Model().Eyes
	return landmarks.Crop(img, landmarks.Upright(box, points[eyes[0]], points[eyes[1]]), max(box.Dx(), 1))
}

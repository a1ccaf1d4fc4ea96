package label

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"haarlem/internal/samples"
)

// exported is where an export is and what it could not hold.
type exported struct {
	Path     string `json:"path"`
	Pictures int    `json:"pictures"`
	Objects  int    `json:"objects"`
	Note     string `json:"note,omitempty"`
}

// export writes the working file in another format, into NAME.export beside it.
func export(labels, format string) (*exported, error) {
	photos, err := samples.ReadTruth(labels, samples.Auto)
	e := &exported{Path: labels}
	var missing *samples.MissingError
	switch {
	case errors.As(err, &missing):
		e.note(fmt.Sprintf("%d of %d pictures do not exist and are left out, %s among them", missing.Count, missing.Of, missing.Names[0]))
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%w: there are no labels yet", errBad)
	case err != nil:
		return nil, err
	}
	t, err := samples.ReadTable(labels)
	if err != nil {
		return nil, err
	}
	marks := false
	for _, p := range photos {
		e.Objects += len(p.Objects)
		for _, o := range p.Objects {
			marks = marks || len(o.Marks) > 0
		}
	}
	e.Pictures = len(photos)
	dir := strings.TrimSuffix(labels, filepath.Ext(labels)) + ".export"
	switch format {
	case "voc":
		e.Path = filepath.Join(dir, "voc")
		err = samples.WriteVOC(e.Path, photos)
	case "coco":
		e.Path = filepath.Join(dir, "coco.json")
		if err = os.MkdirAll(dir, 0o777); err == nil {
			err = samples.WriteCOCO(e.Path, photos, t.Points())
		}
	case "yolo":
		e.Path = filepath.Join(dir, "yolo")
		var ignored int
		if ignored, err = samples.WriteYOLO(e.Path, photos); ignored > 0 {
			e.note(fmt.Sprintf("YOLO has no ignored objects: %d are left out", ignored))
		}
	default:
		return nil, fmt.Errorf("%w: format %q, want voc, coco or yolo", errBad, format)
	}
	if marks && format != "coco" {
		e.note("points are in the CSV and in COCO only")
	}
	return e, err
}

func (e *exported) note(text string) {
	if e.Note != "" {
		e.Note += "; "
	}
	e.Note += text
}

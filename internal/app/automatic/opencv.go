package automatic

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"haarlem/cascade"
	"haarlem/internal/app/input"
	"haarlem/internal/app/training"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
)

// openCVFalseAlarm is the goal of each stage of the cascade for OpenCV.
const openCVFalseAlarm = 0.45

// openCVFile is the cascade for OpenCV in the working folder.
func (r *autoRun) openCVFile() string { return r.in(openCVStep + ".xml") }

// cutOpenCV writes the trained cascade for OpenCV, without a last stage that the time
// cut off: it passes more than its share of false positives.
func (r *autoRun) cutOpenCV() error {
	folder := r.in(openCVStep)
	var result training.Result
	if err := input.ReadJSON(folder+"/result.json", &result); err != nil {
		return err
	}
	c, err := cascade.Open(folder + "/" + filepath.Base(r.stem) + modelEnding)
	if err != nil {
		return err
	}
	c, err = withoutCutOff(c, &result)
	if err != nil {
		return err
	}
	return samples.WriteAtomically(r.openCVFile(), c.EncodeOpenCV)
}

// withoutCutOff drops the last stage if it has not reached its goal, unless it is the
// only one.
func withoutCutOff(c *cascade.Cascade, r *training.Result) (*cascade.Cascade, error) {
	n := len(r.Steps)
	if n != len(c.Exits) {
		return nil, fmt.Errorf("%d stages, and %d in the report of the training", len(c.Exits), n)
	}
	if n < 2 || r.Steps[n-1].FalsePositiveRate <= openCVFalseAlarm {
		return c, nil
	}
	return c.Cut(c.Exits[n-2].After), nil
}

// maxFalsePositives is how many false positives an object that is found may cost, in a
// cascade that is handed over.
const maxFalsePositives = 5

// openCVName is the cascade for OpenCV in reports.
func (r *autoRun) openCVName() string { return filepath.Base(r.stem) + "-opencv" }

// worth says what the cascade for OpenCV is worth by the measurement, and whether it is
// of use.
func worth(report *eval.Report, name string) (text string, useful bool) {
	for _, l := range report.Lines {
		if l.Name == name {
			return fmt.Sprintf("it finds %d of %d objects, with %d false positives in %d pictures", l.Found, report.Objects, l.FalsePositives, report.Photos),
				l.Found > 0 && l.FalsePositives <= maxFalsePositives*l.Found
		}
	}
	return "it was not measured", false
}

// handOver copies the cascade for OpenCV beside the model, if it is of use; one of an
// earlier run goes if not.
func (r *autoRun) handOver(context.Context) error {
	report, err := r.measuredReport()
	if err != nil {
		return err
	}
	if _, useful := worth(report, r.openCVName()); r.opencv && useful {
		return copyWhole(r.openCVFile(), r.stem+".xml")
	}
	if !r.v.opencv {
		return nil
	}
	if err := os.Remove(r.stem + ".xml"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

package training

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
	"haarlem/internal/train"
	"haarlem/internal/train/report"
)

// Result is result.json.
type Result struct {
	Reason  string       `json:"reason"`
	Weak    int          `json:"weakClassifiers"`
	Seconds float64      `json:"seconds"` // of the last run, if it was resumed
	Steps   []StepResult `json:"steps"`

	// Windows with less contrast than the cascade's gate.
	LowContrast           int `json:"lowContrast,omitempty"`
	ValidationLowContrast int `json:"validationLowContrast,omitempty"`
}

type StepResult struct {
	Weak              int      `json:"weakClassifiers"` // weak classifiers after it
	HitRate           float64  `json:"hitRate"`
	Validation        *float64 `json:"validationHitRate,omitempty"`
	FalsePositiveRate float64  `json:"falsePositiveRate"`
	Visited           int      `json:"backgroundWindows"`
	Passed            int      `json:"passed"`
	Negatives         int      `json:"negatives"`
	Features          int      `json:"features"`
	HeldOut           int      `json:"heldOut,omitempty"` // windows of validation backgrounds
	Gain              *float64 `json:"gain,omitempty"`    // of the area under the ROC curve, over these
}

func (t *training) writeResult(r *train.Result) error {
	out := Result{Reason: r.Reason.String(), Weak: len(r.Cascade.Weak), Seconds: math.Round(t.log.spent().Seconds()*10) / 10,
		LowContrast: r.LowContrast, ValidationLowContrast: r.ValidationLowContrast}
	for _, s := range r.Steps {
		f := StepResult{s.Weak, s.HitRate, nil, s.FalsePositiveRate, s.Visited, s.Passed, s.Negatives, s.Features, s.HeldOut, nil}
		if !math.IsNaN(s.Validation) {
			f.Validation = &s.Validation
		}
		if !math.IsNaN(s.Gain) {
			f.Gain = &s.Gain
		}
		out.Steps = append(out.Steps, f)
	}
	return t.writeJSON(resultFile, out)
}

// writeCascade writes a cascade in both formats, as far as each can express it.
func (t *training) writeCascade(c *cascade.Cascade) error {
	name := t.folder.name
	if err := t.folder.write(name+".cascade", c.Encode); err != nil {
		return err
	}
	err := t.folder.write(name+".xml", c.EncodeOpenCV)
	if errors.Is(err, cascade.ErrOpenCV) {
		t.log.note(fmt.Sprintf("no %s.xml: %s", name, strings.TrimPrefix(errors.Unwrap(err).Error(), "cascade: ")))
		return t.folder.remove(name + ".xml") // of an older training
	}
	return err
}

// writeReport writes the report of a training that has ended.
func (t *training) writeReport(r *train.Result) error {
	run, err := t.run(r.Cascade, r.Steps)
	if err != nil {
		return err
	}
	run.Ended = r.Reason.String()
	made := len(r.Steps)
	if t.last != nil {
		// Including those that were undone, and one that ran out of time.
		made = max(made, len(t.last.Steps()))
		if made == len(r.Steps) { // otherwise they are those of another cascade
			run.Negatives = mined(t.last.Negatives(t.data.width), t.data.backgrounds)
			run.HeldOut, run.HeldOutRate = mined(t.heldOut, t.data.heldOut), t.heldOutRate
		}
	}
	t.log.ended(r)
	t.timed(run)
	return t.folder.write(ReportFile, func(w io.Writer) error { return report.Write(w, run) })
}

func (t *training) writeSheet(name string, windows []*image.Gray) error {
	if len(windows) == 0 {
		return nil
	}
	return t.folder.write(name, func(w io.Writer) error {
		return png.Encode(w, samples.Sheet(windows, output.SheetColumns, output.SheetZoom))
	})
}

package training

import (
	"encoding/json"
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

// Settings is settings.json.
type Settings struct {
	Program  string         `json:"program"`
	Command  string         `json:"command"`
	Settings map[string]any `json:"settings"`
	Data     struct {
		Names       []string    `json:"names,omitempty"`
		Positives   fingerprint `json:"positives"`
		Validation  fingerprint `json:"validation"`
		Backgrounds fingerprint `json:"backgrounds"`
		Apart       fingerprint `json:"validationBackgrounds,omitzero"`
	} `json:"data"`
}

// A fingerprint identifies data: SHA-256 over names and pixels of windows, over
// names and files of backgrounds.
type fingerprint struct {
	Count  int    `json:"count"`
	SHA256 string `json:"sha256"`
}

// command is the command line that repeats the training into the same folder.
func (t *training) command() string {
	return output.CommandLine(append(t.repeat(func(p string) string { return p }), "-data", t.v.data))
}

func (t *training) writeSettings() error {
	settings, err := t.allSettings()
	if err != nil {
		return err
	}
	w := Settings{Program: output.Program(), Command: t.command(), Settings: settings}
	w.Data.Names = t.v.dataNames
	w.Data.Positives = fingerprint{len(t.data.positives), t.data.sumPositives}
	w.Data.Validation = fingerprint{len(t.data.validation), t.data.sumValidation}
	w.Data.Backgrounds = fingerprint{len(t.data.backgrounds), t.data.sumBackgrounds}
	w.Data.Apart = fingerprint{len(t.data.heldOut), t.data.sumHeldOut}
	return t.writeJSON(settingsFile, w)
}

// allSettings are those that apply to this training, by name, with defaults
// filled in.
func (t *training) allSettings() (map[string]any, error) {
	s, err := t.settings.WithDefaults()
	if err != nil {
		return nil, err
	}
	kind := "HAAR"
	if s.Kind == cascade.LBP {
		kind = "LBP"
	}
	all := map[string]any{
		"name": s.Name, "width": s.Width, "height": s.Height, "features": kind, "shape": s.Shape.String(), "booster": s.Booster.String(), "trim": s.Trim,
		"cost": s.Cost, "negatives": s.Negatives, "share": s.Share, "memory": s.Memory, "seed": s.Seed, "acceptanceBreak": s.AcceptanceBreak,
	}
	if s.Kind == cascade.Haar {
		all["set"], all["minStdDev"] = s.Set.String(), s.MinStdDev
		all["weak"] = s.Weak.String()
		if s.Weak == train.Histograms {
			all["bins"], all["smooth"] = s.Bins, s.Smooth
		} else {
			all["depth"] = s.Depth
		}
	}
	if s.PrefilterFrom != 0 {
		all["prefilterFrom"] = s.PrefilterFrom
	}
	if s.Shape == train.Soft {
		all["rounds"], all["loss"] = s.Soft.Rounds, s.Soft.Loss
		if s.Soft.LossPower != 1 {
			all["lossPower"] = s.Soft.LossPower
		}
	} else {
		all["stages"], all["hitRate"], all["falsePositiveRate"], all["maxWeak"] = s.Stages.Count, s.Stages.HitRate, s.Stages.FalsePositiveRate, s.Stages.MaxWeak
	}
	if s.Turns > 1 {
		all["turns"] = s.Turns
	}
	if s.Features > 0 {
		all["features"] = s.Features
	}
	if d := t.v.time; d > 0 {
		all["time"] = d.String()
	}
	return all, nil
}

func (t *training) writeJSON(name string, v any) error {
	return t.folder.write(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		e.SetEscapeHTML(false)
		return e.Encode(v)
	})
}

// Result is result.json.
type Result struct {
	Reason  string       `json:"reason"`
	Weak    int          `json:"weakClassifiers"`
	Seconds float64      `json:"seconds"` // of the last run, if it was resumed
	Steps   []trainedFor `json:"steps"`

	// Windows with less contrast than the cascade's gate.
	LowContrast           int `json:"lowContrast,omitempty"`
	ValidationLowContrast int `json:"validationLowContrast,omitempty"`
}

type trainedFor struct {
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
		f := trainedFor{s.Weak, s.HitRate, nil, s.FalsePositiveRate, s.Visited, s.Passed, s.Negatives, s.Features, s.HeldOut, nil}
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

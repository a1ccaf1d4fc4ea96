package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"strings"
	"unicode"

	"haarlem/cascade"
	"haarlem/cascade/train"
	"haarlem/samples"
)

// isFileName reports whether a name serves for a cascade and its files.
func isFileName(name string) bool {
	return name != "" && len(name) <= 100 && name[0] != '.' && name[0] != '-' && filepath.IsLocal(name) &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
		})
}

// trainedWith is settings.json.
type trainedWith struct {
	Program  string         `json:"program"`
	Command  string         `json:"command"`
	Settings map[string]any `json:"settings"`
	Data     struct {
		Names       []string    `json:"names,omitempty"`
		Positives   fingerprint `json:"positives"`
		Validation  fingerprint `json:"validation"`
		Backgrounds fingerprint `json:"backgrounds"`
	} `json:"data"`
}

// A fingerprint tells data from others: SHA-256 over names and pixels of
// windows, over names and files of backgrounds.
type fingerprint struct {
	Count  int    `json:"count"`
	SHA256 string `json:"sha256"`
}

func (t *training) writeSettings() error {
	s, err := t.settings.WithDefaults()
	if err != nil {
		return err
	}
	w := trainedWith{Program: program()}
	w.Command = commandLine(append(t.repeat(func(p string) string { return p }), "-data", t.c.String("data")))
	w.Data.Names = t.c.StringSlice("data-name")
	w.Data.Positives = fingerprint{len(t.data.positives), t.data.sumPositives}
	w.Data.Validation = fingerprint{len(t.data.validation), t.data.sumValidation}
	w.Data.Backgrounds = fingerprint{len(t.data.backgrounds), t.data.sumBackgrounds}
	kind := "HAAR"
	if s.Kind == cascade.LBP {
		kind = "LBP"
	}
	w.Settings = map[string]any{
		"name": s.Name, "width": s.Width, "height": s.Height, "features": kind, "shape": s.Shape.String(), "booster": s.Booster.String(), "trim": s.Trim,
		"cost": s.Cost, "negatives": s.Negatives, "share": s.Share, "memory": s.Memory, "seed": s.Seed, "acceptanceBreak": s.AcceptanceBreak,
	}
	more := map[string]any{}
	if s.Kind == cascade.Haar {
		more["set"], more["minStdDev"] = s.Set.String(), s.MinStdDev
		more["weak"] = s.Weak.String()
		if s.Weak == train.Histograms {
			more["bins"], more["smooth"] = s.Bins, s.Smooth
		} else {
			more["depth"] = s.Depth
		}
	}
	if s.Shape == train.Soft {
		more["rounds"], more["loss"] = s.Rounds, s.Loss
	} else {
		more["stages"], more["hitRate"], more["falseAlarmRate"], more["maxWeak"] = s.Stages, s.HitRate, s.FalseAlarmRate, s.MaxWeak
	}
	if s.Features > 0 {
		more["featuresLookedAt"] = s.Features
	}
	if d := t.c.Duration("time"); d > 0 {
		more["time"] = d.String()
	}
	for k, v := range more {
		w.Settings[k] = v
	}
	return t.writeJSON(settingsFile, w)
}

func (t *training) writeJSON(name string, v any) error {
	return t.folder.write(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		e.SetEscapeHTML(false)
		return e.Encode(v)
	})
}

// trainedTo is result.json.
type trainedTo struct {
	Reason  string       `json:"reason"`
	Weak    int          `json:"weakLearners"`
	Seconds float64      `json:"seconds"` // of the last run, if it was resumed
	Steps   []trainedFor `json:"steps"`
}

type trainedFor struct {
	Weak       int      `json:"weakLearners"` // after it
	HitRate    float64  `json:"hitRate"`
	Validation *float64 `json:"validationHitRate,omitempty"`
	FalseAlarm float64  `json:"falseAlarmRate"`
	Visited    int      `json:"backgroundWindows"`
	Passed     int      `json:"passed"`
	Negatives  int      `json:"negatives"`
	Features   int      `json:"features"`
}

func (t *training) writeResult(r *train.Result) error {
	out := trainedTo{Reason: r.Reason.String(), Weak: len(r.Cascade.Weak), Seconds: math.Round(t.log.spent().Seconds()*10) / 10}
	for _, s := range r.Steps {
		f := trainedFor{s.Weak, s.HitRate, nil, s.FalseAlarm, s.Visited, s.Passed, s.Negatives, s.Features}
		if !math.IsNaN(s.Validation) {
			f.Validation = &s.Validation
		}
		out.Steps = append(out.Steps, f)
	}
	return t.writeJSON(resultFile, out)
}

// writeCascade writes a cascade in both formats, as far as each can say it.
func (t *training) writeCascade(c *cascade.Cascade) error {
	name := t.folder.name
	if err := t.folder.write(name+".cascade", c.Encode); err != nil {
		return err
	}
	err := t.folder.write(name+".xml", c.EncodeOpenCV)
	if errors.Is(err, cascade.ErrOpenCV) {
		t.log.note(fmt.Sprintf("no %s.xml: OpenCV's format cannot say this cascade (%v)", name, errors.Unwrap(err)))
		return t.folder.remove(name + ".xml") // of an older training
	}
	return err
}

func (t *training) writeSheet(name string, windows []*image.Gray) error {
	if len(windows) == 0 {
		return nil
	}
	return t.folder.write(name, func(w io.Writer) error {
		return png.Encode(w, samples.Sheet(windows, sheetColumns, 4))
	})
}

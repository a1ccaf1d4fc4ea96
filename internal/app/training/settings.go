package training

import (
	"encoding/json"
	"errors"
	"fmt"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/app/output"
	"haarlem/internal/train"
)

// Settings is settings.json.
type Settings struct {
	Program  string              `json:"program"`
	Command  string              `json:"command"`
	Flags    map[string][]string `json:"flags"` // for -resume alone
	Settings map[string]any      `json:"settings"`
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

func (t *training) writeSettings() error {
	settings, err := t.allSettings()
	if err != nil {
		return err
	}
	w := Settings{Program: output.Program(), Command: t.command(), Settings: settings, Flags: map[string][]string{}}
	for _, name := range t.v.flags.Names() {
		if t.v.flags.Given(name) && !slices.Contains(withoutEffect, name) {
			w.Flags[name] = t.v.flags.Values(name)
		}
	}
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
	if s.Orientations > 1 {
		all["orientations"] = s.Orientations
	}
	if s.Features > 0 {
		all["features"] = s.Features
	}
	if d := t.v.set.Time; d > 0 {
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

// restore takes the flags that were not given from the training in -data.
func (v *trainFlags) restore() error {
	var was Settings
	err := input.ReadJSON(filepath.Join(v.data, settingsFile), &was)
	if errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("-resume: %s holds no training: give the flags that begin one", v.data)
	} else if err != nil {
		return fmt.Errorf("-resume: %w", err)
	}
	given := map[string]bool{}
	for name := range was.Flags {
		if !slices.Contains(v.flags.Names(), name) {
			return fmt.Errorf("-resume: %s: no flag is called -%s", filepath.Join(v.data, settingsFile), name)
		}
		given[name] = v.flags.Given(name)
	}
	for name, values := range was.Flags {
		for _, value := range values {
			if given[name] {
				break
			}
			if err := v.flags.Set(name, value); err != nil {
				return fmt.Errorf("-resume: %s: %w", filepath.Join(v.data, settingsFile), err)
			}
		}
	}
	return nil
}

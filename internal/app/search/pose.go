package search

import (
	"cmp"
	"fmt"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/models"
	"haarlem/models/facebox"
)

// doubtful is the score that is enough to hide what may be a face.
const doubtful = 0.1

// Open opens the models that -pose asks for: the one given here for faces
// seen from the front, and -profile-model. Nothing means the default: that of the
// pose, or, without -pose, a model of all poses.
func (v *Flags) Open(model string) ([]*cascade.Cascade, error) {
	p, err := v.Posed()
	if err != nil {
		return nil, cli.Usage(err)
	}
	var frontal, profile *cascade.Cascade
	switch name := v.profile; {
	case !p.Frontal() && model != "":
		return nil, cli.Usagef("-model %s: is for faces seen from the front, of which -pose %v wants none; -profile-model is the other one", model, p)
	case !p.Profile() && name != "":
		return nil, cli.Usagef("-profile-model %s: is for -pose profile and -pose any", name)
	case p.Profile():
		if profile, err = OpenModel(cmp.Or(name, models.ProfileName)); err != nil {
			return nil, err
		}
	}
	if p.Frontal() {
		if model == "" && v.Pose != "" {
			model = models.FrontalName
		}
		if frontal, err = OpenModel(model); err != nil {
			return nil, err
		}
	}
	all, err := p.Cascades(frontal, profile)
	if err != nil {
		return nil, cli.Usage(err)
	}
	for i, m := range all {
		own := m.Search.MinScore
		m = v.tuned(m)
		if m.Calibration != nil {
			if v.Given("min-score") {
				own = v.values.MinScore
			}
			v.Strong = max(v.Strong, own)
			if v.Weak {
				m.Search.MinScore = min(own, doubtful)
			}
		}
		all[i] = m
	}
	return all, nil
}

// Posed is the pose of -pose.
func (v *Flags) Posed() (models.Pose, error) {
	return models.ParsePose(cmp.Or(v.Pose, models.Frontal.String()))
}

// Framings returns what -box asks for, for the cascades that open returned.
func (v *Flags) Framings(all []*cascade.Cascade) ([]cascade.Framing, error) {
	if v.box == "" { // a command without -box
		return nil, nil
	}
	box, err := facebox.Parse(v.box)
	if err != nil {
		return nil, cli.Usage(err)
	}
	p, err := v.Posed()
	if err != nil {
		return nil, cli.Usage(err)
	}
	f, err := box.Framings(all, p.Profile())
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("-box: %w", err))
	}
	return f, nil
}

// tuned is a copy of a model with the settings that flags ask for.
func (v *Flags) tuned(m *cascade.Cascade) *cascade.Cascade {
	tuned := *m
	if v.Hides {
		tuned.Search.MinScore = min(m.Search.MinScore, doubtful)
	}
	v.values.Edit(&tuned.Search)
	return &tuned
}

package measuring

import (
	"slices"

	"haarlem/cascade"
	"haarlem/cascade/pico"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/models"
)

// A posed is the cascades that search together under one name.
type posed struct {
	name     string
	cascades []*cascade.Cascade
	pico     *pico.Model // instead of these
}

// posed opens each -model, with the models that -pose adds.
func (v *evalFlags) posed() ([]posed, error) {
	p, err := models.ParsePose(v.pose)
	if err != nil {
		return nil, cli.Usage(err)
	}
	names := v.models
	switch {
	case !p.Frontal() && len(names) > 0:
		return nil, cli.Usagef("-model is for faces seen from the front, which -pose %v does not use: name a model with -profile-model", p)
	case !p.Profile() && v.flags.Given("profile-model"):
		return nil, cli.Usagef("-profile-model is for -pose profile and -pose any")
	case !p.Frontal():
		names = []string{v.profile}
	}
	var profile *cascade.Cascade
	if p.Profile() {
		_, file := input.Named(v.profile)
		if profile, err = input.OpenModel(file); err != nil {
			return nil, err
		}
	}
	var all []posed
	for _, s := range names {
		name, file := input.Named(s)
		if p == models.Frontal && !slices.Contains(models.Names(), file) && pico.IsFile(file) {
			m, err := pico.Open(file)
			if err != nil {
				return nil, err
			}
			all = append(all, posed{name: name, pico: m})
			continue
		}
		var frontal *cascade.Cascade
		if p.Frontal() {
			if frontal, err = input.OpenModel(file); err != nil {
				return nil, err
			}
		}
		cascades, err := p.Cascades(frontal, profile)
		if err != nil {
			return nil, cli.Usage(err)
		}
		all = append(all, posed{name: name, cascades: cascades})
	}
	return all, nil
}

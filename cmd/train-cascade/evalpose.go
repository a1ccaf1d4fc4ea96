package main

import (
	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/models"
)

// A posed is what searches together under one name.
type posed struct {
	name     string
	cascades []*cascade.Cascade
}

// poseModels opens each -model with what -pose adds to it.
func poseModels(c *cli.Command) ([]posed, error) {
	p, err := models.ParsePose(c.String("pose"))
	if err != nil {
		return nil, usagef("-pose is %q, want frontal, profile or any", c.String("pose"))
	}
	names := c.StringSlice("model")
	switch {
	case !p.Frontal() && len(names) > 0:
		return nil, usagef("-model is for faces seen from the front, of which -pose %v wants none: name a model with -profile-model", p)
	case !p.Profile() && c.IsSet("profile-model"):
		return nil, usagef("-profile-model is for -pose profile and -pose any")
	case !p.Frontal():
		names = []string{c.String("profile-model")}
	}
	var profile *cascade.Cascade
	if p.Profile() {
		_, file := named(c.String("profile-model"))
		if profile, err = openModel(file); err != nil {
			return nil, err
		}
	}
	var all []posed
	for _, s := range names {
		name, file := named(s)
		var frontal *cascade.Cascade
		if p.Frontal() {
			if frontal, err = openModel(file); err != nil {
				return nil, err
			}
		}
		cascades, err := p.Cascades(frontal, profile)
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, posed{name, cascades})
	}
	return all, nil
}

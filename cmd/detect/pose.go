package main

import (
	"cmp"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/models"
)

// poseOf reads -pose.
func poseOf(c *cli.Command) (models.Pose, error) {
	p, err := models.ParsePose(c.String("pose"))
	if err != nil {
		return 0, usagef("-pose %q: want frontal, profile or any", c.String("pose"))
	}
	return p, nil
}

// openPose opens the models that -pose asks for: the one given here for faces
// seen from the front, and -profile-model. Nothing means the default.
func openPose(c *cli.Command, model string) ([]*cascade.Cascade, error) {
	p, err := poseOf(c)
	if err != nil {
		return nil, err
	}
	var frontal, profile *cascade.Cascade
	switch name := c.String("profile-model"); {
	case !p.Frontal() && model != "":
		return nil, usagef("-model %s: is for faces seen from the front, of which -pose %v wants none; -profile-model is the other one", model, p)
	case !p.Profile() && name != "":
		return nil, usagef("-profile-model %s: is for -pose profile and -pose any", name)
	case p.Profile():
		if profile, err = openModel(cmp.Or(name, models.ProfileName)); err != nil {
			return nil, err
		}
	}
	if p.Frontal() {
		if frontal, err = openModel(model); err != nil {
			return nil, err
		}
	}
	all, err := p.Cascades(frontal, profile)
	if err != nil {
		return nil, usageError{err}
	}
	for i, m := range all {
		m := *m
		if obscures(c) {
			m.Search.MinScore = min(m.Search.MinScore, doubtful)
		}
		editSearch(c, &m.Search)
		all[i] = &m
	}
	return all, nil
}

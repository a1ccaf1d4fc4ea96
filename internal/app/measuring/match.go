package measuring

import (
	"haarlem/internal/app/cli"
	"haarlem/internal/eval"
)

// MatchFlags define when a detection is right.
type MatchFlags struct {
	given              func(string) bool
	match              string
	threshold          float64
	position, sizeDiff float64
}

func (v *MatchFlags) Declare(f *cli.Flags) {
	v.match, v.given = "centre", f.Given
	f.Group("Matching")
	f.Choice(&v.match, "match", []string{"centre", "overlap"}, "`RULE` by which a detection is right: centre or overlap")
	f.Float(&v.threshold, "threshold", "`LIMIT` of -match: largest distance of the centres in sizes of the object, or minimum intersection over union; 0.5 if not given")
	f.Float(&v.sizeDiff, "maxSizeDiff", "with -match centre: largest `FACTOR` between the size of a detection and of the object; 2 if not given (opencv_performance: 1.5)")
	f.Float(&v.position, "maxPosDiff", "-threshold of -match centre, by the name of opencv_performance (0.3)")
}

func (v *MatchFlags) Matcher() (eval.Matcher, error) {
	centre := v.match == "centre"
	for _, name := range []string{"maxSizeDiff", "maxPosDiff"} {
		if v.given(name) && !centre {
			return nil, cli.Usagef("-%s is for -match centre, not for -match %s", name, v.match)
		}
	}
	switch {
	case v.given("maxSizeDiff") && !(v.sizeDiff > 1 && v.sizeDiff <= 100):
		return nil, cli.Usagef("-maxSizeDiff is %v, want a factor of more than 1 and at most 100", v.sizeDiff)
	case v.given("maxPosDiff") && v.given("threshold"):
		return nil, cli.Usagef("-maxPosDiff and -threshold are the same: give one of them")
	case v.given("maxPosDiff") && !(v.position > 0 && v.position <= 1):
		return nil, cli.Usagef("-maxPosDiff is %v, want more than 0 and at most 1", v.position)
	}
	m, err := eval.ParseMatcher(v.match, max(v.threshold, v.position))
	if err != nil {
		return nil, cli.Usage(err)
	}
	if c, ok := m.(eval.Centre); ok && centre {
		c.Factor = v.sizeDiff
		m = c
	}
	return m, nil
}

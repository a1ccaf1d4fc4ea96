package compare

import (
	"fmt"
	"slices"
	"strings"

	"haarlem/boost"
)

// multiBoosters are what [ParseMethod] knows.
var multiBoosters = []part[boost.MultiBooster]{
	{Part{"softmax", "Newton steps on the multinomial logistic loss (Friedman)", newtonKeys[1:5]}, func(a *arguments) boost.MultiBooster {
		return &boost.Softmax{Newton: a.newton()}
	}},
	{Part{"logit-k", "LogitBoost of several classes (Friedman, Hastie and Tibshirani)", []string{"clip"}}, func(a *arguments) boost.MultiBooster {
		return &boost.LogitBoostK{Clip: a.number("clip")}
	}},
	{Part{"adaboost-mh", "AdaBoost of all pairs of a row and a class (Schapire and Singer)", []string{"smooth"}}, func(a *arguments) boost.MultiBooster {
		return &boost.AdaBoostMH{Smooth: a.number("smooth")}
	}},
	{Part{"samme", "AdaBoost with weak learners that say one of K classes (Zhu and others)", nil}, func(a *arguments) boost.MultiBooster {
		return boost.SAMME{}
	}},
}

// MultiBoosters lists the boosters of several classes that [ParseMethod] knows.
func MultiBoosters() []Part { return listed(multiBoosters) }

// parseMulti is [ParseBooster] for several classes.
func parseMulti(text string) (boost.MultiBooster, error) {
	name, _, _ := strings.Cut(strings.TrimSpace(text), "(")
	if slices.ContainsFunc(multiBoosters, func(p part[boost.MultiBooster]) bool { return p.Name == name }) {
		return parse("booster", multiBoosters, text)
	}
	two, err := ParseBooster(text)
	if err != nil {
		return nil, fmt.Errorf("%w; of several classes there are also %s", err, "softmax, logit-k, adaboost-mh and samme")
	}
	return &boost.OneVsRest{Booster: two}, nil
}

package compare

import (
	"fmt"
	"haarlem/boost"
	"strings"
)

// multiBoosters are what [ParseMulti] knows.
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

// MultiBoosters lists the boosters of several classes that [ParseMulti] knows.
func MultiBoosters() []Part { return listed(multiBoosters) }

// ParseMulti parses a method for several classes, "BOOSTER+LEARNER". A booster
// for two classes learns each class against the rest.
func ParseMulti(text string) (boost.MultiBooster, boost.Learner, error) {
	b, l, found := strings.Cut(text, "+")
	if !found {
		return nil, nil, fmt.Errorf("%w: method %q, want BOOSTER+LEARNER", ErrExperiment, text)
	}
	learner, err := ParseLearner(l)
	if err != nil {
		return nil, nil, err
	}
	name, a, err := parsePart(b)
	if err != nil {
		return nil, nil, err
	}
	for i := range multiBoosters {
		if multiBoosters[i].Name == name {
			made, err := finish(a, &multiBoosters[i].Part, multiBoosters[i].make(a))
			return made, learner, err
		}
	}
	two, err := ParseBooster(b)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; of several classes there are also %s", err, "softmax, logit-k, adaboost-mh and samme")
	}
	return &boost.OneVsRest{Booster: two}, learner, nil
}

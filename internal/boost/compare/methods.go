package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"haarlem/boost"
)

// Part is a booster or a learner that [ParseMethod] knows.
type Part struct {
	Name  string
	About string   // a line for a list
	Keys  []string // names of its settings
}

type part[T any] struct {
	Part
	make func(*arguments) T
}

// boosters and learners are the registry, in the order of lists.
var boosters = []part[boost.Booster]{
	{Part{"discrete", "Discrete AdaBoost (Freund and Schapire)", []string{"wording", "criterion"}}, func(a *arguments) boost.Booster {
		return &boost.Discrete{Criterion: a.criterion(), Friedman: a.choice("wording", "freund-schapire", "friedman") == 1}
	}},
	{Part{"real", "Real AdaBoost with a confidence a block (Schapire and Singer)", []string{"smooth", "criterion"}}, func(a *arguments) boost.Booster {
		return &boost.Real{Smooth: a.number("smooth"), Criterion: a.criterion()}
	}},
	{Part{"realnumeric", "Real AdaBoost with a coefficient found by Newton's method (Schapire and Singer)", []string{"leaf", "smooth"}}, func(a *arguments) boost.Booster {
		return &boost.RealNumeric{Leaf: a.leaf()}
	}},
	{Part{"adaboostr", "AdaBoost_R: a coefficient by formula for any answers (Nock and Nielsen)", []string{"leaf", "smooth"}}, func(a *arguments) boost.Booster {
		return &boost.AdaBoostR{Leaf: a.leaf()}
	}},
	{Part{"gentle", "GentleBoost: Newton steps on the exponential loss (Friedman, Hastie and Tibshirani)", nil}, func(a *arguments) boost.Booster {
		return &boost.Gentle{}
	}},
	{Part{"logit", "LogitBoost: Newton steps on the logistic loss (Friedman, Hastie and Tibshirani)", []string{"clip"}}, func(a *arguments) boost.Booster {
		return &boost.LogitBoost{Clip: a.number("clip")}
	}},
	{Part{"float", "FloatBoost: terms that are no longer needed are taken out (Li and Zhang)", []string{"real", "byloss", "relearn"}}, func(a *arguments) boost.Booster {
		return &boost.Float{Real: a.flag("real"), ByLoss: a.flag("byloss"), Relearn: a.flag("relearn")}
	}},
	{Part{"kl", "KLBoost: histograms along the columns of largest divergence (Liu and Shum)", []string{"smooth"}}, func(a *arguments) boost.Booster {
		return &boost.KL{Smooth: a.number("smooth")}
	}},
	{Part{"star", "AdaBoost*: the largest margin, with a margin estimate (Raetsch and Warmuth)", []string{"nu"}}, func(a *arguments) boost.Booster {
		return &boost.Star{Nu: a.number("nu")}
	}},
	{Part{"marginal", "Marginal AdaBoost: the largest margin, by halving (Raetsch and Warmuth)", []string{"nu"}}, func(a *arguments) boost.Booster {
		return &boost.Marginal{Nu: a.number("nu")}
	}},
	{Part{"weightboost", "WeightBoost: an input-dependent regulariser (Jin and others)", []string{"beta"}}, func(a *arguments) boost.Booster {
		return &boost.WeightBoost{Beta: a.number("beta")}
	}},
	{Part{"epsilon", "epsilon-boosting: small equal steps (Friedman; Rosset, Zhu and Hastie)", []string{"step"}}, func(a *arguments) boost.Booster {
		return &boost.Epsilon{Step: a.number("step")}
	}},
	{Part{"decay", "AdaBoost with weight decay (Raetsch, Onoda and Mueller)", []string{"c"}}, func(a *arguments) boost.Booster {
		return &boost.Decay{C: a.number("c")}
	}},
	{Part{"brown", "BrownBoost: gives up rows that are mostly wrong (Freund)", []string{"error"}}, func(a *arguments) boost.Booster {
		return &boost.BrownBoost{Error: a.number("error")}
	}},
	{Part{"uls", "universal linear separator: any of a class of losses (Nock and Nielsen)", []string{"loss", "corrective", "closedform"}}, func(a *arguments) boost.Booster {
		return &boost.ULS{Loss: a.marginLoss(), Corrective: a.flag("corrective"), ClosedForm: a.flag("closedform")}
	}},
	{Part{"newton", "gradient boosting with second derivatives, of classes or numbers (Friedman; Chen and Guestrin)", newtonKeys}, func(a *arguments) boost.Booster {
		b := a.newton()
		return &b
	}},
	{Part{"cyclic", "an additive model, column after column (Lou, Caruana and Gehrke)", newtonKeys}, func(a *arguments) boost.Booster {
		return &boost.Cyclic{Newton: a.newton()}
	}},
	{Part{"lambdamart", "ranking of the rows of each group: numbers are grades (Burges)", append([]string{"truncation"}, newtonKeys[1:5]...)}, func(a *arguments) boost.Booster {
		return &boost.LambdaMART{Newton: a.newton(), Truncation: a.integer("truncation")}
	}},
	{Part{"cox", "proportional hazards: numbers are times, negative without an event (Cox)", newtonKeys[1:5]}, func(a *arguments) boost.Booster {
		return &boost.Cox{Newton: a.newton()}
	}},
	{Part{"aft", "accelerated failure times: numbers are times, negative without an event, or lower bounds (Barnwal, Cho and Hocking)", append([]string{"distribution", "scale"}, newtonKeys[1:5]...)}, func(a *arguments) boost.Booster {
		return &boost.AFT{Newton: a.newton(), Distribution: boost.Distribution(a.choice("distribution", "normal", "logistic", "extreme")), Scale: a.number("scale")}
	}},
	{Part{"bagging", "bagging: equal votes on rows drawn with replacement (Breiman)", []string{"share", "criterion"}}, func(a *arguments) boost.Booster {
		return &boost.Bagging{Share: a.number("share"), Criterion: a.criterion()}
	}},
	{Part{"filtering", "the first boosting algorithm: nested votes of three (Schapire)", []string{"depth", "sample"}}, func(a *arguments) boost.Booster {
		return &boost.Filtering{Depth: a.integer("depth"), Sample: a.integer("sample")}
	}},
}

var learners = []part[boost.Learner]{
	{Part{"stumps", "one threshold on one quantised column", []string{"bins", "binning"}}, func(a *arguments) boost.Learner {
		return &boost.Stumps{Bins: a.integer("bins"), Binning: a.binning()}
	}},
	{Part{"sortedstumps", "one threshold anywhere on one column", nil}, func(a *arguments) boost.Learner {
		return boost.SortedStumps{}
	}},
	{Part{"histograms", "an answer for each bin of one column", []string{"bins", "binning"}}, func(a *arguments) boost.Learner {
		return &boost.Histograms{Bins: a.integer("bins"), Binning: a.binning()}
	}},
	{Part{"categories", "two blocks of the categories of one column: whole numbers from 0 to 255", nil}, func(a *arguments) boost.Learner {
		return boost.Categories{}
	}},
	{Part{"trees", "decision trees, grown top down", []string{"leaves", "depth", "criterion", "bins", "binning"}}, func(a *arguments) boost.Learner {
		return &boost.Trees{
			Leaves: a.integer("leaves"), Depth: a.integer("depth"), Criterion: a.criterion(),
			Bins: a.integer("bins"), Binning: a.binning(),
		}
	}},
	{Part{"lineartrees", "linearised decision trees", []string{"loss", "leaves", "smooth", "bins", "binning"}}, func(a *arguments) boost.Learner {
		return &boost.LinearTrees{
			Loss: a.marginLoss(), Leaves: a.integer("leaves"), Smooth: a.number("smooth"), Bins: a.integer("bins"), Binning: a.binning(),
		}
	}},
	{Part{"obliquetrees", "trees whose nodes are votes, of columns or of stumps (Henry, Nock and Nielsen)", []string{"loss", "leaves", "rounds", "stumps"}}, func(a *arguments) boost.Learner {
		l := &boost.ObliqueTrees{Loss: a.marginLoss(), Leaves: a.integer("leaves"), Rounds: a.integer("rounds")}
		if a.flag("stumps") {
			l.Learner = &boost.Stumps{}
		}
		return l
	}},
	{Part{"boosted", "votes of stumps, boosted themselves", []string{"rounds"}}, func(a *arguments) boost.Learner {
		return &boost.Boosted{Rounds: a.integer("rounds")}
	}},
	{Part{"monomials", "conjunctions of literals", []string{"length", "criterion", "bins", "binning"}}, func(a *arguments) boost.Learner {
		return &boost.Monomials{
			Length: a.integer("length"), Criterion: a.criterion(), Bins: a.integer("bins"), Binning: a.binning(),
		}
	}},
	{Part{"joints", "histograms over a small group of columns", []string{"group", "criterion", "bins", "binning"}}, func(a *arguments) boost.Learner {
		return &boost.Joints{
			Group: a.integer("group"), Criterion: a.criterion(), Bins: a.integer("bins"), Binning: a.binning(),
		}
	}},
	{Part{"coordinates", "the columns themselves: a linear model", nil}, func(a *arguments) boost.Learner {
		return boost.Coordinates{}
	}},
}

// Boosters lists the boosters that [ParseMethod] knows.
func Boosters() []Part { return listed(boosters) }

// Learners lists the learners that [ParseMethod] knows.
func Learners() []Part { return listed(learners) }

func listed[T any](of []part[T]) (parts []Part) {
	for i := range of {
		parts = append(parts, of[i].Part)
	}
	return parts
}

// ParseMethod parses "BOOSTER+LEARNER", where either may have settings:
// "gentle+trees(leaves=8)". The method's name is the text. Of several classes, a booster
// for two learns each class against the rest.
func ParseMethod(text string, several bool) (Method, error) {
	b, l, found := strings.Cut(text, "+")
	if !found {
		return Method{}, fmt.Errorf("%w: method %q, want BOOSTER+LEARNER", ErrExperiment, text)
	}
	m := Method{Name: text}
	var err error
	if several {
		m.Multi, err = parseMulti(b)
	} else {
		m.Booster, err = ParseBooster(b)
	}
	if err == nil {
		m.Learner, err = parse("learner", learners, l)
	}
	return m, err
}

// ParseBooster parses the name of a booster, with settings in parentheses if it
// has any: "real(smooth=0.001)".
func ParseBooster(text string) (boost.Booster, error) { return parse("booster", boosters, text) }

func parse[T any](what string, of []part[T], text string) (none T, err error) {
	name, a, err := parsePart(text)
	if err != nil {
		return none, err
	}
	var names []string
	for i := range of {
		if names = append(names, of[i].Name); of[i].Name == name {
			made := of[i].make(a)
			return made, a.rest(&of[i].Part)
		}
	}
	return none, fmt.Errorf("%w: no %s is called %q; there are %s", ErrExperiment, what, name, strings.Join(names, ", "))
}

// rest returns the first error, of which one is a setting that the part does not know.
func (a *arguments) rest(p *Part) error {
	if a.err == nil && len(a.values) > 0 {
		left := slices.Sorted(maps.Keys(a.values))
		if len(p.Keys) == 0 {
			return fmt.Errorf("%w: %s has no settings, and %q is one", ErrExperiment, p.Name, left[0])
		}
		a.err = fmt.Errorf("no setting is called %q; there are: %s", left[0], strings.Join(p.Keys, ", "))
	}
	if a.err != nil {
		return fmt.Errorf("%w: %s: %w", ErrExperiment, p.Name, a.err)
	}
	return nil
}

// parsePart parses "NAME" and "NAME(KEY=VALUE,KEY=VALUE)".
func parsePart(text string) (string, *arguments, error) {
	a := &arguments{values: map[string]string{}}
	name, rest, found := strings.Cut(strings.TrimSpace(text), "(")
	if !found {
		return name, a, nil
	}
	body, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return "", nil, fmt.Errorf("%w: %q lacks a closing parenthesis", ErrExperiment, text)
	}
	for _, setting := range strings.Split(body, ",") {
		key, value, found := strings.Cut(setting, "=")
		key = strings.TrimSpace(key)
		if _, twice := a.values[key]; !found || twice {
			return "", nil, fmt.Errorf("%w: %q: setting %q, want KEY=VALUE, each key once", ErrExperiment, text, setting)
		}
		a.values[key] = strings.TrimSpace(value)
	}
	return name, a, nil
}

package compare

import (
	"fmt"
	"haarlem/boost"
	"slices"
	"strconv"
	"strings"
)

// arguments are the settings of a part. Each getter removes its own, returns
// zero, which always means the default, if it is missing, and keeps the first
// error.
type arguments struct {
	values map[string]string
	err    error
}

func (a *arguments) take(key string) (string, bool) {
	v, ok := a.values[key]
	delete(a.values, key)
	return v, ok
}

func (a *arguments) fail(key, value, want string) {
	if a.err == nil {
		a.err = fmt.Errorf("%s is %q, want %s", key, value, want)
	}
}

func (a *arguments) integer(key string) int { return parsed(a, key, strconv.Atoi) }

func (a *arguments) number(key string) float64 {
	return parsed(a, key, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

func parsed[T int | float64](a *arguments, key string, parse func(string) (T, error)) (v T) {
	if text, ok := a.take(key); ok {
		var err error
		if v, err = parse(text); err != nil {
			a.fail(key, text, "a number")
		}
	}
	return v
}

// flag parses yes or no.
func (a *arguments) flag(key string) bool { return a.choice(key, "no", "yes") == 1 }

// choice returns the index of the value among some names.
func (a *arguments) choice(key string, names ...string) int {
	v, ok := a.take(key)
	if !ok {
		return 0
	}
	i := slices.Index(names, v)
	if i < 0 {
		a.fail(key, v, "one of "+strings.Join(names, ", "))
	}
	return max(i, 0)
}

// marginLoss parses a loss of margins, nil if it is missing.
func (a *arguments) marginLoss() boost.MarginLoss {
	losses := []boost.MarginLoss{nil, boost.LogisticLoss, boost.SquaredLoss, boost.MatsushitaLoss, boost.ExponentialLoss}
	return losses[a.choice("loss", "default", "logistic", "squared", "matsushita", "exponential")]
}

// leaf parses the outputs of weak learners.
func (a *arguments) leaf() boost.Leaf {
	kinds := []boost.LeafKind{0, boost.Majority, boost.Mean, boost.Logit}
	return boost.Leaf{Kind: kinds[a.choice("leaf", "default", "majority", "mean", "logit")], Smooth: a.number("smooth")}
}

// criterion parses a criterion by its name in files.
func (a *arguments) criterion() boost.Criterion {
	criteria := []boost.Criterion{
		0, boost.ZeroOne, boost.Exponential, boost.LeastSquares,
		boost.Gini, boost.Entropy, boost.GainRatio, boost.Divergence,
	}
	names := make([]string, len(criteria))
	for i, c := range criteria {
		names[i] = c.String()
	}
	return criteria[a.choice("criterion", names...)]
}

func (a *arguments) binning() boost.Binning {
	return []boost.Binning{boost.EqualFrequency, boost.EqualWidth}[a.choice("binning", "frequency", "width")]
}

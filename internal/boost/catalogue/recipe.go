package catalogue

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"haarlem/boost"
)

// maxRecipeRows and maxIrrelevant bound the size of a table from a recipe,
// which may come from a command line or a file.
const (
	maxRecipeRows = 10_000_000
	maxIrrelevant = 100_000
)

// Recipe defines a table from a built-in set. The same recipe gives the same
// table, and its parts are independent: the examples depend on Set, Rows and
// Seed only, and noise and irrelevant columns are added to the same examples.
type Recipe struct {
	// Set is the name of a built-in set.
	Set string

	// Rows is the number of examples. 0 means the set's own. A complete domain
	// accepts no other.
	Rows int

	// Seed selects the examples, the noise and the irrelevant columns.
	Seed uint64

	// ClassNoise is the fraction of rows whose label is flipped, rounded to a
	// number of distinct rows.
	ClassNoise float64

	// OneSided is the fraction of the rows of class +1 that are labelled -1,
	// rounded to a number of distinct rows: noise that hides one class in the
	// other. It comes before ClassNoise.
	OneSided float64

	// AttributeNoise is the probability that a cell is replaced with that of a
	// random row in the same column, so that a column's distribution is
	// unchanged.
	AttributeNoise float64

	// Irrelevant is a number of columns, called noise1 and so on, that are
	// independent of the class: fair coins if all of the set's columns contain
	// only names or zeros and ones, otherwise standard normal.
	Irrelevant int
}

// ParseRecipe parses a set's name, and after a colon any of rows=N, seed=N, noise=P,
// onesided=P, attrnoise=P and irrelevant=N, separated by commas. For example
// "ringnorm:rows=1000,noise=0.1".
func ParseRecipe(s string) (r Recipe, err error) {
	name, settings, found := strings.Cut(s, ":")
	if r.Set = name; found {
		err = r.parse(settings)
	}
	if err == nil {
		_, err = r.check()
	}
	if err != nil {
		return Recipe{}, fmt.Errorf("catalogue: recipe %q: %w", s, err)
	}
	return r, nil
}

// parse sets what settings say.
func (r *Recipe) parse(settings string) error {
	seen := map[string]bool{}
	for _, setting := range strings.Split(settings, ",") {
		key, value, _ := strings.Cut(setting, "=")
		if seen[key] {
			return fmt.Errorf("%s occurs twice", key)
		}
		seen[key] = true
		var err error
		switch key {
		case "rows":
			r.Rows, err = strconv.Atoi(value)
			if err == nil && r.Rows == 0 {
				err = fmt.Errorf("want a number above 0")
			}
		case "seed":
			r.Seed, err = strconv.ParseUint(value, 10, 64)
		case "noise", "onesided", "attrnoise":
			share := map[string]*float64{"noise": &r.ClassNoise, "onesided": &r.OneSided, "attrnoise": &r.AttributeNoise}[key]
			*share, err = strconv.ParseFloat(value, 64)
		case "irrelevant":
			r.Irrelevant, err = strconv.Atoi(value)
		default:
			err = fmt.Errorf("want rows, seed, noise, onesided, attrnoise or irrelevant")
		}
		if err != nil {
			return fmt.Errorf("setting %q: %w", setting, err)
		}
	}
	return nil
}

// check returns the recipe's set.
func (r Recipe) check() (Set, error) {
	set, err := Find(r.Set)
	switch {
	case err != nil:
		return set, err
	case r.Rows < 0 || r.Rows > maxRecipeRows:
		return set, fmt.Errorf("%d rows, want 1 to %d", r.Rows, maxRecipeRows)
	case set.Complete && r.Rows != 0 && r.Rows != set.Rows:
		return set, fmt.Errorf("this is a complete domain of %d rows", set.Rows)
	}
	return set, r.checkNoise()
}

func (r Recipe) checkNoise() error {
	switch {
	case !(r.ClassNoise >= 0 && r.ClassNoise <= 0.5):
		return fmt.Errorf("class noise is %v, want 0 to 0.5", r.ClassNoise)
	case !(r.OneSided >= 0 && r.OneSided < 1):
		return fmt.Errorf("one-sided noise is %v, want 0 to less than 1", r.OneSided)
	case !(r.AttributeNoise >= 0 && r.AttributeNoise <= 1):
		return fmt.Errorf("attribute noise is %v, want 0 to 1", r.AttributeNoise)
	case r.Irrelevant < 0 || r.Irrelevant > maxIrrelevant:
		return fmt.Errorf("%d irrelevant columns, want 0 to %d", r.Irrelevant, maxIrrelevant)
	}
	return nil
}

// Table makes the table.
func (r Recipe) Table() (*boost.Data, error) {
	set, err := r.check()
	if err != nil {
		return nil, fmt.Errorf("catalogue: set %q: %w", r.Set, err)
	}
	rows := cmp.Or(r.Rows, set.Rows)
	t := set.draw(rows, rand.New(rand.NewPCG(r.Seed, streamExamples)))
	r.disturb(t)
	return t, t.Check()
}

// disturb adds the recipe's noise and irrelevant columns.
func (r Recipe) disturb(t *boost.Data) {
	boolean := boolean(t)
	if r.AttributeNoise > 0 {
		blurAttributes(t, r.AttributeNoise, rand.New(rand.NewPCG(r.Seed, streamAttributeNoise)))
	}
	if r.OneSided > 0 {
		hidePositives(t, r.OneSided, rand.New(rand.NewPCG(r.Seed, streamOneSided)))
	}
	if r.ClassNoise > 0 {
		flipLabels(t, r.ClassNoise, rand.New(rand.NewPCG(r.Seed, streamClassNoise)))
	}
	if r.Irrelevant > 0 {
		addIrrelevant(t, r.Irrelevant, boolean, rand.New(rand.NewPCG(r.Seed, streamIrrelevant)))
	}
}

// Disturb adds noise to a table of two classes, such as one from a file, as a
// recipe with these settings does: "noise=0.1,seed=3". Rows are not drawn, so
// rows=N is an error.
func Disturb(t *boost.Data, settings string) error {
	var r Recipe
	err := r.parse(settings)
	switch {
	case err != nil:
	case r.Rows != 0:
		err = fmt.Errorf("a table that is there has its rows")
	case t.Labels == nil:
		err = fmt.Errorf("noise is for two classes")
	default:
		err = r.checkNoise()
	}
	if err != nil {
		return fmt.Errorf("catalogue: noise %q: %w", settings, err)
	}
	r.disturb(t)
	return t.Check()
}

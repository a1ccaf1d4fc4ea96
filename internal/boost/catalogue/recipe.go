package catalogue

import (
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

// ParseRecipe parses the format of [Recipe.String]: a set's name, and after a
// colon any of rows=N, seed=N, noise=P, onesided=P, attrnoise=P and
// irrelevant=N, separated by commas. For example "ringnorm:rows=1000,noise=0.1".
func ParseRecipe(s string) (Recipe, error) {
	name, settings, found := strings.Cut(s, ":")
	r := Recipe{Set: name}
	if found {
		if err := r.parse(settings); err != nil {
			return Recipe{}, fmt.Errorf("catalogue: recipe %q: %w", s, err)
		}
	}
	return r, r.check()
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

// String returns the shortest text that [ParseRecipe] parses as r.
func (r Recipe) String() string {
	var settings []string
	for _, s := range []struct {
		key         string
		value, none any
	}{
		{"rows", r.Rows, 0}, {"seed", r.Seed, uint64(0)}, {"noise", r.ClassNoise, 0.0}, {"onesided", r.OneSided, 0.0},
		{"attrnoise", r.AttributeNoise, 0.0}, {"irrelevant", r.Irrelevant, 0},
	} {
		if s.value != s.none {
			settings = append(settings, fmt.Sprintf("%s=%v", s.key, s.value))
		}
	}
	if len(settings) == 0 {
		return r.Set
	}
	return r.Set + ":" + strings.Join(settings, ",")
}

func (r Recipe) check() error {
	set, err := Find(r.Set)
	if err != nil {
		return err
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("catalogue: recipe %q: %s", r, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Rows < 0 || r.Rows > maxRecipeRows:
		return fail("%d rows, want 1 to %d", r.Rows, maxRecipeRows)
	case set.Complete && r.Rows != 0 && r.Rows != set.Rows:
		return fail("this is a complete domain of %d rows", set.Rows)
	}
	if err := r.checkNoise(); err != nil {
		return fmt.Errorf("catalogue: recipe %q: %w", r, err)
	}
	return nil
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
	if err := r.check(); err != nil {
		return nil, err
	}
	set, err := Find(r.Set)
	if err != nil {
		return nil, err
	}
	rows := r.Rows
	if rows == 0 {
		rows = set.Rows
	}
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

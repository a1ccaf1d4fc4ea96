package catalogue

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

func TestRecipeRoundTrip(t *testing.T) {
	for _, s := range []string{
		"monks1", "twonorm:rows=10", "ringnorm:rows=1000,seed=7,noise=0.1,attrnoise=0.05,irrelevant=5",
		"tictactoe:noise=0.2", "moons:noise=0.1,onesided=0.25", "led24:seed=18446744073709551615",
	} {
		r := must.Get(ParseRecipe(s))
		if r.String() != s {
			t.Errorf("%q became %q", s, r)
		}
	}
	r, err := ParseRecipe("spheres:noise=0.2,rows=50")
	if want := (Recipe{Set: "spheres", Rows: 50, ClassNoise: 0.2}); err != nil || r != want {
		t.Errorf("%+v, %v, want %+v", r, err, want)
	}
}

func TestBadRecipes(t *testing.T) {
	for s, want := range map[string]string{
		"":                            "no built-in set",
		"nosuch":                      "there are tictactoe",
		"twonorm:":                    "want rows, seed",
		"twonorm:rows=x":              "rows=x",
		"twonorm:rows=0":              "above 0",
		"twonorm:rows=-4":             "-4 rows",
		"twonorm:rows=20000000":       "20000000 rows",
		"twonorm:rows=5,rows=6":       "twice",
		"twonorm:noise=0.6":           "class noise",
		"twonorm:onesided=1":          "one-sided",
		"twonorm:noise=nan":           "class noise",
		"twonorm:attrnoise=1.5":       "attribute noise",
		"twonorm:irrelevant=-1":       "irrelevant",
		"twonorm:colour=red":          "colour=red",
		"monks1:rows=100":             "complete domain of 432",
		"monks1:seed=-1":              "seed=-1",
		"twonorm:rows=5;seed=4":       "rows=5;seed=4",
		"twonorm:irrelevant=1e9":      "irrelevant=1e9",
		"twonorm:irrelevant=10000000": "irrelevant",
	} {
		if _, err := ParseRecipe(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", s, err, want)
		}
	}
}

// TestOneSidedNoise: that share of the positive rows becomes negative, and nothing else
// changes; files get noise as built-in sets do.
func TestOneSidedNoise(t *testing.T) {
	clean := build(t, "twonorm:rows=1000,seed=9")
	noisy := build(t, "twonorm:rows=1000,seed=9,onesided=0.3")
	hidden := 0
	for i, y := range clean.Labels {
		if y < 0 && noisy.Labels[i] > 0 {
			t.Fatalf("row %d became positive", i)
		}
		if y > 0 && noisy.Labels[i] < 0 {
			hidden++
		}
	}
	if want := int(math.Round(0.3 * float64(positives(clean)))); hidden != want {
		t.Errorf("%d positive rows are hidden, want %d", hidden, want)
	}
	if !reflect.DeepEqual(noisy.Columns, clean.Columns) {
		t.Error("the attributes changed")
	}
	settings := "seed=9,noise=0.1,onesided=0.3,attrnoise=0.2,irrelevant=2"
	want := build(t, "twonorm:rows=1000,"+settings)
	must.Do(Disturb(clean, settings))
	if !reflect.DeepEqual(clean.Columns, want.Columns) || !slices.Equal(clean.Labels, want.Labels) {
		t.Error("noise of a table that is there differs from a recipe's")
	}
	for settings, want := range map[string]string{"rows=5": "has its rows", "noise=0.7": "class noise", "onesided=2": "one-sided", "colour=red": "colour=red"} {
		if err := Disturb(clean, settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", settings, err, want)
		}
	}
	if err := Disturb(&boost.Data{Targets: []float64{1}}, "noise=0.1"); err == nil {
		t.Error("a table of numbers has no labels to flip")
	}
}

func TestClassNoiseFlipsThatMany(t *testing.T) {
	clean := build(t, "twonorm:rows=1000,seed=9")
	for share, want := range map[string]int{"0.1": 100, "0.05": 50, "0.2": 200, "0.5": 500} {
		noisy := build(t, "twonorm:rows=1000,seed=9,noise="+share)
		if n := differing(clean.Labels, noisy.Labels); n != want {
			t.Errorf("noise %s: %d labels differ, want %d", share, n, want)
		}
		if !reflect.DeepEqual(noisy.Columns, clean.Columns) {
			t.Errorf("noise %s changed the attributes", share)
		}
	}
}

func TestAttributeNoise(t *testing.T) {
	clean := build(t, "twonorm:rows=5000,seed=9")
	noisy := build(t, "twonorm:rows=5000,seed=9,attrnoise=0.3")
	if differing(clean.Labels, noisy.Labels) != 0 {
		t.Error("labels changed")
	}
	changed := 0
	for i := range clean.Columns {
		old, blurred := clean.Columns[i], noisy.Columns[i]
		for row := range old {
			if old[row] != blurred[row] {
				changed++
				if !slices.Contains(old, blurred[row]) {
					t.Fatalf("column %d, row %d: %v was not in the column", i, row, blurred[row])
				}
			}
		}
	}
	if share := float64(changed) / (20 * 5000); math.Abs(share-0.3) > 0.01 {
		t.Errorf("%.3f of the cells changed, want 0.3", share)
	}
	// Names stay names of their own column.
	if err := build(t, "monks2:attrnoise=1").Check(); err != nil {
		t.Error(err)
	}
}

func TestIrrelevantColumns(t *testing.T) {
	plain := build(t, "twonorm:rows=4000,seed=9,noise=0.1")
	wide := build(t, "twonorm:rows=4000,seed=9,noise=0.1,irrelevant=3")
	if !reflect.DeepEqual(wide.Columns[:20], plain.Columns) || !slices.Equal(wide.Labels, plain.Labels) {
		t.Error("irrelevant columns changed the examples or the noise")
	}
	if len(wide.Columns) != 23 || wide.Names[20] != "noise1" {
		t.Fatalf("%d columns, want 23", len(wide.Columns))
	}
	for j, c := range wide.Columns[20:] {
		// The mean of each class is 0 within four standard deviations.
		var sum [2]float64
		for row, y := range wide.Labels {
			sum[(y+1)/2] += c[row]
		}
		for class, s := range sum {
			if math.Abs(s) > 4*math.Sqrt(2200) {
				t.Errorf("column %s: sum %.1f in class %d", wide.Names[20+j], s, class)
			}
		}
	}
	for _, set := range []string{"monks1", "led", "tictactoe"} {
		table := build(t, set+":irrelevant=2")
		for _, v := range table.Columns[len(table.Columns)-1] {
			if v != 0 && v != 1 {
				t.Fatalf("%s: irrelevant value %v, want a coin", set, v)
			}
		}
	}
}

func TestRecipeBayes(t *testing.T) {
	r := Recipe{Set: "monks1", ClassNoise: 0.1}
	if r.Bayes() != 0.1 {
		t.Errorf("monks1 with a tenth of noise: %v", r.Bayes())
	}
	r = Recipe{Set: "xd6", ClassNoise: 0.1}
	if math.Abs(r.Bayes()-0.18) > 1e-15 {
		t.Errorf("noise over noise: %v, want 0.1*0.9 + 0.9*0.1", r.Bayes())
	}
	r = Recipe{Set: "monks1", AttributeNoise: 0.1}
	if !math.IsNaN(r.Bayes()) {
		t.Errorf("attribute noise: %v, want NaN", r.Bayes())
	}
}

// The text of any recipe is refused, or unchanged after formatting and parsing.
func FuzzParseRecipe(f *testing.F) {
	f.Add("monks1")
	f.Add("ringnorm:rows=1000,seed=7,noise=0.1,attrnoise=0.05,irrelevant=5")
	f.Add("twonorm:rows=,seed=-1,noise=1e-400")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRecipe(text)
		if err != nil {
			return
		}
		again, err := ParseRecipe(r.String())
		if err != nil || again != r {
			t.Fatalf("%q became %+v, and that %+v, %v", text, r, again, err)
		}
	})
}

package auto

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/internal/samples"
)

func photo(file string, tags map[string]string, boxes ...image.Rectangle) samples.Photo {
	p := samples.Photo{File: file}
	for _, b := range boxes {
		p.Objects = append(p.Objects, samples.Object{Box: b, Tags: tags})
	}
	return p
}

// About the shares are held apart, and what is in a part does not depend on what else
// there is.
func TestDivision(t *testing.T) {
	var photos []samples.Photo
	for i := range 2000 {
		photos = append(photos, photo(fmt.Sprintf("a/%d.jpg", i), map[string]string{"person": fmt.Sprint(i / 4), "set": []string{"train", "TEST", "valid"}[i%3]}, image.Rect(0, 0, 9, 9)))
	}
	count := func(parts []int) (n [Parts]int) {
		for _, p := range parts {
			n[p]++
		}
		return n
	}
	d := &Division{Seed: 1}
	parts := must.Get(d.Photos(photos))
	for part, n := range count(parts) {
		if want := []float64{1400, 300, 300}[part]; math.Abs(float64(n)-want) > 60 {
			t.Errorf("%s has %d of 2000 photographs, want about %v", PartNames[part], n, want)
		}
	}
	some, err := d.Photos(photos[500:600])
	if err != nil || !slices.Equal(some, parts[500:600]) {
		t.Errorf("%v: a part of the photographs is divided in another way", err)
	}
	parts = must.Get((&Division{Group: "person"}).Photos(photos))
	for i := 0; i < len(parts); i += 4 {
		if slices.Max(parts[i:i+4]) != slices.Min(parts[i:i+4]) {
			t.Fatalf("person %d is in parts %v", i/4, parts[i:i+4])
		}
	}
	if parts, err = (&Division{Split: "set"}).Photos(photos); err != nil || count(parts) != [Parts]int{667, 666, 667} {
		t.Errorf("%v: by the column: %v", err, count(parts))
	}
	// What shows the same stays together, with the groups it belongs to, where a column
	// does not divide it.
	same := &Division{Seed: 1, Group: "person", Same: [][]string{{"a/0.jpg", "a/7.jpg", "a/1999.jpg"}, {"a/40.jpg", "gone.jpg", "a/1999.jpg"}}}
	parts = must.Get(same.Photos(photos))
	for _, i := range []int{3, 4, 7, 41, 1996, 1999} {
		if parts[i] != parts[0] {
			t.Errorf("photograph %d is in part %d, what shows the same in %d", i, parts[i], parts[0])
		}
	}
	var names []string
	for i := range photos {
		names = append(names, photos[i].File)
	}
	apart := (&Division{Seed: 1}).Backgrounds(names)
	if got := (&Division{Seed: 1, Same: [][]string{names[:700]}}).Backgrounds(names); !slices.Equal(got, apart) {
		t.Error("more than a third of all stays together")
	}
	if got := (&Division{Seed: 1, Same: [][]string{names[:600]}}).Backgrounds(names); slices.Max(got[:600]) != slices.Min(got[:600]) || !slices.Equal(got[600:], apart[600:]) {
		t.Error("what shows the same is divided, or others are divided in another way")
	}
	two := photo("b.jpg", map[string]string{"set": "train"}, image.Rect(0, 0, 9, 9), image.Rect(9, 9, 18, 18))
	two.Objects[1].Tags = map[string]string{"set": "test"}
	if _, err := (&Division{Split: "set"}).Photos([]samples.Photo{two}); !errors.Is(err, ErrData) {
		t.Errorf("a photograph in two parts: %v, want ErrData", err)
	}
}

// The window has the objects' shape, is no larger than most of them, and what the
// caller chose stays.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		aspect, low   float64
		width, height int
	}{
		{1, 200, 24, 24}, {1, 16, 16, 16}, {1, 3, 14, 14}, {2, 200, 40, 20}, {0.5, 200, 20, 40}, {4, 40, 68, 17}, {100, 200, 114, 14}, {0, 0, 24, 24},
	} {
		p := NewPlan(Plan{}, &Facts{Aspect: c.aspect, SizeLow: c.low, Objects: 100}, time.Hour)
		if p.Width != c.width || p.Height != c.height {
			t.Errorf("width %v times the height, from %v pixels on: a window of %dx%d, want %dx%d", c.aspect, c.low, p.Width, p.Height, c.width, c.height)
		}
	}
	f := &Facts{Aspect: 1, SizeLow: 30, Objects: 1000, Share: 0.6, Mirrored: 0.95}
	p := NewPlan(Plan{}, f, time.Hour)
	if p.Mosaics != "yes" || p.Rest != "no" || p.Mirror != "yes" || p.Variants != 10 || p.Second != "yes" {
		t.Errorf("single objects: %+v", p)
	}
	if p := NewPlan(Plan{}, f, time.Minute); p.Variants != 2 || p.Features != 2000 || p.Rounds != 100 || p.Trees != 60 || p.BoxTrees != 20 || p.Second != "no" {
		t.Errorf("in a minute: %+v", p)
	}
	if p, half := NewPlan(Plan{}, f, 5*time.Minute), NewPlan(Plan{}, f, 150*time.Second); p.Features != 8000 || p.Rounds != 300 || half.Features != 4000 || half.Rounds != 150 || half.Second != "yes" {
		t.Errorf("in five minutes: %+v, in half of that: %+v", p, half)
	}
	for read, enough := range map[time.Duration]time.Duration{0: 5 * time.Minute, 30 * time.Second: 10 * time.Minute} {
		if got := Enough(read); got != enough {
			t.Errorf("data that are read in %v: %v are enough, want %v", read, got, enough)
		}
	}
	for aspect, blur := range map[float64]string{1: "0.03", 0.5: "0.03", 4: "0.015"} {
		j := NewPlan(Plan{}, &Facts{Aspect: aspect, Objects: 100}, 0).Jitter
		if parts := strings.Split(j, ","); !slices.Contains(parts, "blur="+blur) || !slices.Contains(parts, "halftone=0") {
			t.Errorf("objects %v times as wide as high: jitter %s, want a blur of %s and no print", aspect, j, blur)
		}
	}
	chosen := Plan{Width: 30, Height: 10, Variants: 3, Jitter: "none", Mirror: "no", Features: 5, Rounds: 6, Stages: 7, Trees: 8, BoxTrees: 9, Second: "no", Network: "yes", Iterations: 10, Rest: "yes", Mosaics: "no"}
	if got := NewPlan(chosen, f, time.Hour); got != chosen {
		t.Errorf("%+v became %+v", chosen, got)
	}
	if p := NewPlan(Plan{Width: 40}, &Facts{Aspect: 2}, 0); p.Height != 20 {
		t.Errorf("a width of 40 of objects twice as wide as high: height %d", p.Height)
	}
}

func TestMirrored(t *testing.T) {
	g := image.NewGray(image.Rect(0, 0, 20, 10))
	if v := Mirrored(g); v != 0 {
		t.Errorf("a black picture: %v, want 0", v)
	}
	for i := range g.Pix {
		x := i % 20
		g.Pix[i] = uint8(10 * min(x, 19-x))
	}
	if v := Mirrored(g); v != 1 {
		t.Errorf("a symmetric picture: %v, want 1", v)
	}
	for i := range g.Pix {
		g.Pix[i] = uint8(10 * (i % 20))
	}
	if v := Mirrored(g); v != -1 {
		t.Errorf("a ramp: %v, want -1", v)
	}
}

func TestAffordable(t *testing.T) {
	for _, c := range []struct {
		n                  int
		megapixels, second float64
		within             time.Duration
		want               int
	}{
		{1000, 100, 0.1, time.Minute, 1000}, {1000, 100, 1, 10 * time.Second, 100}, {1000, 1000, 1, time.Second, 20}, {5, 1000, 1, time.Second, 5},
	} {
		if got := Affordable(c.n, c.megapixels, c.second, c.within); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	if got := Thin([]string{"a", "b", "c", "d"}, 2); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("every second: %v", got)
	}
}

// What is written is read again; what is wrong is said with its line.
func TestSettings(t *testing.T) {
	all := []Setting{{"truth", "a b.csv"}, {"truth", "c=d.csv"}, {"jitter", "default,shift=0.1"}, {"note", ""}}
	var b bytes.Buffer
	must.Do(WriteSettings(&b, append([]Setting{{"", "a comment"}}, all...)))
	if got, err := ParseSettings(&b); err != nil || !slices.Equal(got, all) {
		t.Errorf("%v: %q", err, got)
	}
	for text, want := range map[string]string{
		"a = b\n\n# c\nd":                  `line 4: "d", want NAME = VALUE`,
		"-a = b":                           "without its dash",
		" = b":                             "line 1",
		"a b = c":                          "line 1",
		strings.Repeat("a = b\n", 2000):    "more than 1000 settings",
		"a = " + strings.Repeat("b", 5000): "a line of more than 4096 bytes",
	} {
		if _, err := ParseSettings(strings.NewReader(text)); !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
	for _, s := range []Setting{{"a", "b\nc = d"}, {"a", " b"}, {"a", strings.Repeat("b", 5000)}} {
		if err := WriteSettings(&b, []Setting{s}); !errors.Is(err, ErrSettings) {
			t.Errorf("%.20q is written: %v", s, err)
		}
	}
}

// A step is done if it was done in this way, after what it reads.
func TestJournal(t *testing.T) {
	j := &Journal{}
	data, model := &Step{Name: "data", Args: []string{"divide"}}, &Step{Name: "model", Args: []string{"train", "-rounds", "5", "-memory", "1GiB"}, After: []string{"data"}}
	if j.Has(data) {
		t.Error("an empty journal has a step")
	}
	j.Add(Done{Name: "data", Args: data.Args})
	j.Add(Done{Name: "model", Args: model.Args, Seconds: 3})
	b := must.Bytes(j.Write)
	j, err := ReadJournal(bytes.NewReader(b))
	if err != nil || !j.Has(data) || !j.Has(model) || j.Seconds("model") != 3 {
		t.Fatalf("%v: %+v", err, j)
	}
	less := *model
	less.Args = []string{"train", "-rounds", "5", "-memory", "64MiB", "-workers", "1"}
	other := *model
	other.Args = []string{"train", "-rounds", "6"}
	if !j.Has(&less) || j.Has(&other) {
		t.Error("memory counts, or rounds do not")
	}
	j.Add(Done{Name: "data", Args: data.Args})
	if j.Has(model) || len(j.All) != 2 {
		t.Error("the model is done although the data are newer")
	}
	if _, err := ReadJournal(strings.NewReader("{")); !errors.Is(err, ErrJournal) {
		t.Errorf("half a journal: %v", err)
	}
}

func FuzzSettings(f *testing.F) {
	f.Add("# a\ntruth = b.csv\n")
	f.Add("a=b=c\r\n  d =\t")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseSettings(strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteSettings(&b, all); err != nil {
			return // a carriage return within
		}
		if again, err := ParseSettings(&b); err != nil || !slices.Equal(all, again) {
			t.Errorf("%q became %q: %v", all, again, err)
		}
	})
}

func FuzzJournal(f *testing.F) {
	f.Add(`[{"name":"a","args":["b"],"seconds":1}]`)
	f.Fuzz(func(t *testing.T, text string) {
		j, err := ReadJournal(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, d := range j.All {
			j.Has(&Step{Name: d.Name, Args: d.Args, After: []string{"x"}})
		}
	})
}

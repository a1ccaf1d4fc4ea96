package samples

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func parse(t *testing.T, text string) *Table {
	t.Helper()
	return must.Get(ParseTable([]byte(text), "t.csv"))
}

func encoded(t *testing.T, table *Table) string {
	t.Helper()
	return string(must.Bytes(table.Encode))
}

// A table that is not changed keeps its bytes.
func TestTableKeeps(t *testing.T) {
	for _, text := range []string{
		"file,x,y,width,height\n",
		"\ufeffHeight;width;y;x;file;who;ignore\r\n9.50;8;07;6.0;a.png;Ann;\r\n;;;;b.png;;\r\n4;3;2;1;a.png;\"x;y\";yes\r\n",
		"file\txmin\tymin\txmax\tymax\tnose_x\tnose_y\nc.png\t1\t2\t11\t22\t\t\n",
		"file,eyeX,eyeY,x2,y2,pose\na,1.25,2,,,left\n",
	} {
		if got := encoded(t, parse(t, text)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// Replacing the lines of a picture leaves all others as they are, and of its own what
// has the same value.
func TestTableReplace(t *testing.T) {
	const text = "file,x,y,width,height,who,nose_x,nose_y\n" +
		"b.png,1.0,2,3,4,Bob,,\n" +
		"a.png,10.50,2,3,4,Ann,5,6\n" +
		"gone.png,1,1,1,1,kept,,\n" +
		"a.png,7,7,7,7,Eve,,\n" +
		"b.png,,,,,nobody,,\n"
	table := parse(t, text)
	all := table.Labels("a.png")
	if len(all) != 2 || all[0].X != 10.5 || all[0].Tags["who"] != "Ann" || all[0].Points["nose"] != (Point{5, 6}) || all[1].Points != nil {
		t.Fatalf("the labels are %+v", all)
	}
	all[0].Y = 9
	all[0].Tags = nil // keeps them
	fresh := Label{X: 1.5, Y: 2, Width: 30, Height: 40, Ignore: true, Tags: map[string]string{"class": "cup, red"}, Points: map[string]Point{"chin": {1, 2.25}}}
	must.Do(table.Replace("a.png", []Label{fresh, all[0]}, []int{-1, 0}))
	const want = "file,x,y,width,height,who,nose_x,nose_y,chin_x,chin_y,ignore,class\n" +
		"b.png,1.0,2,3,4,Bob,,,,,,\n" +
		"a.png,10.50,9,3,4,Ann,5,6,,,,\n" +
		"gone.png,1,1,1,1,kept,,,,,,\n" +
		"a.png,1.5,2,30,40,,,,1,2.25,1,\"cup, red\"\n" +
		"b.png,,,,,nobody,,,,,,\n"
	if got := encoded(t, table); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// Without labels no line is left; one without a box says that there is nothing.
	must.Do(table.Replace("a.png", nil, nil))
	must.Do(table.Replace("new.png", []Label{{}}, []int{-1}))
	got := encoded(t, table)
	if strings.Contains(got, "a.png") || !strings.HasSuffix(got, "\nnew.png,,,,,,,,,,,\n") || !reflect.DeepEqual(table.Files(), []string{"b.png", "gone.png", "new.png"}) {
		t.Errorf("got\n%s%q", got, table.Files())
	}
}

// A table with edges instead of sizes keeps its form.
func TestTableEdges(t *testing.T) {
	table := parse(t, "file,xmin,ymin,xmax,ymax\na,1,2,11,22\n")
	l := table.Labels("a")
	l[0].Width = 12
	must.Do(table.Replace("a", append(l, Label{X: 5, Y: 5, Width: 2, Height: 3}), []int{0, -1}))
	if got := encoded(t, table); got != "file,xmin,ymin,xmax,ymax\na,1,2,13,22\na,5,5,7,8\n" {
		t.Errorf("got %q", got)
	}
}

// What cannot be written changes nothing.
func TestTableRefuses(t *testing.T) {
	const text = "file,x,y,width,height,eye,eye_x\na,1,2,3,4,e,5\n"
	table := parse(t, text)
	box := Label{X: 1, Y: 1, Width: 5, Height: 5}
	with := func(change func(*Label)) Label {
		l := box
		change(&l)
		return l
	}
	for _, test := range []struct {
		file  string
		label Label
		was   int
		want  string
	}{
		{" a", box, -1, "want a name without blanks"},
		{"a", box, 1, "was line 2 of 1"},
		{"a", with(func(l *Label) { l.Width = math.NaN() }), 0, "width NaN, want more than 0"},
		{"a", with(func(l *Label) { l.Height = 0 }), 0, "height 0, want more than 0"},
		{"a", with(func(l *Label) { l.Width = 0 }), 0, "width 0, want more than 0"},
		{"a", with(func(l *Label) { l.X = 2e6 }), 0, "want a number from -1000000"},
		{"a", with(func(l *Label) { l.Tags = map[string]string{"eye_y": "high"} }), 0, "another meaning"},
		{"a", with(func(l *Label) { l.Tags = map[string]string{"X": "1"} }), 0, `two columns are called "X"`},
		{"a", with(func(l *Label) { l.Tags = map[string]string{"a\nb": "1"} }), 0, "in one line"},
		{"a", with(func(l *Label) { l.Tags = map[string]string{"eye": strings.Repeat("x", 10_001)} }), 0, "at most 10,000"},
		{"a", with(func(l *Label) { l.Points = map[string]Point{"nose": {math.Inf(1), 0}} }), 0, "want a number"},
	} {
		err := table.Replace(test.file, []Label{test.label}, []int{test.was})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.label, err, test.want)
		}
	}
	if got := encoded(t, table); got != text {
		t.Errorf("got %q", got)
	}
	for text, want := range map[string]string{
		"":                                     "t.csv: the file is empty, want a header line such as file,x,y,width,height",
		"file,x,y,width,height\na,1,2,,4\n":    `t.csv:2: column "width": empty, but other columns of the box are not`,
		"file,x,y,width,height\na,1,2,0,4\n":   "t.csv:2: width 0, want more than 0",
		"file,x,y,width,height\n,1,2,3,4\n":    `t.csv:2: column "file": empty, want the name of a picture`,
		"file,e_x,e_y\na,1,\n":                 `t.csv:2: columns "e_x" and "e_y": one is empty and the other is not`,
		"file,a,b\n":                           `t.csv:1: neither boxes (x,y,width,height) nor landmarks (NAME_x,NAME_y): found "file", "a", "b"`,
		"file,x,y,width,height\na,1,2,3,4,5\n": "t.csv:2: another number of columns than the header has",
	} {
		sameError(t, text, errorOf(ParseTable([]byte(text), "t.csv")), want)
	}
}

// Append is Replace of a picture that has no lines.
func TestTableAppend(t *testing.T) {
	a, b := NewTable(), NewTable()
	for i := range 20 {
		labels := []Label{{X: float64(i), Y: 1, Width: 2, Height: 3}, {X: 1, Width: 1, Height: 1, Tags: map[string]string{fmt.Sprintf("tag%d", i%3): "v"}}}
		file := fmt.Sprintf("%d.png", i%15) // some twice
		must.Do(a.Append(file, labels))
		all, was := b.Labels(file), []int{}
		for k := range all {
			was = append(was, k)
		}
		must.Do(b.Replace(file, append(all, labels...), append(was, -1, -1)))
	}
	if encoded(t, a) != encoded(t, b) {
		t.Errorf("got\n%swant\n%s", encoded(t, a), encoded(t, b))
	}
	if err := a.Append("", []Label{{}}); err == nil {
		t.Error("a picture without a name")
	}
}

// Training reads what a table holds: an object may have only a box, only landmarks, or
// both.
func TestTableIsTruth(t *testing.T) {
	put(t, map[string][]byte{"a.png": nil, "b.png": nil})
	table := NewTable()
	two := map[string]Point{"left": {1, 2}, "right": {3, 4}}
	must.Do(table.Append("a.png", []Label{{X: 1, Y: 2, Width: 3, Height: 4, Points: two}, {X: 5, Y: 6, Width: 7, Height: 8}, {Points: two}}))
	must.Do(table.Append("b.png", []Label{{}}))
	must.Do(WriteAtomically("l.csv", table.Encode))
	photos := must.Get(ReadTruth("l.csv", Auto))
	marks := []Point{{1, 2}, {3, 4}}
	o := photos[0].Objects
	if len(photos) != 2 || len(photos[1].Objects) != 0 || len(o) != 3 || !reflect.DeepEqual(o[0].Marks, marks) || o[0].Box.Dx() != 3 ||
		o[1].Marks != nil || o[1].Box.Dx() != 7 || !o[2].Box.Empty() || !reflect.DeepEqual(o[2].Marks, marks) {
		t.Errorf("the photographs are %+v", photos)
	}
	// One landmark alone is an error there, and waits for others here.
	must.Do(table.Replace("b.png", []Label{{X: 1, Width: 1, Height: 1, Points: map[string]Point{"right": {1, 2}}}}, []int{0}))
	must.Do(WriteAtomically("l.csv", table.Encode))
	if _, err := ReadTable("l.csv"); err != nil {
		t.Error(err)
	}
	sameError(t, "one of two landmarks", errorOf(ReadTruth("l.csv", Auto)), `l.csv:5: column "left_x": empty, but other landmarks of this object are given: want all of them, or none`)
	if _, err := ReadTable("none.csv"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// What can be read can be written, and is the same then.
func FuzzTable(f *testing.F) {
	for _, s := range []string{"file,x,y,width,height\na,1,2,3,4\n", "file;ex;ey\r\n\"a\";1;2\r\n", "file,xmin,ymin,xmax,ymax,ignore\na,,,,,\na,1,1,2,2,1", "\ufefffile,x_x,x_y,pose\na,1,2,\"q\nr\"\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		table, err := ParseTable([]byte(s), "t.csv")
		if err != nil {
			return
		}
		b := must.Bytes(table.Encode)
		again, err := ParseTable(b, "t.csv")
		if err != nil {
			t.Fatalf("%q became %q: %v", s, b, err)
		}
		for _, file := range table.Files() {
			all := table.Labels(file)
			if !strings.Contains(s, "\r") && !reflect.DeepEqual(all, again.Labels(file)) {
				t.Fatalf("%q: %+v became %+v", s, all, again.Labels(file))
			}
			was := make([]int, len(all))
			for i := range was {
				was[i] = i
			}
			if err := again.Replace(file, all, was); err != nil && !strings.Contains(s, "\r") && len(s) < 10_000 {
				t.Fatalf("%q: %v", s, err)
			}
		}
		if !strings.Contains(s, "\r") && len(s) < 10_000 {
			if got := encoded(t, again); got != string(b) {
				t.Fatalf("%q: replaced by itself it is %q", string(b), got)
			}
		}
	})
}

func BenchmarkTableReplace(b *testing.B) {
	t := NewTable()
	for i := range 100_000 {
		must.Do(t.Append(fmt.Sprintf("%d.jpg", i), []Label{{X: 1, Y: 2, Width: 30, Height: 40}}))
	}
	for i := 0; b.Loop(); i++ {
		must.Do(t.Replace("50000.jpg", []Label{{X: float64(i), Y: 2, Width: 30, Height: 40}}, []int{0}))
	}
}

package main

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/landmarking"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/landmarks"
)

// spots draws pictures of discs with three spots, the middle one higher than the
// others, into dir, and a truth file with their boxes and six points each: each
// spot, and then the spot 2 pixels higher and 2 lower.
func spots(t *testing.T, dir string, pictures int) string {
	t.Helper()
	var truth bytes.Buffer
	truth.WriteString("file,x,y,width,height")
	for i := range 6 {
		fmt.Fprintf(&truth, ",x%d,y%d", i+1, i+1)
	}
	truth.WriteString(",kind\n")
	for i := range pictures {
		x, y := 24+i*5%13, 25+i*7%11 // where the middle is
		at := [3]image.Point{{x - 8 - i%3, y}, {x, y - 6 - i%4}, {x + 8 + i%2, y + 1}}
		name := fmt.Sprintf("%03d.png", i)
		save(t, filepath.Join(dir, name), picturetest.Grey(60, 60, func(u, v int) uint8 {
			level := 40 + (u*7+v*13+i)%11
			if d := image.Pt(u-x, v-y); d.X*d.X+d.Y*d.Y < 350 {
				level = 190
			}
			for _, s := range at {
				if d := image.Pt(u-s.X, v-s.Y); d.X*d.X+d.Y*d.Y < 9 {
					level = 70
				}
			}
			return uint8(level)
		}))
		fmt.Fprintf(&truth, "%s,%d,%d,40,40", name, x-20, y-20)
		for _, s := range at {
			fmt.Fprintf(&truth, ",%.1f,%.1f", float64(s.X), float64(s.Y))
		}
		for _, d := range []float64{-2, 0, 2} {
			fmt.Fprintf(&truth, ",%.1f,%.1f", float64(at[0].X), float64(at[0].Y)+d)
		}
		fmt.Fprintf(&truth, ",%c\n", 'a'+i%2)
	}
	path := filepath.Join(dir, "truth.csv")
	must.Do(os.WriteFile(path, truth.Bytes(), 0o666))
	return path
}

// A trained model fits its training set, is the same with any number of
// workers, and eval-landmarks measures it, by column too.
func TestLandmarks(t *testing.T) {
	dir := t.TempDir()
	truth := spots(t, dir, 60)
	out := filepath.Join(dir, "spots.points")
	args := []string{"landmarks", "-truth", truth, "-pick", "4:6 2 3", "-offset", "0.5,0.5", "-eyes", "1,3", "-out", out, "-name", "spots", "-data-name", "drawn here",
		"-levels", "3", "-trees", "30", "-depth", "3", "-samples", "800", "-block", "800", "-pairs", "20", "-side", "32", "-shrinkage", "0.2", "-turn", "5"}
	if said := quietly(t, args...); !strings.HasPrefix(said, "3 points, 90 trees from 60 objects; boxes of truth on 60 of them") {
		t.Fatalf("%q", said)
	}
	file := must.Get(os.ReadFile(out))
	m := must.Get(landmarks.Read(bytes.NewReader(file)))
	if m.Name != "spots" || !slices.Equal(m.Notes, []string{"drawn here"}) || m.Eyes != [2]int{0, 2} || m.Box.Name != "truth" || !(math.Abs(m.Box.Right) < 0.05) {
		t.Errorf("the model is %q, %q, %v, %v", m.Name, m.Notes, m.Eyes, m.Box)
	}
	fails(t, statusUsage, "-overwrite", args...)
	works(t, append(args, "-overwrite", "-workers", "3")...)
	if again, err := os.ReadFile(out); err != nil || !bytes.Equal(again, file) {
		t.Errorf("two runs made two models, %v", err)
	}

	eval := []string{"eval-landmarks", "-model", out, "-truth", truth, "-pick", "1 2 3", "-by", "kind"}
	r := decoded[landmarking.LandmarkReport](t, append(eval, "-output", "json", "-offset", "0.5,0.5")...)
	if r.Objects != 60 || r.NoBox != 0 || !(r.Mean < 0.1) || r.Mean == 0 || len(r.Points) != 3 || len(r.Curve) != 10 || len(r.By) != 2 || r.By[0].Value != "a" || r.By[0].Objects != 30 {
		t.Errorf("it reports %+v", r)
	}
	// Shifted labels show as a bias, and the error without it is unchanged.
	off := decoded[landmarking.LandmarkReport](t, append(eval, "-output", "json", "-offset=-1.5,0.5")...)
	if d := off.Bias[0] - r.Bias[0]; !(d > 0.1 && d < 0.13) || off.Mean < r.Mean || math.Abs(off.Centred-r.Centred) > 0.01 {
		t.Errorf("with labels 2 pixels to the left it reports %+v, before %+v", off, r)
	}
	clitest.Contains(t, works(t, eval...), "60 objects, 0 of them without a box\n", "\nmean error ", "\nmedian ", "\n10% and more ", "\nbias ", "\nby point ", "\nerror below  objects\n", "\nkind ", "\nb  ")

	// With other boxes only the convention changes.
	must.Do(os.WriteFile(truth, bytes.ReplaceAll(must.Get(os.ReadFile(truth)), []byte(",40,40,"), []byte(",80,40,")), 0o666))
	other := filepath.Join(dir, "other.points")
	works(t, "landmarks", "-model", out, "-truth", truth, "-pick", "1 2 3", "-eyes", "1,3", "-out", other)
	n := must.Get(landmarks.Read(bytes.NewReader(must.Get(os.ReadFile(other)))))
	if !(math.Abs(n.Box.Right+0.25) < 0.05) || !(math.Abs(n.Box.Side*math.Sqrt2-m.Box.Side) < 0.02) {
		t.Errorf("for boxes twice as wide the convention is %+v, before %+v", n.Box, m.Box)
	}
	n.Box = m.Box
	if !bytes.Equal(must.Bytes(n.Encode), file) {
		t.Error("more than the convention changed")
	}

	// With -coarse only coarse levels are added.
	args = []string{"landmarks", "-model", out, "-coarse", "-truth", truth, "-pick", "1 2 3", "-eyes", "1,3", "-levels", "2", "-trees", "10", "-components", "3", "-samples", "300", "-out", other, "-overwrite"}
	if said := works(t, args...); !strings.HasPrefix(said, "3 points, 110 trees") {
		t.Fatalf("%q", said)
	}
	n = must.Get(landmarks.Read(bytes.NewReader(must.Get(os.ReadFile(other)))))
	if len(n.Coarse) != 2 || n.Coarse[0].Components != 3 {
		t.Fatalf("%d coarse levels", len(n.Coarse))
	}
	n.Coarse = nil
	if !bytes.Equal(must.Bytes(n.Encode), file) {
		t.Error("more than coarse levels changed")
	}
}

func TestLandmarksRefuses(t *testing.T) {
	dir := t.TempDir()
	truth := spots(t, dir, 2)
	out := filepath.Join(dir, "a.points")
	for _, c := range []struct {
		args, want string
	}{
		{"landmarks -truth T", "-out"},
		{"landmarks -out O", "-truth"},
		{"landmarks -out O -truth T -coarse", "-model"},
		{"landmarks -out O -truth T", "-eyes"},
		{"landmarks -out O -truth T -eyes 1,7", "two of the 6 points"},
		{"landmarks -out O -truth T -eyes 1,2 -mirror 1-2,3", "-mirror"},
		{"landmarks -out O -truth T -eyes 1,2 -trees 300", "trees: 300, want 1 to 256"},
		{"landmarks -out O -truth T -pick 5:4", "FIRST:LAST"},
		{"landmarks -out O -truth T -pick 7", "-pick wants point 7, and there are 6"},
		{"landmarks -out O -truth T -offset 1", "X,Y"},
		{"landmarks -out O -truth T -offset 1,1 -offset 2,2", "-offset is given 2 times"},
		{"landmarks -out O -truth T -eyes 1,2 -detector none.cascade", "there is no such file"},
		{"landmarks -out O -truth T -model none.points", "face5 and face68"},
		{"eval-landmarks -truth T", "-model"},
		{"eval-landmarks -model face5", "-truth"},
		{"eval-landmarks -model face5 -truth T", "-model finds 5 points, and -truth has 6"},
		{"eval-landmarks -model face5 -truth T -pick 1:1,2", "-pick"},
		{"eval-landmarks -model face5 -truth T -output xml", "text or json"},
	} {
		args := strings.Fields(strings.NewReplacer(" O", " "+out, " T", " "+truth).Replace(c.args))
		status, _, errs := call(args...)
		if status == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %q, want %q", c.args, status, errs, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("%s wrote a model", c.args)
		}
	}
}

// The built-in model finds the eyes of the drawn faces, in the boxes of the
// built-in detector.
func TestEvalLandmarksDetector(t *testing.T) {
	truth := filepath.Join(t.TempDir(), "eyes.csv")
	picture := must.Get(filepath.Abs(filepath.Join(filepath.Dir(groupTruth), "group.png")))
	text := "file,le_x,le_y,re_x,re_y,n_x,n_y,lm_x,lm_y,rm_x,rm_y\n"
	for _, p := range []string{"278,323,333,324,303,355,285,380,325,380", "486,314,535,310,511,342,496,366,534,362"} {
		text += picture + "," + p + "\n"
	}
	must.Do(os.WriteFile(truth, []byte(text), 0o666))
	r := decoded[landmarking.LandmarkReport](t, "eval-landmarks", "-model", "face5", "-truth", truth, "-detector", "face-fast", "-output", "json")
	if r.Objects != 2 || r.NoBox != 0 || !(r.Mean < 0.1) {
		t.Errorf("it reports %+v", r)
	}
}

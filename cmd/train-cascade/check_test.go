package main

import (
	"encoding/json"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// The check names what must be mended of several kinds at once, all bad lines in one
// list, and copies in two parts; good data have the status 0. Auto's first step prints
// the same table.
func TestCheck(t *testing.T) {
	crosses(t)
	if out, errs, status := call(t, "check", "-truth", "truth.csv", "-bg", "bg"); status != statusOK || strings.Contains(out, "to mend") || !strings.Contains(out, "class") {
		t.Errorf("good data: status %d, %s%s", status, out, errs)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	truth := "file,x,y,width,height,class\n"
	other := truth
	for i := range 12 {
		m := drawGround(160, 120, rng)
		box := image.Rect(0, 0, 24+i, 24).Add(image.Pt(20+rng.IntN(60), 20+rng.IntN(30)))
		drawCross(m, box.Inset(1), rng)
		save(t, fmt.Sprintf("photo/c%d.png", i), m)
		truth += fmt.Sprintf("photo/c%d.png,%d,%d,%d,24,%s\n", i, box.Min.X, box.Min.Y, box.Dx(), []string{"cup", "große Tasse"}[i/8])
		if i == 2 {
			save(t, "photo/moved.png", m.SubImage(image.Rect(8, 6, 160, 120)))
			other += fmt.Sprintf("photo/moved.png,%d,%d,%d,24,cup\n", box.Min.X-8, box.Min.Y-6, box.Dx())
		}
	}
	truth += "photo/c1.png,500,500,9,9,cup\nphoto/c3.png,2,2,30,5,cup\nphoto/c3.png,2,2,30,5,cup\nphoto/c4.png,0,0,160,120,cup\n"
	putFile(t, "train.csv", truth)
	putFile(t, "test.csv", other+"photo/c5.png,20,20,24,24,cup\n")
	out, _, status := call(t, "check", "-truth", "train.csv", "-truth", "test.csv", "-output", "json")
	var got struct {
		Classes []struct {
			Class   string
			Objects int
			Side    [3]float64
		}
		Findings []struct {
			What, Do string
			Count    int
			Where    []string
			Mend     bool
		}
		Mend int
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != statusFailed {
		t.Fatalf("status %d, %v: %s", status, err, out)
	}
	if c := got.Classes; len(c) != 2 || c[1].Class != "große Tasse" || c[1].Objects != 4 || c[1].Side[1] < 24 || c[1].Side[1] > 36 {
		t.Errorf("classes %v", c)
	}
	for what, mend := range map[string]bool{
		"pictures in two of -truth":                    true,
		"photographs: labels outside the picture":      true,
		"photographs: moved or changed copies":         true,
		"cup: copies of a box in the same picture":     true,
		"cup: boxes with a side of less than 8 pixels": false,
		"cup: boxes of the whole picture":              false,
	} {
		n := 0
		for _, f := range got.Findings {
			if f.What == what && f.Count == 1 && f.Mend == mend && f.Do != "" && len(f.Where) == 1 {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d of %q in %s", n, what, out)
		}
	}
	if got.Mend != 4 {
		t.Errorf("%d to mend, want 4", got.Mend)
	}

	putFile(t, "bad.csv", "file,x,y,width,height\nphoto/0.png,a,5,20,20\nphoto/1.png,5,5,20,20\nphoto/2.png,5\nphoto/3.png,5,5,20,-1\n"+strings.Repeat("photo/3.png,5\n", 30))
	putFile(t, "gone.dat", "photo/none.png 1 1 1 20 20\nphoto/0.png 1 1 1 20 20\n")
	putFile(t, "bad.dat", "photo/0.png 1 1 1 20\nphoto/1.png 1 1 1 20 20\nphoto/2.png x\n")
	out, errs, status := call(t, "check", "-truth", "bad.csv", "-truth", "gone.dat", "-truth", "bad.dat", "-truth", "truth.csv")
	if status != statusFailed || errs != "" {
		t.Errorf("status %d, %s", status, errs)
	}
	for _, want := range []string{"bad.csv:2: ", "bad.csv:4: another number of columns", "bad.csv:5: ", "and 13 more", "1 of 2 pictures do not exist", "bad.dat:1: ", "bad.dat:3: ", "4 findings to mend"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	for line, want := range map[string]string{"": "give -truth FILE", "-truth truth.csv -format odd": "-format", "-truth truth.csv more": "flags only"} {
		if _, errs, status := call(t, append([]string{"check"}, strings.Fields(line)...)...); status != statusUsage || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d, %s", line, status, errs)
		}
	}
	trained(t, "divide", "-truth", "truth.csv", "-bg", "bg", "-out", "parts")
	if b, err := os.ReadFile("parts/check.txt"); err != nil || !strings.Contains(string(b), "width / height") {
		t.Errorf("%v: %s", err, b)
	}
}

package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/cascade"
)

// maxBytes is the most that a model may add to a program.
const maxBytes = 400_000

// row returns the value of a row of the page's table of facts.
func row(t *testing.T, page, name string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(name) + ` \| (.*) \|$`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("the page has no row %q", name)
	}
	return m[1]
}

// Every model's bytes are what its page says, decode, and come out of the
// encoder as they went in.
func TestModels(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(name + "/" + name + ".cascade")
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(name + ".md")
			if err != nil {
				t.Fatal(err)
			}
			page := string(text)
			if len(file) > maxBytes {
				t.Errorf("%d bytes, want at most %d", len(file), maxBytes)
			}
			c, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Check(); err != nil {
				t.Error(err)
			}
			var out bytes.Buffer
			if err := c.Encode(&out); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), file) {
				t.Errorf("encoding the embedded model gives %d bytes that are not the %d of the file", out.Len(), len(file))
			}
			if c.Name != name {
				t.Errorf("the model calls itself %q", c.Name)
			}
			for fact, want := range map[string]string{
				"SHA-256":       "`" + fmt.Sprintf("%x", sha256.Sum256(file)) + "`",
				"bytes":         strconv.Itoa(len(file)),
				"window":        fmt.Sprintf("%dx%d", c.Width, c.Height),
				"features":      strconv.Itoa(len(c.Features)),
				"weak learners": strconv.Itoa(len(c.Weak)),
				"exits":         strconv.Itoa(len(c.Exits)),
				"seed":          strconv.FormatUint(c.Provenance.Seed, 10),
				"MinStdDev":     strconv.FormatFloat(c.MinStdDev, 'g', -1, 64),
			} {
				if got := row(t, page, fact); got != want {
					t.Errorf("the page says %s: %s, the model has %s", fact, got, want)
				}
			}
			for _, d := range c.Provenance.Data {
				if source, _, _ := strings.Cut(d, ":"); !strings.Contains(page, source) {
					t.Errorf("the page does not speak of the data %q", source)
				}
			}
		})
	}
}

// The default model finds the drawn people, and nobody in the empty room.
func TestDefaultFindsFaces(t *testing.T) {
	c, err := Open(Default)
	if err != nil {
		t.Fatal(err)
	}
	d, err := cascade.NewDetector(c, &cascade.Options{MinSize: image.Pt(30, 30)})
	if err != nil {
		t.Fatal(err)
	}
	detect := func(name string) []cascade.Detection {
		f, err := os.Open("../samples/" + name + ".png")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		found, err := d.Detect(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	truth, err := os.ReadFile("../samples/group.csv")
	if err != nil {
		t.Fatal(err)
	}
	found := detect("group")
	faces := 0
	for line := range strings.Lines(string(truth)) {
		var x, y, w, h int
		if n, _ := fmt.Sscanf(line, "group.png,%d,%d,%d,%d", &x, &y, &w, &h); n != 4 {
			continue
		}
		faces++
		face := image.Rect(x, y, x+w, y+h)
		if !slices.ContainsFunc(found, func(d cascade.Detection) bool {
			both := d.Box.Intersect(face).Size()
			one := d.Box.Size()
			common := both.X * both.Y
			return 2*common > one.X*one.Y+w*h-common
		}) {
			t.Errorf("the face at %v is not among %v", face, found)
		}
	}
	if faces != 11 || len(found) != faces {
		t.Errorf("%d detections of %d faces, want 11 of 11", len(found), faces)
	}
	if found := detect("room"); len(found) != 0 {
		t.Errorf("somebody in the empty room: %v", found)
	}
}

// What Open returns belongs to the caller.
func TestOpenCopies(t *testing.T) {
	a, err := Open(Default)
	if err != nil {
		t.Fatal(err)
	}
	before := a.Exits[0]
	a.Exits[0].Threshold += 1000
	b, err := Open(Default)
	if err != nil {
		t.Fatal(err)
	}
	if b.Exits[0] != before {
		t.Errorf("a second Open sees the first one's changes: %v, want %v", b.Exits[0], before)
	}
}

func TestUnknown(t *testing.T) {
	c, err := Open("nosuch")
	if c != nil || !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), Default) {
		t.Errorf("got %v and %q, want ErrUnknown with the names there are", c, err)
	}
	if !slices.Contains(Names(), Default) {
		t.Errorf("Names %v lack the default %q", Names(), Default)
	}
}

// The integer scan is exact only while all scores are multiples of 2^-12 and
// stay below 2^18.
func TestGrid(t *testing.T) {
	for _, name := range Names() {
		c, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		on := func(v float32) bool { return float64(v)*4096 == float64(int64(float64(v)*4096)) }
		var most float64
		for i, w := range c.Weak {
			var top float64
			for _, v := range w.Leaves {
				if !on(v) {
					t.Errorf("%s: weak learner %d: leaf %v is no multiple of 2^-12", name, i, v)
				}
				top = max(top, float64(v), -float64(v))
			}
			most += top
		}
		for i, e := range c.Exits {
			if !on(e.Threshold) {
				t.Errorf("%s: exit %d: threshold %v is no multiple of 2^-12", name, i, e.Threshold)
			}
		}
		if most >= 1<<18 {
			t.Errorf("%s: scores reach %v", name, most)
		}
	}
}

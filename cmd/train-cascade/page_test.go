package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/must"
	"haarlem/models"
)

// A page is begun and filled part by part, and text by people stays.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	works(t, "calibrate", "-model", hundred, "-truth", groupTruth, "-bg", room, "-false-positives-per-megapixel", "10", "-out", in("m.cascade"), "-name", "m", "-object", "mask", "-data-name", "Drawn: by anybody, for anything")
	works(t, "eval", "-model", in("m.cascade"), "-model", "face-fast", "-truth", groupTruth, "-bg", room, "-json", in("e.json"))
	must.Do(os.WriteFile(in("r.json"), []byte(works(t, "calibrate", "-check", "-model", in("m.cascade"), "-truth", groupTruth, "-bg", room, "-output", "json")), 0o600))
	must.Do(os.WriteFile(in("m.xml"), []byte("<opencv_storage/>"), 0o600))
	page := func() string { return contents(t, in("m.md")) }
	works(t, "page", "-model", in("m.cascade"), "-out", in("m.md"))
	short := page()
	clitest.Contains(t, short,
		"# m\n\n<!-- facts: ", "| window | 24x24 |\n", "| weak classifiers | 100 |\n", "| SHA-256 of `m.xml`, for OpenCV | `", "| bytes of `m.xml`, for OpenCV | 17 |\n",
		"\ntrain-cascade calibrate -model ", "\n- Drawn: by anybody, for anything\n", "\n<!-- results: written by train-cascade page -->\n<!-- end of results -->\n",
	)
	said := strings.Replace(short, "## Data and terms\n", "It finds drawn masks.\n\n## Data and terms\n", 1)
	must.Do(os.WriteFile(in("m.md"), []byte(said), 0o600))
	works(t, "page", "-model", in("m.cascade"), "-out", in("m.md"), "-eval", "A group="+in("e.json"), "-eval", in("e.json"), "-reliability", in("r.json"), "-bg", room)
	full := page()
	clitest.Contains(t, full,
		"It finds drawn masks.\n\n## Data and terms\n", "\n### A group\n\n11 masks in 2 pictures, 1 of which have none; 0.8 megapixels. Matched by centre: ",
		"\n| detector | 0 | 1 | 5 | 10 | 20 | 50 | 100 | 200 |\n| --- |", "\n| **m** | ", "\n| face-fast | 100.0 | ", "of the others here face-fast misses fewest, 0.0.\n",
		"](m-roc.png)\n", "](m-roc-2.png)\n", "\n| 0.9 to 1.0 | ", "](m-reliability.png)\n", " weak classifiers on average, on 1 photographs without masks (0 megapixels",
	)
	for _, name := range []string{"m-roc.png", "m-roc-2.png", "m-reliability.png"} {
		decodePNG(t, in(name))
	}
	// Parts that are not asked for stay, and nothing else changes.
	works(t, "page", "-model", in("m.cascade"), "-out", in("m.md"))
	if again := page(); again != full {
		t.Errorf("written once more:\n%s\nwant\n%s", again, full)
	}
}

func TestPageErrors(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"bare.md":    "# nothing to fill\n",
		"twice.md":   strings.Repeat("<!-- commands: written by train-cascade page -->\n<!-- end of commands -->\n", 2),
		"other.json": `{"objects":3,"contenders":[{"name":"someone","rates":[{"false_positives":10,"threshold":1}]}]}`,
		"more.json":  `{"objects":3,"contenders":[]} {}`,
		"none.json":  `{}`,
		"no.cascade": "haarlem-cascade 1\n",
	} {
		must.Do(os.WriteFile(in(name), []byte(text), 0o600))
	}
	fine := []string{"-model", hundred, "-out", in("p.md")}
	refuses(t, "page", []mistake{
		{2, "no model given", nil},
		{2, `-out is "p.txt", want a file that ends in .md`, []string{"-model", hundred, "-out", "p.txt"}},
		{2, "-plot-to is 0", append(fine, "-plot-to", "0")},
		{1, "none.cascade", []string{"-model", in("none.cascade"), "-out", in("p.md")}},
		{1, "no.cascade: ", []string{"-model", in("no.cascade"), "-out", in("p.md")}},
		{1, "other.json: no contender is called a hundred weak learners at 10 false positives", append(fine, "-eval", in("other.json"))},
		{1, "more.json: want the end of the file after the report", append(fine, "-eval", in("more.json"))},
		{1, "none.json: not a report of eval", append(fine, "-eval", "A="+in("none.json"))},
		{1, "none.json: want what calibrate -check -output json prints", append(fine, "-reliability", in("none.json"))},
	})
	for _, page := range []string{"bare.md", "twice.md"} {
		says(t, statusFailed, `no place for the part "commands": put these two lines, once, where it is to stand`, "page", "-model", hundred, "-out", in(page))
	}
	if left, _ := filepath.Glob(in("p*")); len(left) != 0 {
		t.Errorf("failed runs left %v", left)
	}
}

// The pages of the built-in models agree with their files.
func TestPagesOfModels(t *testing.T) {
	for _, name := range models.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written := contents(t, filepath.Join("..", "..", "models", name+".md"))
			page := filepath.Join(t.TempDir(), name+".md")
			putFile(t, page, written)
			model := filepath.Join("..", "..", "models", strings.ReplaceAll(name, "-", ""), name+".cascade")
			if works(t, "page", "-model", model, "-out", page); contents(t, page) != written {
				t.Errorf("models/%s.md is not what train-cascade page -model %s writes", name, model)
			}
		})
	}
}

package main

import (
	"image"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/inspecting"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
	"haarlem/models"
)

// stagesFile writes a cascade of two stages, in OpenCV's format.
func stagesFile(t *testing.T) string {
	t.Helper()
	f := haar.Feature{Rects: [3]haar.Rect{{X: 0, Y: 0, W: 8, H: 8, Weight: -1}, {X: 0, Y: 4, W: 8, H: 4, Weight: 2}}}
	stump := cascade.Weak{Nodes: []cascade.Node{{Feature: 0, Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}
	c := &cascade.Cascade{
		Kind: cascade.Haar, Width: 8, Height: 8, MinStdDev: 10, Features: []haar.Feature{f},
		Weak: []cascade.Weak{stump, stump, stump}, Exits: []cascade.Exit{{After: 1, Restart: true}, {After: 3, Threshold: 1, Restart: true}},
	}
	path := filepath.Join(t.TempDir(), "stages.xml")
	putFile(t, path, string(must.Bytes(c.EncodeOpenCV)))
	return path
}

func checkPictures(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		decodePNG(t, filepath.Join(dir, e.Name()))
	}
	if !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
}

func TestInspectStages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "pictures")
	model := stagesFile(t)
	out := quietly(t, "inspect", model, "-out", dir)
	clitest.Contains(t, out, "8x8 Haar features, staged, 3 weak classifiers, 2 exits", "3 stumps", "1: edge down 1", "in OpenCV's format", "weak classifiers per window")
	checkPictures(t, dir, "coverage.png", "stage-01.png", "stage-02.png", "template.png")
	// Files are not overwritten without -overwrite.
	fails(t, statusUsage, "lies in it): name another folder, or add -overwrite", "inspect", model, "-out", dir)
	if again := works(t, "inspect", "-overwrite", "-out", dir, model); again != out {
		t.Errorf("another text:\n%s", again)
	}
}

func TestInspectSoft(t *testing.T) {
	dir := t.TempDir()
	// A positive that is light in one corner shows through the features.
	g := image.NewGray(image.Rect(0, 0, 16, 16))
	g.Pix[15*16+15] = 250
	vec := filepath.Join(t.TempDir(), "p.vec")
	must.Do(samples.WriteVec(vec, []*image.Gray{g}))
	m := decoded[inspecting.Description](t, "inspect", "face-fast", "-out", dir, "-positives", vec, "-format", "json", "-image", "../../samples/group.png")
	checkPictures(t, dir, "coverage.png", "first.png", "template.png")
	c := must.Get(models.Open("face-fast"))
	if m.Shape != "soft" || m.Weak != len(c.Weak) || len(m.Files) != 3 || len(m.Images) != 1 {
		t.Fatalf("%+v", m)
	}
	n := m.Images[0]
	if n.Width != 800 || n.Contrast > n.Windows || len(n.Passed) != len(c.Exits) || n.Passed[0] > n.Contrast || n.WeakPerWindow < 1 {
		t.Errorf("%+v", n)
	}
	if !slices.IsSortedFunc(n.Passed, func(a, b int) int { return b - a }) || n.Passed[len(n.Passed)-1] == 0 {
		t.Errorf("windows that pass: %v", n.Passed)
	}
	// A folder of pictures of any size works too.
	pictures := t.TempDir()
	picturetest.Save(filepath.Join(pictures, "a.png"), image.NewGray(image.Rect(0, 0, 50, 50)))
	works(t, "inspect", "face-fast", "-out", t.TempDir(), "-positives", pictures)
}

func TestInspectErrors(t *testing.T) {
	model := stagesFile(t)
	refuses(t, "inspect", []mistake{
		{2, "want one model, not 0", nil},
		{2, `invalid value "xml" for flag -format: want text or json`, []string{model, "-format", "xml"}},
		{2, "model nothing.cascade: there is no such file", []string{"nothing.cascade"}},
		{1, "main.go", []string{"main.go"}},
		{2, "give -out FOLDER too", []string{model, "-positives", "x.vec"}},
		{1, "x.vec", []string{model, "-positives", "x.vec", "-out", t.TempDir()}},
		{1, "nothing.png", []string{model, "-image", "nothing.png"}},
		{1, "-out: ", []string{model, "-out", model}},
	})
}

// export writes files and says what they need. It does not leave a verifier out unless
// told to, and replaces nothing.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	export := func(args ...string) []string {
		return append([]string{"export", "-model", "../../models/eye/eye.cascade", "-out", dir}, args...)
	}
	says(t, statusFailed, "-without-verifier", export()...)
	out := works(t, export("-without-verifier", "-profile", "small", "-picture", "160x120", "-min-size", "20", "-windows", "../../samples/group.png")...)
	clitest.Contains(t, out, filepath.Join(dir, "eye.h"), "verifier of the cascade is left out", "rounded to 8 and 16 bits", "RAM: ")
	if m, err := cascade.Open(filepath.Join(dir, "eye.cascade")); err != nil || m.Verifier != nil {
		t.Errorf("the rounded cascade: %v", err)
	}
	says(t, statusFailed, "is there already", export("-without-verifier")...)
	for _, bad := range [][]string{{"-picture", "160"}, {"-picture", "160x120x3"}, {"-scale", "1"}, {"-refine-x", "9000"}, {"-as", "pascal"}, {"FILE"}} {
		says(t, statusUsage, "", export(append([]string{"-without-verifier", "-overwrite"}, bad...)...)...)
	}
	// A folder is one file with a cascade's rounded numbers beside it.
	both := filepath.Join(dir, "both")
	clitest.Contains(t, works(t, export("-model", dir, "-profile", "small", "-out", both)...), ".h\n"+filepath.Join(both, "eye.cascade"))
	says(t, statusUsage, "want c or js", export("-model", dir, "-as", "arduino", "-out", both)...)
	for format, file := range map[string]string{
		"js": "eye.mjs", "tables": "eye/testbench.v",
		"arduino": "eye/library.properties", "esp-idf": "eye/CMakeLists.txt", "zephyr": "eye/zephyr/module.yml",
	} {
		works(t, export("-without-verifier", "-overwrite", "-as", format)...)
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file))); err != nil || len(text) == 0 {
			t.Errorf("%s: %v, %d bytes", format, err, len(text))
		}
	}
}

package cascade

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"haarlem/haar"
	"haarlem/internal/must"
)

// fileCascades returns small cascades that together use everything that a file
// can hold. Those that OpenCV's format can express are named xml-...
func fileCascades() map[string]*Cascade {
	up := haar.Feature{Rects: [3]haar.Rect{
		{X: 2, Y: 3, W: 8, H: 6, Weight: -1}, {X: 2, Y: 5, W: 8, H: 2, Weight: 3}}}
	tilted := haar.Feature{Tilted: true, Rects: [3]haar.Rect{
		{X: 10, Y: 1, W: 6, H: 3, Weight: -1}, {X: 12, Y: 3, W: 2, H: 3, Weight: 3}}}
	three := haar.Feature{Rects: [3]haar.Rect{
		{X: 0, Y: 0, W: 24, H: 20, Weight: -1}, {X: 0, Y: 0, W: 12, H: 10, Weight: 2}, {X: 12, Y: 10, W: 12, H: 10, Weight: 2.25}}}
	cells := []image.Rectangle{image.Rect(0, 0, 8, 6), image.Rect(3, 4, 4, 5), image.Rect(21, 17, 22, 18)}
	stump := func(feature int32, threshold, left, right float32) Weak {
		return Weak{Nodes: []Node{{Feature: feature, Threshold: threshold, Left: 0, Right: -1}}, Leaves: []float32{left, right}}
	}
	subset := [8]uint32{1, 0xffffffff, 0x80000000, 7, 0, 0xdeadbeef, 12345, 0}
	// The thresholds of stages are values that OpenCV's format can express.
	stages := func(after ...int) []Exit {
		var exits []Exit
		for i, a := range after {
			exits = append(exits, Exit{After: a, Threshold: float32(i)/3 - 1.1 - openCVEpsilon, Restart: true})
		}
		return exits
	}
	bins := func(n int, step float32) []float32 {
		b := make([]float32, n)
		for i := range b {
			b[i] = (float32(i) - float32(n)/2) * step
		}
		return b
	}
	return map[string]*Cascade{
		"xml-stumps": {
			Kind: Haar, Width: 24, Height: 20, MinStdDev: openCVMinStdDev,
			Features: []haar.Feature{up, tilted, three},
			Weak:     []Weak{stump(0, 0.0169156, -0.95547718, 0.8912914), stump(2, -1e-7, 0.25, -3), stump(1, 0, 0.1, 0.2)},
			Exits:    stages(1, 3),
		},
		"xml-trees": {
			Name: "haar_trees-2", Kind: Haar, Width: 24, Height: 20, MinStdDev: openCVMinStdDev,
			Features: []haar.Feature{three, up, tilted},
			Weak: []Weak{
				{Nodes: []Node{
					{Feature: 0, Threshold: -0.027, Left: 2, Right: 1},
					{Feature: 1, Threshold: 0.05, Left: 0, Right: -1},
					{Feature: 2, Threshold: -0.129, Left: -2, Right: -3},
				}, Leaves: []float32{-0.8, 0.6, 0.9, 0.044}},
				{Nodes: []Node{{Feature: 1, Threshold: 0.5, Left: -1, Right: 0}}, Leaves: []float32{1, -1}},
			},
			Exits: stages(2),
		},
		"xml-lbp": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak: []Weak{
				{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}},
				{Nodes: []Node{{Feature: 1, Left: 1, Right: 0, Subset: subset}, {Feature: 0, Left: -2, Right: -1}}, Leaves: []float32{-0.7, 0.2, 0.3}},
			},
			Exits: stages(1, 2),
		},
		"soft": {
			Name: "Gesicht, weich", Kind: Haar, Width: 24, Height: 20, MinStdDev: 0.5,
			Features: []haar.Feature{up, tilted, three},
			Weak: []Weak{
				{Feature: 2, Low: -0.25, Scale: 32, Leaves: bins(8, 0.125)},
				{Feature: 0, Low: -1e-3, Scale: 1234.5, Leaves: bins(16, -0.0625)},
				stump(1, 0.1, -1.5, 2),
			},
			Exits:       []Exit{{After: 1, Threshold: -2}, {After: 2, Threshold: -1.0625}, {After: 3, Threshold: 0.5}},
			Calibration: &Calibration{Slope: 1.75, Offset: -3.0000000000000004},
			Provenance: Provenance{
				Program: "train-cascade 0.1", Command: `train-cascade -seed 7 "my data"`, Seed: 1<<64 - 1,
				Data: []string{"drawn faces, CC0", ""}, Note: "zwei Zeilen:\n\ttab, \\ und \x01\x7f äöü",
			},
		},
		"verified": {
			Name: "seen twice", Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak:  []Weak{{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}}},
			Exits: stages(1),
			Verifier: &Verifier{Sides: 1.4, Weight: 2.75, Trees: []Weak{
				stump(1798, -12, 0.25, -0.5),
				{Nodes: []Node{
					{Feature: 772, Threshold: 800, Left: 1, Right: 2},
					{Feature: 0, Threshold: 3.5, Left: 0, Right: -1},
					{Feature: 1500, Threshold: 200, Left: -2, Right: -3},
				}, Leaves: []float32{-0.75, 0.5, 0.125, 1}},
			}},
		},
		"network": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak:    []Weak{{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}}},
			Exits:   stages(1),
			Network: network(),
		},
		"ahead": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Search: Search{Stride: 2, RefineX: 1, RefineY: 2, InterLevel: 1, DenseFrom: 1.6, Pad: 0.25,
				ScaleBias: ScaleBias{PerOctave: 0.7, From: 1.3, Max: 1e-3}, PrefilterFrom: 1.75},
			Weak: []Weak{
				{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}},
				{Nodes: []Node{{Feature: 0, Left: -1, Right: 0, Subset: subset}}, Leaves: []float32{-0.5, 0.25}},
			},
			Exits: []Exit{{After: 1, Threshold: -1}, {After: 2, Threshold: 0.25, Restart: true}},
			Verifier: &Verifier{Sides: 1.4, Weight: 3, MultiCrop: MultiCrop{Low: -2, High: 12.5, Grow: 0.12}, Trees: []Weak{
				stump(7, -12, 0.25, -0.5),
			}},
		},
		"boxed": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak:  []Weak{{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}}},
			Exits: stages(1),
			Verifier: &Verifier{
				Sides: 1.5, Weight: 2, Context: 2.5, Trees: []Weak{stump(3597, -12, 0.25, -0.5)},
				Boxes: &Boxes{Left: []Weak{stump(1, 5, 0.125, -0.25), stump(3000, 6, 0.5, 0.25)}, Bottom: []Weak{stump(2, 7, 0, 0.0625)}},
				Next: &Verifier{
					Sides: 1.4, Weight: 3, MultiCrop: MultiCrop{Low: -2, High: 12.5, Grow: 0.12}, Trees: []Weak{stump(7, -12, 0.25, -0.5)},
					Boxes: &Boxes{Top: []Weak{stump(1798, -8, 0.1, -0.5)}},
				},
			},
		},
		"mirrored": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak:  []Weak{{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}}},
			Exits: stages(1),
			Verifier: &Verifier{
				Sides: 1.5, Weight: 2, Trees: []Weak{stump(1, -12, 0.25, -0.5)},
				Next: &Verifier{
					Sides: 1.4, Weight: 3, MultiCrop: MultiCrop{Low: -2, High: 12.5, Grow: 0.12}, Context: 2.5, Mirror: true,
					Trees: []Weak{stump(7, -12, 0.25, -0.5)}, Boxes: &Boxes{Top: []Weak{stump(1798, -8, 0.1, -0.5)}},
				},
			},
		},
		"mixed": {
			Object: Object{"bus", "buses"}, Kind: Haar, Width: 24, Height: 20, MinStdDev: 7.25, Search: Search{Stride: 3, MinCandidates: 12, MinScore: 0.625},
			Features: []haar.Feature{up, tilted},
			Weak: []Weak{
				stump(0, 1e-45, 3.4e-38, -0.3),
				{Feature: 1, Low: 0.1, Scale: 1e-30, Leaves: bins(8, 0.1)},
				{Nodes: []Node{{Feature: 1, Left: -1, Right: 0}}, Leaves: []float32{1, 1 << 30}},
			},
			Exits: []Exit{{After: 2, Threshold: -3e38, Restart: true}, {After: 3, Threshold: 1}},
		},
	}
}

func encode(c *Cascade) []byte { return must.Bytes(c.Encode) }

func encodeOpenCV(c *Cascade) []byte { return must.Bytes(c.EncodeOpenCV) }

// unsealed is c's file without its checksum.
func unsealed(c *Cascade) string {
	text := string(encode(c))
	return text[:strings.LastIndex(text, nativeSum)]
}

// FuzzReadOpenCV checks that whatever is read as an OpenCV cascade is valid,
// and unchanged after writing and reading in both formats.
func FuzzReadOpenCV(f *testing.F) {
	for name, c := range fileCascades() {
		if strings.HasPrefix(name, "xml-") {
			f.Add(encodeOpenCV(c))
		}
	}
	f.Add([]byte(newFormXML))
	f.Add([]byte(oldFormXML))
	for _, h := range hostileNewForm {
		f.Add([]byte(h.edit(newFormXML)))
	}
	for _, h := range hostileOldForm {
		f.Add([]byte(h.edit(oldFormXML)))
	}
	lim := must.Get((&Limits{Bytes: 1 << 20}).withDefaults())
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readOpenCV(data, lim)
		if err != nil {
			return
		}
		if err := c.Check(); err != nil {
			t.Fatalf("read, but not valid: %v", err)
		}
		again, err := readNative(encode(c), lim)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("not the same after Encode: %v\n%+v\n%+v", err, c, again)
		}
		again, err = readOpenCV(encodeOpenCV(c), lim)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("not the same after EncodeOpenCV: %v\n%+v\n%+v", err, c, again)
		}
	})
}

// FuzzReadNative checks that whatever is read as a native model is valid, and
// unchanged after writing and reading. It appends the checksum, which no fuzzer
// could guess.
func FuzzReadNative(f *testing.F) {
	for _, c := range fileCascades() {
		f.Add([]byte(unsealed(c)))
	}
	for _, h := range hostileNative {
		f.Add([]byte(h.edit(nativeText)))
	}
	lim := must.Get((&Limits{Bytes: 1 << 20}).withDefaults())
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := readNative(seal(body), lim)
		if err != nil {
			return
		}
		if err := c.Check(); err != nil {
			t.Fatalf("read, but not valid: %v", err)
		}
		data := encode(c)
		again, err := readNative(data, lim)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("not the same after Encode: %v\n%+v\n%+v", err, c, again)
		}
		if !bytes.Equal(data, encode(again)) {
			t.Fatal("equal cascades give different bytes")
		}
	})
}

// seal appends the line with the checksum.
func seal(body []byte) []byte {
	return fmt.Appendf(body[:len(body):len(body)], nativeSum+"%x\n", sha256.Sum256(body))
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	c := fileCascades()["xml-trees"]
	for name, data := range map[string][]byte{"native.xml": encode(c), "opencv.txt": encodeOpenCV(c)} {
		path := filepath.Join(dir, name)
		must.Do(os.WriteFile(path, data, 0o644))
		if got, err := Open(path); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	bad := filepath.Join(dir, "bad")
	must.Do(os.WriteFile(bad, []byte("<a>\n"), 0o644))
	if _, err := Open(bad); !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), bad+": ") || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v, want one of ErrFormat with path and line", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one of fs.ErrNotExist", err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v for a folder, want one that names it", err)
	}
}

// The error for other files says what they look like.
func TestReadOther(t *testing.T) {
	for file, want := range map[string]string{
		"":                                      "begins with",
		"haarlem":                               "begins with \"haarlem\"",
		"\x1f\x8b\x08\x00":                      "gzip",
		"%YAML:1.0\n---\n":                      "YAML",
		"{\"opencv\":":                          "JSON",
		"\xff\xfe<\x00?\x00":                    "UTF-16",
		"\xfe\xff\x00<\x00?":                    "UTF-16",
		"\x89PNG\r\n\x1a\n":                     "begins with",
		strings.Repeat("a", 1<<20):              "begins with",
		"<html><body></body></html>":            "opencv_storage",
		"<opencv_storage/>":                     "no cascade inside",
		"<opencv_storage><_/></opencv_storage>": "list element",
	} {
		_, err := Read(strings.NewReader(file), nil)
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.20q: error %v, want one of ErrFormat that says %q", file, err, want)
		}
	}
	if _, err := Read(iotest.ErrReader(errBroken), nil); !errors.Is(err, errBroken) || errors.Is(err, ErrFormat) {
		t.Errorf("error %v, want the reader's own", err)
	}
	if _, err := Read(iotest.OneByteReader(strings.NewReader(newFormXML)), nil); err != nil {
		t.Error(err)
	}
}

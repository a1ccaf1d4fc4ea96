//go:build gocv

package cascade

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// stockFiles returns the 22 cascades of Debian's package opencv-data, in the
// folder HAARLEM_OPENCV_DATA. We may not distribute them.
func stockFiles(t *testing.T) []string {
	dir := os.Getenv("HAARLEM_OPENCV_DATA")
	if dir == "" {
		dir = "/usr/share/opencv4"
	}
	var files []string
	for folder, want := range map[string]int{"haarcascades": 17, "lbpcascades": 5} {
		some, err := filepath.Glob(filepath.Join(dir, folder, "*.xml"))
		if err != nil || len(some) != want {
			t.Fatalf("%d cascades in %s, want %d of package opencv-data 4.6 (HAARLEM_OPENCV_DATA names its folder)", len(some), filepath.Join(dir, folder), want)
		}
		files = append(files, some...)
	}
	return files
}

// Facts from the files' text, counted with other tools.
var stockFacts = map[string]struct {
	kind                                               Kind
	width, height, features, tilted, weak, node, exits int
}{
	"haarcascade_eye":                        {Haar, 20, 20, 1066, 0, 1066, 1066, 24},
	"haarcascade_eye_tree_eyeglasses":        {Haar, 20, 20, 2553, 577, 851, 2553, 30},
	"haarcascade_frontalcatface":             {Haar, 24, 24, 1056, 0, 1275, 1275, 20},
	"haarcascade_frontalcatface_extended":    {Haar, 24, 24, 997, 274, 1184, 1184, 20},
	"haarcascade_frontalface_alt":            {Haar, 20, 20, 2135, 0, 2135, 2135, 22},
	"haarcascade_frontalface_alt2":           {Haar, 20, 20, 2094, 0, 1047, 2094, 20},
	"haarcascade_frontalface_alt_tree":       {Haar, 20, 20, 8468, 0, 8468, 8468, 47},
	"haarcascade_frontalface_default":        {Haar, 24, 24, 2913, 0, 2913, 2913, 25},
	"haarcascade_fullbody":                   {Haar, 14, 28, 1464, 201, 1464, 1464, 30},
	"haarcascade_lefteye_2splits":            {Haar, 20, 20, 732, 185, 366, 732, 20},
	"haarcascade_licence_plate_rus_16stages": {Haar, 64, 16, 91, 0, 91, 91, 16},
	"haarcascade_lowerbody":                  {Haar, 19, 23, 1221, 110, 1221, 1221, 27},
	"haarcascade_profileface":                {Haar, 20, 20, 2609, 0, 2609, 2609, 26},
	"haarcascade_righteye_2splits":           {Haar, 20, 20, 736, 186, 368, 736, 20},
	"haarcascade_russian_plate_number":       {Haar, 60, 20, 208, 7, 212, 212, 20},
	"haarcascade_smile":                      {Haar, 36, 18, 569, 117, 569, 569, 20},
	"haarcascade_upperbody":                  {Haar, 22, 18, 2423, 474, 2423, 2423, 30},
	"lbpcascade_frontalcatface":              {LBP, 24, 24, 353, 0, 419, 419, 20},
	"lbpcascade_frontalface":                 {LBP, 24, 24, 136, 0, 139, 139, 20},
	"lbpcascade_frontalface_improved":        {LBP, 45, 45, 142, 0, 149, 149, 19},
	"lbpcascade_profileface":                 {LBP, 20, 34, 129, 0, 130, 130, 16},
	"lbpcascade_silverware":                  {LBP, 12, 80, 130, 0, 130, 130, 16},
}

func TestStockCascades(t *testing.T) {
	for _, path := range stockFiles(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".xml")
		t.Run(name, func(t *testing.T) {
			c := must.Get(Open(path))
			must.Do(c.Check())
			got := stockFacts[name]
			got.kind, got.width, got.height = c.Kind, c.Width, c.Height
			got.features, got.weak, got.exits = c.features(), len(c.Weak), len(c.Exits)
			got.tilted, got.node = 0, 0
			for i := range c.Features {
				if c.Features[i].Tilted {
					got.tilted++
				}
			}
			for i := range c.Weak {
				got.node += len(c.Weak[i].Nodes)
			}
			if got != stockFacts[name] {
				t.Errorf("read %v, want %v", got, stockFacts[name])
			}
			for form, data := range map[string][]byte{"native": encode(c), "OpenCV": encodeOpenCV(c)} {
				if again, err := Read(bytes.NewReader(data), nil); err != nil || !reflect.DeepEqual(c, again) {
					t.Errorf("%s: another cascade after writing and reading: %v", form, err)
				}
			}
		})
	}
}

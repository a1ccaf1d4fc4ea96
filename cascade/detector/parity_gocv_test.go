//go:build gocv

package detector_test

import (
	"flag"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"haarlem/cascade"
	"haarlem/internal/must"
)

// These tests compare with OpenCV 4.6 itself. They need libopencv-dev and
// opencv-data, found in the folder HAARLEM_OPENCV_DATA or /usr/share/opencv4.
//
//	go test -tags gocv -run Parity ./cascade/detector          some minutes
//	HAARLEM_PARITY=full go test -tags gocv -run Parity -timeout 3h ./cascade/detector

var (
	parityRuns   = flag.Int("parity-runs", 50, "random cascades that TestParityRandom draws")
	paritySeed   = flag.Uint64("parity-seed", 1, "seed of the first of them")
	updateParity = flag.Bool("update-parity", false, "write testdata/parity anew")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *updateParity {
		updateGoldens = drawGoldens
	}
	os.Exit(m.Run())
}

// oracle is a cascade loaded by OpenCV. Close it once.
type oracle struct{ c gocv.CascadeClassifier }

func newOracle(t testing.TB, path string) *oracle {
	t.Helper()
	o := &oracle{gocv.NewCascadeClassifier()}
	if !o.c.Load(path) {
		o.close()
		t.Fatalf("OpenCV cannot load %s", path)
	}
	return o
}

// encodeOracle writes c to path and lets OpenCV load it.
func encodeOracle(t testing.TB, c *cascade.Cascade, path string) *oracle {
	t.Helper()
	f := must.Get(os.Create(path))
	must.Do(c.EncodeOpenCV(f))
	must.Do(f.Close())
	return newOracle(t, path)
}

func (o *oracle) close() { o.c.Close() }

// detect returns OpenCV's rectangles. The image must have no gaps between rows.
func (o *oracle) detect(t testing.TB, g *image.Gray, s search) []image.Rectangle {
	t.Helper()
	m := must.Get(gocv.NewMatFromBytes(g.Rect.Dy(), g.Rect.Dx(), gocv.MatTypeCV8U, g.Pix))
	defer m.Close()
	return o.c.DetectMultiScaleWithParams(m, s.scale, s.neighbors, 0, s.min, s.max)
}

// drawGoldens writes the golden cascades and what OpenCV finds with them. Of
// the cascades of a shape, it takes the first with enough rectangles to test
// something and few enough to read.
func drawGoldens(t *testing.T) {
	for _, golden := range goldens {
		path := filepath.Join(goldenFolder, golden.name+".xml")
		for seed := uint64(1); ; seed++ {
			if seed == 2000 {
				t.Fatalf("%s: no seed gives a fitting number of rectangles", golden.name)
			}
			o := encodeOracle(t, randomCascade(rand.New(rand.NewPCG(seed, 1)), golden.shape), path)
			results := searchGolden(t, o)
			o.close()
			if results == nil {
				continue
			}
			head := fmt.Sprintf(`What OpenCV %s finds with %s.xml; see parity_test.go.
go test -tags gocv -run TestParityGoldens ./cascade/ -update-parity
Cascade: random, %+v, seed %d. Rectangles: x y width height.
`, gocv.OpenCVVersion(), golden.name, golden.shape, seed)
			must.Do(writeGolden(filepath.Join(goldenFolder, golden.name+".txt"), head, results))
			break
		}
	}
}

// searchGolden makes the golden searches, or returns nil if they find too
// little or too much.
func searchGolden(t *testing.T, o *oracle) []result {
	var results []result
	raw, grouped, busy := 0, 0, 0
	for _, p := range goldenPictures {
		for _, s := range goldenSearches {
			r := result{p, s, o.detect(t, p.draw(), s)}
			results = append(results, r)
			if len(r.rects) > 0 {
				busy++
			}
			if s.neighbors > 0 {
				grouped += len(r.rects)
			} else if raw += len(r.rects); raw > 900 {
				return nil
			}
		}
	}
	if grouped < 8 || busy < len(results)/2 {
		return nil
	}
	return results
}

// full reports whether the whole grid was asked for.
func full() bool { return os.Getenv("HAARLEM_PARITY") == "full" }

// stockCascades lists the cascades of opencv-data.
func stockCascades(t *testing.T) []string {
	t.Helper()
	folder := os.Getenv("HAARLEM_OPENCV_DATA")
	if folder == "" {
		folder = "/usr/share/opencv4"
	}
	var paths []string
	for _, pattern := range []string{"haarcascades/*.xml", "lbpcascades/*.xml"} {
		found := must.Get(filepath.Glob(filepath.Join(folder, pattern)))
		paths = append(paths, found...)
	}
	if len(paths) != 22 {
		t.Fatalf("%d cascades in %s, want the 22 of opencv-data 4.6", len(paths), folder)
	}
	return paths
}

// A subject is a picture with a name. Searches of it start at size floor.
type subject struct {
	name  string
	grey  *image.Gray
	floor int
}

// modulePictures are the pictures in the gocv module.
func modulePictures(t *testing.T) []subject {
	t.Helper()
	dir := must.Get(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "gocv.io/x/gocv").Output())
	var subjects []subject
	for _, pattern := range []string{"*.png", "*.jpg"} {
		paths := must.Get(filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "images", pattern)))
		for _, path := range paths {
			f := must.Get(os.Open(path))
			m, _, err := image.Decode(f)
			f.Close()
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			g := image.NewGray(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
			draw.Draw(g, g.Rect, m, m.Bounds().Min, draw.Src)
			s := subject{name: filepath.Base(path), grey: g}
			if !full() { // keep large pictures, search them for large objects
				s.floor = len(g.Pix) / 8000
			}
			subjects = append(subjects, s)
		}
	}
	if len(subjects) < 20 {
		t.Fatalf("%d pictures in the gocv module, want at least 20", len(subjects))
	}
	return subjects
}

// drawnPictures are generated, most of odd sizes.
func drawnPictures() []subject {
	var subjects []subject
	for i, size := range []image.Point{
		{1, 1}, {1, 50}, {50, 1}, {2, 2}, {19, 19}, {20, 20}, {20, 21}, {24, 24}, {25, 24}, {24, 25},
		{36, 36}, {45, 45}, {46, 45}, {47, 91}, {64, 64}, {100, 100}, {131, 67}, {155, 240},
		{321, 241}, {77, 401}, {1001, 77}, {3001, 61}, {640, 333},
	} {
		for k, kind := range pictureKinds {
			// In turn: one kind where no window fits, four of small pictures, where
			// what is in them decides about a few windows, and two of large ones.
			every := 2
			switch area := size.X * size.Y; {
			case area < 300:
				every = len(pictureKinds)
			case area > 5000:
				every = 4
			}
			if k%every != i%every && !full() {
				continue
			}
			p := picture{kind, size.X, size.Y, uint64(i + k)}
			subjects = append(subjects, subject{name: p.name(), grey: p.draw()})
		}
	}
	return subjects
}

// stockSearches are the options for stock cascades. Each is run with and
// without grouping.
var stockSearches = []search{
	{scale: 1.1, neighbors: 3},
	{scale: 1.05, neighbors: 3, max: image.Pt(110, 110)},
	{scale: 1.3, neighbors: 2, min: image.Pt(40, 30)},
	{scale: 2, neighbors: 1},
	{scale: 1.1, neighbors: 3, min: image.Pt(60, 60), max: image.Pt(61, 61)}, // often no level at all
	{scale: 1.2, neighbors: 4, max: image.Pt(200, 0)},
	{scale: 1.07, neighbors: 1, min: image.Pt(33, 0)},
}

// TestParityStock compares the detector with OpenCV for OpenCV's own cascades,
// on every picture, with options and ways that vary by pair. With
// HAARLEM_PARITY=full it is every option in every way.
func TestParityStock(t *testing.T) {
	module, drawn := modulePictures(t), drawnPictures()
	subjects := append(module, drawn...)
	all := ways()
	for i, path := range stockCascades(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".xml"), func(t *testing.T) {
			c := must.Get(cascade.Open(path))
			o := newOracle(t, path)
			defer o.close()
			found, searches := 0, 0
			for j, p := range subjects {
				for k, s := range stockSearches {
					if !full() && k != (i+j)%len(stockSearches) {
						continue
					}
					s.min.X, s.min.Y = max(s.min.X, p.floor), max(s.min.Y, p.floor)
					for _, neighbors := range []int{0, s.neighbors} {
						s.neighbors = neighbors
						want := o.detect(t, p.grey, s)
						found += len(want)
						searches++
						if len(p.grey.Pix) <= 10000 {
							if diff := difference(referenceDetect(c, p.grey, s), want); diff != "" {
								t.Errorf("%s with %+v: reference: %s", p.name, s, diff)
							}
						}
						for l, w := range all {
							// Candidates at every level, with the number of workers in turn.
							// Their groups, which no level changes, in one of these ways.
							if !full() && (l%3 != (i+j+l/3)%3 || neighbors > 0 && l/3 != (i+j)%(len(all)/3)) {
								continue
							}
							if diff := difference(boxes(detect(t, c, p.grey, s, w)), want); diff != "" {
								t.Errorf("%s with %+v: %v, %d workers: %s", p.name, s, w.level, w.workers, diff)
							}
						}
					}
				}
			}
			if found == 0 {
				t.Errorf("OpenCV found nothing in %d searches, so they prove nothing", searches)
			}
			t.Logf("%d rectangles in %d searches of %d pictures", found, searches, len(subjects))
		})
	}
}

// TestParityTruncated compares the candidates of the first stages alone, where
// they are many: whole stock cascades accept so few that later stages could
// hide an error in an early one.
func TestParityTruncated(t *testing.T) {
	pictures := []subject{
		{name: "texture", grey: picture{"texture", 157, 101, 5}.draw()},
		{name: "faces", grey: picture{"faces", 98, 140, 6}.draw()},
		{name: "noise", grey: picture{"noise", 129, 80, 7}.draw()},
	}
	path := filepath.Join(t.TempDir(), "truncated.xml")
	for _, stock := range stockCascades(t) {
		whole := must.Get(cascade.Open(stock))
		found := 0
		for _, stages := range []int{1, 2, 3, len(whole.Exits) / 2} {
			c := *whole
			c.Exits = whole.Exits[:stages]
			c.Weak = whole.Weak[:c.Exits[stages-1].After]
			o := encodeOracle(t, &c, path)
			for i, p := range pictures {
				s := search{scale: []float64{1.1, 1.25, 1.6}[(i+stages)%3]}
				want := o.detect(t, p.grey, s)
				found += len(want)
				where := fmt.Sprintf("first %d stages of %s on %s with %+v", stages, filepath.Base(stock), p.name, s)
				if diff := difference(referenceDetect(&c, p.grey, s), want); diff != "" {
					t.Errorf("%s: reference: %s", where, diff)
				}
				everyWay(t, where, &c, p.grey, s, want)
			}
			o.close()
		}
		if found < 100 {
			t.Errorf("%s: only %d rectangles", filepath.Base(stock), found)
		}
		t.Logf("%s: %d rectangles", filepath.Base(stock), found)
	}
}

// TestParityWritten: OpenCV loads its own cascades as written by us, and finds
// the same with them as with the original files. TestParityRandom does this for
// generated cascades.
func TestParityWritten(t *testing.T) {
	pictures := []subject{
		{name: "texture", grey: picture{"texture", 321, 241, 15}.draw()},
		{name: "faces", grey: picture{"faces", 400, 300, 16}.draw()},
		{name: "strokes", grey: picture{"strokes", 257, 130, 17}.draw()},
	}
	path := filepath.Join(t.TempDir(), "written.xml")
	found := 0
	for _, stock := range stockCascades(t) {
		c := must.Get(cascade.Open(stock))
		theirs, ours := newOracle(t, stock), encodeOracle(t, c, path)
		for _, p := range pictures {
			for _, s := range []search{{scale: 1.05}, {scale: 1.2, neighbors: 1}} {
				want := theirs.detect(t, p.grey, s)
				found += len(want)
				if diff := difference(ours.detect(t, p.grey, s), want); diff != "" {
					t.Errorf("%s as we write it, on %s with %+v: %s", filepath.Base(stock), p.name, s, diff)
				}
			}
		}
		theirs.close()
		ours.close()
	}
	if found < 100 {
		t.Errorf("only %d rectangles, so they prove little", found)
	}
	t.Logf("%d rectangles", found)
}

// TestParityRandom runs random cascades over random pictures with random
// options: the reference, the detector and OpenCV must agree.
func TestParityRandom(t *testing.T) {
	found, empty, searches := 0, 0, 0
	path := filepath.Join(t.TempDir(), "random.xml")
	for i := range *parityRuns {
		seed := *paritySeed + uint64(i)
		r := rand.New(rand.NewPCG(seed, 0))
		sh := randomShape(r)
		c := randomCascade(r, sh)
		o := encodeOracle(t, c, path)
		for range 4 {
			p := randomPicture(r, sh)
			g := p.draw()
			s := randomSearch(r, p.w, p.h)
			want := o.detect(t, g, s)
			searches++
			found += len(want)
			if len(want) == 0 {
				empty++
			}
			where := fmt.Sprintf("-parity-seed %d: %+v on %s with %+v", seed, sh, p.name(), s)
			if diff := difference(referenceDetect(c, g, s), want); diff != "" {
				t.Errorf("%s: reference: %s", where, diff)
			}
			everyWay(t, where, c, g, s, want)
		}
		o.close()
	}
	t.Logf("%d rectangles in %d searches, %d of them without any", found, searches, empty)
}

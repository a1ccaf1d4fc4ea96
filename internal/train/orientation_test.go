package train

import (
	"bytes"
	"context"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

// The effect of each orientation on an image of distinct pixels, written by hand.
func TestOrientations(t *testing.T) {
	g := &image.Gray{Pix: []byte{
		1, 2, 3, 99,
		4, 5, 6, 99,
	}, Stride: 4, Rect: image.Rect(0, 0, 3, 2)}
	for n, want := range [8]struct {
		width int
		pix   []byte
	}{
		{3, []byte{1, 2, 3, 4, 5, 6}},
		{3, []byte{3, 2, 1, 6, 5, 4}},
		{2, []byte{4, 1, 5, 2, 6, 3}},
		{2, []byte{6, 3, 5, 2, 4, 1}},
		{3, []byte{6, 5, 4, 3, 2, 1}},
		{3, []byte{4, 5, 6, 1, 2, 3}},
		{2, []byte{3, 6, 2, 5, 1, 4}},
		{2, []byte{1, 4, 2, 5, 3, 6}},
	} {
		got := orientation(n).picture(new(image.Gray), g)
		if got.Rect != image.Rect(0, 0, want.width, 6/want.width) {
			t.Fatalf("orientation %d: %v", n, got.Rect)
		}
		for i, v := range want.pix {
			if x, y := i%want.width, i/want.width; got.GrayAt(x, y).Y != v {
				t.Errorf("orientation %d: %d at %d, %d, want %d", n, got.GrayAt(x, y).Y, x, y, v)
			}
		}
	}
}

// The contents of a box in an oriented image are those of the original box,
// whatever the sizes, also across the squares that are copied at once.
func TestTurnBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	memory := new(image.Gray)
	for range 40 {
		w, h := 1+rng.IntN(150), 1+rng.IntN(150)
		g := noise(rng, w, h)
		for n := range 8 {
			got := orientation(n).picture(memory, g)
			size := got.Rect.Size()
			x, y := rng.IntN(size.X), rng.IntN(size.Y)
			box := image.Rect(x, y, x+1+rng.IntN(size.X-x), y+1+rng.IntN(size.Y-y))
			was := orientation(n).back(box, w, h)
			if !was.In(g.Rect) {
				t.Fatalf("orientation %d of %dx%d: %v came from %v", n, w, h, box, was)
			}
			again := orientation(n).picture(new(image.Gray), g.SubImage(was).(*image.Gray))
			if again.Rect.Size() != box.Size() {
				t.Fatalf("orientation %d: %v came from %v", n, box, was)
			}
			for dy := range box.Dy() {
				for dx := range box.Dx() {
					if a, b := got.GrayAt(x+dx, y+dy), again.GrayAt(again.Rect.Min.X+dx, again.Rect.Min.Y+dy); a != b {
						t.Fatalf("orientation %d of %dx%d, %v: %v at %d, %d, want %v", n, w, h, box, b, dx, dy, a)
					}
				}
			}
		}
	}
}

// After one lap every image was there once, after all laps in all orientations,
// and no image is twice in a batch.
func TestViews(t *testing.T) {
	all := make([]Background, 37)
	for _, orientations := range []int{1, 2, 4, 8} {
		m := newMiner(&Settings{}, all, orientations, 0)
		views := map[[2]int]bool{}
		for lap := range orientations {
			pictures, ways := map[int]bool{}, map[orientation]bool{}
			for k := range len(all) {
				i, way := m.view(lap*len(all) + k)
				pictures[i], ways[way] = true, true
				views[[2]int{i, int(way)}] = true
			}
			if len(pictures) != len(all) || len(ways) != orientations {
				t.Errorf("%d orientations, lap %d: %d pictures in %d", orientations, lap, len(pictures), len(ways))
			}
		}
		if len(views) != orientations*len(all) {
			t.Errorf("%d views, want %d", len(views), orientations*len(all))
		}
	}
}

// forbidding counts the windows that it forbids: those with a pixel of the mark
// at the top left.
type forbidding struct {
	*image.Gray
	mark image.Rectangle
}

func (f forbidding) Grey() (*image.Gray, error) { return f.Gray, nil }

func (f forbidding) Forbids(box image.Rectangle) bool { return box.Overlaps(f.mark) }

// A search visits each image once, unless it finds too little: then in all
// orientations. Windows that a background forbids are forbidden in each.
func TestSearchOrientations(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var all []Background
	for range 5 {
		g := noise(rng, 70, 50)
		for y := range 8 {
			for x := range 9 {
				g.Pix[y*g.Stride+x] = 255 // the brightest
			}
		}
		all = append(all, forbidding{g, image.Rect(0, 0, 9, 8)})
	}
	s := must.Get((&Settings{Width: side, Height: side, Workers: 3, Orientations: 8}).WithDefaults())
	bright := func(g *image.Gray) bool { return bytes.IndexByte(g.Pix, 255) >= 0 }
	lap := 0
	for _, few := range []int{0, 1 << 20} {
		m := newMiner(&s, all, s.Orientations, 1<<20)
		marked := 0
		found := must.Get(m.search(context.Background(), acceptAll(&s), 1<<20, few, 1e-9, 0, func(g *image.Gray) bool {
			if bright(g) {
				marked++
			}
			return true
		}))
		if marked != 0 || len(found.windows) == 0 {
			t.Errorf("%d of %d windows hold what is forbidden", marked, len(found.windows))
		}
		if few == 0 {
			lap = found.visited
		}
		if want := few > 0; found.wholePass != want || m.cursor != map[bool]int{false: len(all), true: 0}[want] {
			t.Errorf("content with %d: everything was searched: %v; next is %d", few, found.wholePass, m.cursor)
		}
		if few > 0 && found.visited != 8*lap {
			t.Errorf("%d windows in all orientations, %d in one", found.visited, lap)
		}
	}
}

// Negatives are windows of levels as the cascade will see them: halving weakens
// noise.
func TestSearchHalved(t *testing.T) {
	all := []Background{Plain{noise(rand.New(rand.NewPCG(5, 6)), 150, 140)}}
	rough := map[float64]float64{}
	for _, halve := range []float64{0, 1.2} {
		s := must.Get((&Settings{Shape: Soft, Width: side, Height: side, PrefilterFrom: halve, Workers: 1}).WithDefaults())
		c := acceptAll(&s)
		if c.Search.PrefilterFrom != halve {
			t.Fatalf("any window: halve %v, want %v", c.Search.PrefilterFrom, halve)
		}
		found := must.Get(newMiner(&s, all, 1, 1<<20).search(context.Background(), c, 1<<20, 0, 1e-9, 0, func(*image.Gray) bool { return true }))
		sum, n := 0.0, 0
		for _, w := range found.windows {
			for i, v := range w.Window.Pix[1:] {
				sum += math.Abs(float64(v) - float64(w.Window.Pix[i]))
				n++
			}
		}
		rough[halve] = sum / float64(n)
	}
	if rough[1.2] == 0 || rough[1.2] > rough[0]*0.9 {
		t.Errorf("neighbours differ by %.3f in halved pictures, and by %.3f in others", rough[1.2], rough[0])
	}
}

// A stage searches backgrounds in all orientations before it makes do with few
// negatives; a score that runs on takes another orientation for the next step.
func TestOrientationsOfAStage(t *testing.T) {
	data := world(60, 0, 6)
	visited := map[Shape]int{}
	for _, shape := range []Shape{Staged, Soft} {
		s := &Settings{
			Width: side, Height: side, Shape: shape, Orientations: 4, Negatives: 300000, Features: 40,
			Stages: StageGoals{Count: 1, MaxWeak: 1}, Soft: SoftGoals{Rounds: 1}, AcceptanceBreak: -1,
		}
		r := train(t, data, s, nil)
		if n := r.Steps[0].Negatives; n >= s.Negatives || n < s.Negatives/20 {
			t.Fatalf("%v: %d negatives: too many or too few to tell", shape, n)
		}
		visited[shape] = r.Steps[0].Visited
	}
	if visited[Staged] != 4*visited[Soft] {
		t.Errorf("a stage searched %d windows, a score that goes on at %d; want four times as many", visited[Staged], visited[Soft])
	}
}

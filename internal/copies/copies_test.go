package copies

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// drawn is a picture of random shapes on a gradient.
func drawn(w, h int, seed uint64) *image.Gray {
	r := rand.New(rand.NewPCG(seed, 1))
	m := picturetest.Grey(w, h, func(x, y int) uint8 { return uint8(60 + 80*x/w + 60*y/h) })
	for range 60 {
		x, y, a, b, v := r.IntN(w), r.IntN(h), 4+r.IntN(w/8), 4+r.IntN(h/8), uint8(r.IntN(256))
		round := r.IntN(2) == 0
		for v0 := max(y-b, 0); v0 < min(y+b, h); v0++ {
			for u := max(x-a, 0); u < min(x+a, w); u++ {
				dx, dy := float64(u-x)/float64(a), float64(v0-y)/float64(b)
				if !round || dx*dx+dy*dy < 1 {
					m.Pix[v0*w+u] = v
				}
			}
		}
	}
	return m
}

// through draws a w x h picture whose pixels are at places of m, which is continued by
// its mirror images.
func through(m *image.Gray, w, h int, place func(x, y float64) (float64, float64)) *image.Gray {
	fold := func(v, n int) int {
		v = ((v % (2 * n)) + 2*n) % (2 * n)
		return min(v, 2*n-1-v)
	}
	return picturetest.Grey(w, h, func(x, y int) uint8 {
		u, v := place(float64(x)+0.5, float64(y)+0.5)
		return m.Pix[fold(int(math.Floor(v)), m.Rect.Dy())*m.Stride+fold(int(math.Floor(u)), m.Rect.Dx())]
	})
}

func compressed(m *image.Gray) *image.Gray {
	d := must.Get(jpeg.Decode(bytes.NewReader(picturetest.JPEG(m, 25))))
	out := image.NewGray(m.Rect)
	draw.Draw(out, m.Rect, d, image.Point{}, draw.Src)
	return out
}

// Each change leaves a picture a copy, with the right map, and no two of many pictures
// are copies by chance. Any number of workers finds the same.
func TestFind(t *testing.T) {
	const w, h = 320, 240
	changes := map[string]struct {
		w, h int
		at   func(x, y float64) (float64, float64) // from the copy to the picture
	}{
		"equal":     {w, h, func(x, y float64) (float64, float64) { return x, y }},
		"moved":     {w, h, func(x, y float64) (float64, float64) { return x + 60, y - 40 }},
		"mirrored":  {w, h, func(x, y float64) (float64, float64) { return w - x, y }},
		"overhead":  {w, h, func(x, y float64) (float64, float64) { return w - x, h - y }},
		"cropped":   {200, 150, func(x, y float64) (float64, float64) { return x + 70, y + 40 }},
		"shrunk":    {140, 105, func(x, y float64) (float64, float64) { return x * w / 140, y * h / 105 }},
		"stretched": {300, 300, func(x, y float64) (float64, float64) { return x * w / 300, y * h / 300 }},
		"turned": {w, h, func(x, y float64) (float64, float64) {
			s, c := math.Sincos(0.08)
			return c*(x-w/2) - s*(y-h/2) + w/2, s*(x-w/2) + c*(y-h/2) + h/2
		}},
	}
	var all []*Sketch
	for i := range 25 {
		all = append(all, New(drawn(w, h, uint64(i))))
	}
	names := map[int]string{}
	for name, c := range changes {
		for i := range 3 {
			m := through(drawn(w, h, uint64(i)), c.w, c.h, c.at)
			for k, v := range m.Pix {
				m.Pix[k] = uint8(30 + int(v)*3/5)
			}
			names[len(all)] = fmt.Sprintf("picture %d, %s", i, name)
			all = append(all, New(compressed(m)))
		}
	}
	all = append(all, nil)
	load := func(i int) (*Sketch, error) { return all[i], nil }
	pairs := must.Get(Find(context.Background(), len(all), load, 3))
	read := func(i int) (*Sketch, error) {
		if all[i] == nil {
			return nil, nil
		}
		return Read(all[i].Append(nil)), nil
	}
	if again, _ := Find(context.Background(), len(all), read, 1); !reflect.DeepEqual(again, pairs) {
		t.Error("one worker finds others in sketches as bytes")
	}
	found := map[string]bool{}
	for _, p := range pairs {
		a, b := names[p.A], names[p.B]
		if a == "" || b != "" && a[:10] != b[:10] || b == "" && a[:10] != fmt.Sprintf("picture %d,", p.B)[:10] {
			t.Errorf("%d (%s) and %d (%s) are not the same: %+v", p.A, a, p.B, b, p)
			continue
		}
		if found[a] = true; b != "" {
			continue
		}
		c := changes[a[11:]]
		for _, at := range [][2]float64{{0.4, 0.5}, {0.6, 0.6}} {
			x, y := p.Map.At(at[0], at[1])
			u, v := c.at(at[0]*float64(c.w), at[1]*float64(c.h))
			if math.Abs(x*w-u) > 0.02*w || math.Abs(y*h-v) > 0.02*h {
				t.Errorf("%s: %v is at (%.0f,%.0f), want (%.0f,%.0f)", a, at, x*w, y*h, u, v)
			}
		}
	}
	for _, name := range names {
		if !found[name] {
			t.Errorf("%s is not found", name)
		}
	}
}

// Pictures without blobs, narrow and tiny ones have sketches, and are no copies of
// others.
func TestNothingToSee(t *testing.T) {
	var all []*Sketch
	for _, size := range []image.Point{{1, 1}, {1, 900}, {900, 1}, {7, 5}, {640, 480}} {
		m := picturetest.Even(size.X, size.Y, 90)
		all = append(all, New(m), New(m.SubImage(image.Rect(0, 0, (size.X+1)/2, (size.Y+1)/2)).(*image.Gray)))
	}
	if pairs, err := Find(context.Background(), len(all), func(i int) (*Sketch, error) { return all[i], nil }, 1); err != nil || len(pairs) != 0 {
		t.Errorf("found %v, error %v", pairs, err)
	}
}

func BenchmarkNew(b *testing.B) {
	m := drawn(640, 480, 1)
	for b.Loop() {
		New(m)
	}
}

// Pictures that are added in parts are found as those that are added at once.
func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	all := make([]*Sketch, 120)
	for i := range all {
		if i%7 != 3 {
			all[i] = &Sketch{across: uint8(i)}
			for range 40 {
				all[i].patches = append(all[i].patches, patch{code: r.Uint64N(4) << 7})
			}
		}
	}
	var whole, parts index
	whole.add(0, all)
	for from := 0; from < len(all); from += 24 {
		parts.add(from, all[from:from+24])
		for i := from; i < from+24; i++ {
			for span := range spans {
				for code := range uint64(4) {
					if got, want := parts.before(i, span, code<<7), whole.before(i, span, code<<7); !reflect.DeepEqual(got, want) {
						t.Fatalf("before picture %d, span %d, code %d: %v, want %v", i, span, code, got, want)
					}
				}
			}
		}
	}
}

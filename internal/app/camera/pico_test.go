package camera

import (
	"context"
	"image"
	"image/draw"
	"testing"

	"haarlem/cascade/detector"
	"haarlem/cascade/pico"
	"haarlem/cascade/pico/picotest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/search"
	"haarlem/internal/luma"
	"haarlem/picture"
	"haarlem/track"
)

// A camera's pictures are searched in parts, for sizes that depend on the part.
func TestPicoLive(t *testing.T) {
	p := &search.PicoFinder{MinScore: search.PicoScore, Options: pico.Options{Scale: 1.2}}
	var err error
	if p.Model, err = pico.Open(picotest.File(t)); err != nil {
		t.Fatal(err)
	}
	m := &liveModel{name: "facefinder", pico: p}
	s, err := newSearcher(m, detector.Options{MinSize: image.Pt(60, 60), MaxSize: image.Pt(200, 200)})
	if err != nil {
		t.Fatal(err)
	}
	shot, err := picture.Open(detecttest.Group, nil)
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewRGBA(shot.Image.Bounds())
	draw.Draw(img, img.Rect, shot.Image, img.Rect.Min, draw.Src)
	whole, err := s.search(context.Background(), img, []track.Area{{Rectangle: img.Rect}})
	if err != nil || len(whole) < 3 {
		t.Fatalf("%v, %v", whole, err)
	}
	half := image.Rect(img.Rect.Dx()/2, 0, img.Rect.Dx(), img.Rect.Dy())
	part, err := s.search(context.Background(), img, []track.Area{{Rectangle: half, MinWidth: 100, MaxWidth: 128}})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := luma.Of(img.SubImage(half), nil)
	all, err := p.Model.Search(context.Background(), nil, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: half.Sub(half.Min)}, &pico.Options{MinSize: 96, MaxSize: 128, Scale: 1.2})
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	clusters, err := pico.Cluster(t.Context(), all, pico.UsualOverlap)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clusters {
		if c.Q >= search.PicoScore {
			want++
		}
	}
	if len(part) != want || want == 0 || !part[0].Box.Overlaps(half) {
		t.Errorf("%v, want %d in %v", part, want, half)
	}
}

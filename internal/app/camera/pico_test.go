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
	"haarlem/internal/must"
	"haarlem/picture"
	"haarlem/track"
)

// A camera's pictures are searched in parts, for sizes that depend on the part.
func TestPicoLive(t *testing.T) {
	p := &search.PicoFinder{MinScore: search.PicoScore, Options: pico.Options{Scale: 1.2}}
	var err error
	p.Model = must.Get(pico.Open(picotest.File(t)))
	m := &liveModel{name: "facefinder", pico: p}
	s := must.Get(newSearcher(m, detector.Options{MinSize: image.Pt(60, 60), MaxSize: image.Pt(200, 200)}))
	shot := must.Get(picture.Open(detecttest.Group, nil))
	img := image.NewRGBA(shot.Image.Bounds())
	draw.Draw(img, img.Rect, shot.Image, img.Rect.Min, draw.Src)
	whole, err := s.search(context.Background(), img, []track.Area{{Rectangle: img.Rect}})
	if err != nil || len(whole) < 3 {
		t.Fatalf("%v, %v", whole, err)
	}
	half := image.Rect(img.Rect.Dx()/2, 0, img.Rect.Dx(), img.Rect.Dy())
	part := must.Get(s.search(context.Background(), img, []track.Area{{Rectangle: half, MinWidth: 100, MaxWidth: 128}}))
	g, _ := luma.Of(img.SubImage(half), nil)
	all := must.Get(p.Model.Search(context.Background(), nil, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: half.Sub(half.Min)}, &pico.Options{MinSize: 96, MaxSize: 128, Scale: 1.2}))
	want := 0
	clusters := must.Get(pico.Cluster(t.Context(), all, pico.UsualOverlap))
	for _, c := range clusters {
		if c.Q >= search.PicoScore {
			want++
		}
	}
	if len(part) != want || want == 0 || !part[0].Box.Overlaps(half) {
		t.Errorf("%v, want %d in %v", part, want, half)
	}
}

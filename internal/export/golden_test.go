package export_test

import (
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/drawn"
	"haarlem/internal/export"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/models"
	"haarlem/models/facefast"
)

// A golden is a cascade, how it is exported, and the pictures that it is run on.
type golden struct {
	name     string
	cascade  *cascade.Cascade
	settings export.Settings
	pictures []*image.Gray
}

// tinyFile is a model that is made for this package.
const tinyFile = "../../models/frontalfacetiny/frontalface-tiny.cascade"

// parityPictures are those of the goldens of package detector.
func parityPictures() []*image.Gray {
	return []*image.Gray{
		drawn.Picture("texture", 160, 120, 1), drawn.Picture("faces", 131, 97, 2), drawn.Picture("noise", 64, 65, 3),
		drawn.Picture("strokes", 97, 53, 4), drawn.Picture("faint", 120, 80, 5),
	}
}

// samplePictures are those of folder samples.
func samplePictures(t testing.TB) []*image.Gray {
	var all []*image.Gray
	for _, name := range []string{"group", "room"} {
		f := must.Get(os.Open(filepath.Join("..", "..", "samples", name+".png")))
		m, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		g := image.NewGray(m.Bounds())
		draw.Draw(g, g.Rect, m, g.Rect.Min, draw.Src)
		all = append(all, g)
	}
	return all
}

// goldens returns all of them; few leaves out most of what takes long.
func goldens(t testing.TB, few bool) []golden {
	var all []golden
	pictures := append(parityPictures(), drawn.Picture("blocks", 200, 37, 1), drawn.Picture("faces", 16, 200, 1))
	for _, name := range []string{"upright-stumps", "tilted-stumps", "upright-two-nodes", "tilted-deep-trees", "small-window", "wide-window", "lbp-stumps", "lbp-trees"} {
		c := must.Get(cascade.Open(filepath.Join("..", "..", "cascade", "detector", "testdata", "parity", name+".xml")))
		wholeWeights(c)
		all = append(all, golden{name, c, export.Settings{}, pictures})
		c = c.Clone()
		c.Search = cascade.Search{Stride: 3, Pad: 0.3, PrefilterFrom: 1.4}
		all = append(all, golden{name + "-padded", c, export.Settings{Profile: export.Small, Scale: 1.3, MaxSize: image.Pt(60, 60)}, pictures})
	}
	samples := append(samplePictures(t), pictures...)
	tiny := must.Get(cascade.Open(tinyFile))
	if few {
		samples = []*image.Gray{shrunk(samplePictures(t)[0], 2), drawn.Picture("faces", 160, 120, 3), drawn.Picture("texture", 161, 121, 4)}
	}
	all = append(all, golden{"frontalface-tiny", tiny, export.Settings{Profile: export.Small, Scale: 1.2, Picture: image.Pt(800, 500)}, samples})
	for _, c := range []*cascade.Cascade{must.Get(facefast.Router()), must.Get(models.Open("frontalface-opencv"))} {
		for _, profile := range []export.Profile{export.Exact, export.Small} {
			name := c.Name
			if profile == export.Small {
				name += "-small"
			}
			if few && profile == export.Small && c.Name == "frontalface-opencv" {
				continue
			}
			all = append(all, golden{name, c, export.Settings{Profile: profile, WithoutVerifier: true, Picture: image.Pt(1400, 1100), MinSize: image.Pt(20, 20)}, samples})
		}
	}
	return all
}

// wholeWeights makes whole numbers of the weights of c, others of which are refused.
func wholeWeights(c *cascade.Cascade) {
	for i := range c.Features {
		for k := range c.Features[i].Rects {
			r := &c.Features[i].Rects[k]
			if r.Weight != 0 {
				r.Weight = float32(math.Round(float64(r.Weight)))
				if r.Weight == 0 {
					r.Weight = 1
				}
			}
		}
	}
}

// shrunk returns every n-th pixel of g.
func shrunk(g *image.Gray, n int) *image.Gray {
	return picturetest.Grey(g.Rect.Dx()/n, g.Rect.Dy()/n, func(x, y int) byte { return g.GrayAt(g.Rect.Min.X+x*n, g.Rect.Min.Y+y*n).Y })
}

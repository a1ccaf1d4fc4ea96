package eval

import (
	"fmt"
	"image"
	"strings"
	"testing"
)

func rows(g *image.Gray) string {
	var b strings.Builder
	for y := g.Rect.Min.Y; y < g.Rect.Max.Y; y++ {
		for x := g.Rect.Min.X; x < g.Rect.Max.X; x++ {
			fmt.Fprint(&b, g.GrayAt(x, y).Y)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestPad(t *testing.T) {
	g := image.NewGray(image.Rect(0, 0, 3, 2))
	copy(g.Pix, []byte{1, 2, 3, 4, 5, 6})
	for _, c := range []struct {
		pad  Pad
		want string
	}{
		{Pad{}, "123\n456\n"},
		{Pad{Share: 0.49}, "123\n456\n"},
		{Pad{Share: 0.5}, "11233\n11233\n44566\n44566\n"},
		{Pad{0.5, Mirror}, "11233\n11233\n44566\n44566\n"},
		{Pad{1, Mirror}, "5445665\n2112332\n2112332\n5445665\n5445665\n2112332\n"},
		{Pad{0.5, Constant}, "44444\n41234\n44564\n44444\n"}, // the mean, 3.5
	} {
		got, by := c.pad.apply(g)
		n := int(c.pad.Share * 2)
		if c.pad.Share < 0.5 {
			n = 0
		}
		if rows(got) != c.want || by != image.Pt(n, n) {
			t.Errorf("%+v by %v:\n%swant\n%s", c.pad, by, rows(got), c.want)
		}
	}
	for _, share := range []float64{-0.1, 1.1} {
		if err := (Pad{Share: share}).check(); err == nil {
			t.Errorf("share %v was taken", share)
		}
	}
	for i, name := range fillNames {
		if f, err := ParseFill(name); err != nil || f != Fill(i) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	if _, err := ParseFill("black"); err == nil {
		t.Error("black was taken")
	}
}

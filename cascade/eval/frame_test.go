package eval

import (
	"errors"
	"math"
	"testing"

	"haarlem/samples"
)

// A face that stands as the frame says gets the box that it stands in, however
// it is turned.
func TestFrameOfTurnedMarks(t *testing.T) {
	for degrees := -40; degrees <= 40; degrees += 20 {
		sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
		const side, cx, cy = 50, 200, 100
		var marks []samples.Point
		for _, f := range FrontalFace {
			u, v := (f.X-0.5)*side, (f.Y-0.5)*side
			marks = append(marks, samples.Point{X: cx + u*cos - v*sin, Y: cy + u*sin + v*cos})
		}
		c, s, err := FrontalFace.Square(marks)
		if err != nil || math.Abs(c.X-cx) > 1e-9 || math.Abs(c.Y-cy) > 1e-9 || math.Abs(s-side) > 1e-9 {
			t.Errorf("%d degrees: centre %v, side %v, %v", degrees, c, s, err)
		}
		marks[2].X = math.NaN() // a missing one
		if b, err := FrontalFace.Box(marks); err != nil || b != box(175, 75, 50) {
			t.Errorf("%d degrees: box %v, %v", degrees, b, err)
		}
	}
}

// A profile's landmarks lie close together across, but its face is as large.
func TestFrameOfProfile(t *testing.T) {
	var marks []samples.Point
	for _, f := range FrontalFace {
		marks = append(marks, samples.Point{X: 100 * f.X * 0.3, Y: 100 * f.Y})
	}
	if _, side, err := FrontalFace.Square(marks); err != nil || side < 85 || side > 115 {
		t.Errorf("side %v, want about 100; %v", side, err)
	}
}

func TestFrameErrors(t *testing.T) {
	gone := samples.Point{X: math.NaN()}
	if _, _, err := FrontalFace.Square([]samples.Point{gone, gone, {X: 1}, gone, gone}); !errors.Is(err, errMarks) {
		t.Errorf("all but one missing: %v", err)
	}
	one := make([]samples.Point, 5)
	if _, _, err := FrontalFace.Square(one); !errors.Is(err, errMarks) {
		t.Errorf("all on one point: %v", err)
	}
	if _, err := FrontalFace.Box(one[:2]); !errors.Is(err, errMarks) || err.Error() != "eval: landmarks do not fit the frame: 2 landmarks, want 5" {
		t.Errorf("two of five: %v", err)
	}
}

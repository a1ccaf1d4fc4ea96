package models

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

func TestParsePose(t *testing.T) {
	for _, p := range []Pose{Frontal, Profile, AnyPose} {
		if got, err := ParsePose(p.String()); err != nil || got != p {
			t.Errorf("%v is read as %v, %v", p, got, err)
		}
	}
	if _, err := ParsePose("behind"); !errors.Is(err, ErrPose) || !strings.Contains(err.Error(), `"behind"; there are: frontal, profile, any`) {
		t.Errorf("behind: %v", err)
	}
}

// A pose uses the models that it needs, in a fixed order, and no others.
func TestPoseCascades(t *testing.T) {
	front := must.Get(Open(Default))
	side := must.Get(Open("frontalface")) // the default has no mirror image
	for _, try := range []struct {
		pose           Pose
		frontal, sides *cascade.Cascade
		want           int
	}{{Frontal, front, nil, 1}, {Profile, nil, side, 2}, {AnyPose, front, side, 3}} {
		all := must.Get(try.pose.Cascades(try.frontal, try.sides))
		if len(all) != try.want || try.pose.Frontal() != (all[0] == front) || try.pose.Profile() != slices.Contains(all, side) {
			t.Errorf("%v: %d cascades, want %d and those given", try.pose, len(all), try.want)
		}
		if _, err := detector.New(nil, all...); err != nil {
			t.Errorf("%v: %v", try.pose, err)
		}
		if try.pose.Profile() {
			back := must.Get(all[len(all)-1].Mirror())
			if !slices.Equal(back.Features, side.Features) || slices.Equal(all[len(all)-1].Features, side.Features) {
				t.Errorf("%v: the last cascade is not the mirror image of the one before", try.pose)
			}
		}
	}
}

// The built-in models of each pose can be searched together.
func TestOpenPose(t *testing.T) {
	for _, p := range []Pose{Frontal, Profile, AnyPose} {
		all, err := OpenPose(p)
		if p.Profile() && !slices.Contains(Names(), ProfileName) {
			if !errors.Is(err, ErrUnknown) {
				t.Errorf("%v without %s: %v, want ErrUnknown", p, ProfileName, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		if _, err := detector.New(nil, all...); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
}

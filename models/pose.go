package models

import (
	"errors"
	"fmt"

	"haarlem/cascade"
	"haarlem/models/frontalface"
)

// The models of poses.
const (
	FrontalName = frontalface.Name
	ProfileName = "profileface"
)

// A Pose is the direction from which faces are seen.
type Pose uint8

const (
	Frontal Pose = iota // from the front. The default
	Profile             // from either side
	AnyPose             // from the front or a side
)

var poseNames = [...]string{"frontal", "profile", "any"}

// String returns the pose's name on command lines.
func (p Pose) String() string {
	if int(p) < len(poseNames) {
		return poseNames[p]
	}
	return fmt.Sprintf("Pose(%d)", p)
}

// ErrPose is what ParsePose's error wraps.
var ErrPose = errors.New("models: no such pose")

// ParsePose is the inverse of String.
func ParsePose(name string) (Pose, error) {
	for i, n := range poseNames {
		if n == name {
			return Pose(i), nil
		}
	}
	return 0, fmt.Errorf("%w: %q; there are: frontal, profile, any", ErrPose, name)
}

// Frontal reports whether the pose needs a model of frontal faces.
func (p Pose) Frontal() bool { return p != Profile }

// Profile reports whether the pose needs a model of profile faces.
func (p Pose) Profile() bool { return p != Frontal }

// Cascades returns the cascades that detector.New needs for the pose: of these
// two models those that it uses, and the mirror image of a profile model. The
// others may be nil.
func (p Pose) Cascades(frontal, profile *cascade.Cascade) ([]*cascade.Cascade, error) {
	var all []*cascade.Cascade
	if p.Frontal() {
		all = append(all, frontal)
	}
	if p.Profile() {
		other, err := profile.Mirror()
		if err != nil {
			return nil, err
		}
		all = append(all, profile, other)
	}
	return all, nil
}

// OpenPose opens the built-in models for the pose, for detector.New:
//
//	faces, err := models.OpenPose(models.AnyPose)
//	...
//	d, err := detector.New(nil, faces...)
func OpenPose(p Pose) ([]*cascade.Cascade, error) {
	var frontal, profile *cascade.Cascade
	var err error
	if p.Frontal() {
		if frontal, err = Open(FrontalName); err != nil {
			return nil, err
		}
	}
	if p.Profile() {
		if profile, err = Open(ProfileName); err != nil {
			return nil, err
		}
	}
	return p.Cascades(frontal, profile)
}

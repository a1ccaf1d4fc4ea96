// Package search turns flags into models, options and what finds objects.
package search

import (
	"image"
	"math"
	"strconv"
	"strings"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/facebox"
)

// searchFlags say how to search.
type Flags struct {
	Model, Pose, profile, box     string
	MinSize, maxSize, Rotate      string
	minScore, enlarge, scale, pad float64
	minNeighbors, Workers         int
	Points                        *landmarks.Model // nil: not wanted
	also                          []string         // models of what is hidden beside faces
	Given                         func(string) bool
	Strong                        float64 // from open: the score from which a detection is certain; 0 if scores are not calibrated

	Live  bool // parts of frames are searched, for a window
	Hides bool // what is found is hidden: what is doubtful counts too
	Weak  bool // what is below strong is found too, to continue tracks
}

// Declare declares all but -workers. Of a live search the command declares
// -model and -min-size.
func (v *Flags) Declare(f *cli.Flags) {
	v.scale, v.enlarge, v.Given = 1.1, 1, f.Given
	f.Group("Search")
	if !v.Live {
		f.String(&v.Model, "model", ModelUsage+" (default "+models.Default+")")
		if v.Hides {
			f.Strings(&v.also, "also", "also hide what `MODEL` finds, such as number plates; may be repeated")
		}
		f.String(&v.MinSize, "min-size", "smallest face, `SIZE` in pixels: 40 or 40x60")
		f.Old("min-size", "min")
		v.box = facebox.Own.String()
		f.Choice(&v.box, "box", facebox.Names(), "frame this `BOX`: own, face, head or eyes")
	}
	f.String(&v.maxSize, "max-size", "largest face, `SIZE` in pixels")
	f.Old("max-size", "max")
	f.Float(&v.minScore, "min-score", "least `SCORE` of a face; the model's own if not given")
	f.Old("min-score", "score")
	f.Choice(&v.Pose, "pose", []string{"frontal", "profile", "any"}, "find faces with the models of a `POSE`: frontal, profile (from either side) or any; the default model finds all")
	f.String(&v.Rotate, "rotate", "search at `ANGLES` in degrees clockwise, or any")
	if !v.Live {
		f.Float(&v.enlarge, "enlarge", "search enlarged by `F`, for faces smaller than the window; 2 takes four times as long")
	}
	f.Group("Advanced search")
	f.Float(&v.scale, "scale", "`FACTOR` between two levels of the image pyramid; a smaller one finds more and takes longer")
	f.Int(&v.minNeighbors, "min-neighbors", "a face needs more than `N` overlapping candidates; the model's own, or 3, if not given. 0 reports each candidate, -1 each group")
	f.Old("min-neighbors", "neighbors")
	if !v.Live {
		f.Float(&v.pad, "pad", "let `P` per cent (at most 50) of a face be cut off")
	}
	f.String(&v.profile, "profile-model", "use `MODEL`, and its mirror image, for -pose profile and any (default "+models.ProfileName+")")
}

// ModelUsage is what -model says.
var ModelUsage = "use `MODEL`: a file, ours or OpenCV's, or one of " + builtinNames()

func (v *Flags) WorkersFlag(f *cli.Flags) {
	f.Int(&v.Workers, "workers", "use `N` goroutines; by default one for each processor")
}

// edit puts into a model's settings what flags say instead, as far as options
// does not say it.
func (v *Flags) edit(s *cascade.Search) {
	if !v.Live && v.Given("pad") {
		s.Pad = v.pad / 100
	}
	if v.Given("min-score") {
		s.MinScore = 0
	}
	if v.Given("min-neighbors") {
		s.MinCandidates = 1
	}
}

// Options turns flags into the detector's options, without the workers.
func (v *Flags) Options() (*detector.Options, error) {
	o := &detector.Options{Scale: v.scale, Enlarge: v.enlarge, MinScore: max(v.minScore, 0)}
	if n := v.minNeighbors; v.Given("min-neighbors") {
		if n < -1 {
			return nil, cli.Usagef("-min-neighbors %d: want -1 or more", n)
		}
		o.MinNeighbors, o.Ungrouped = max(n, 0), n == 0
	}
	if p := v.pad; !v.Live && v.Given("pad") && !(p >= 0 && p <= 50) {
		return nil, cli.Usagef("-pad %v: want 0 to 50 per cent", p)
	}
	if o.Enlarge == 0 { // which the options would take for the default
		return nil, cli.Usagef("-enlarge 0: want 1 or more")
	}
	if v.Workers < 0 {
		return nil, cli.Usagef("-workers %d is negative", v.Workers)
	}
	if o.Scale == 0 { // which the options would take for the default
		return nil, cli.Usagef("-scale 0: want a factor above 1")
	}
	var err error
	if o.MinSize, err = ParseSize("-min-size", v.MinSize); err != nil {
		return nil, err
	}
	if o.MaxSize, err = ParseSize("-max-size", v.maxSize); err != nil {
		return nil, err
	}
	if o.MaxSize != (image.Point{}) && (o.MinSize.X > o.MaxSize.X || o.MinSize.Y > o.MaxSize.Y) {
		return nil, cli.Usagef("-min-size %s is larger than -max-size %s", v.MinSize, v.maxSize)
	}
	if text := v.Rotate; text == anyAngle {
		o.Angles = detector.AllAngles()
	} else if text != "" {
		for word := range strings.SplitSeq(text, ",") {
			angle, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if err != nil || math.IsNaN(angle) {
				return nil, cli.Usagef("-rotate %q: %q is not an angle; want degrees with commas between, such as 0,-20,20, or any", text, word)
			}
			o.Angles = append(o.Angles, angle)
		}
	}
	return o, nil
}

// anyAngle is the value of -rotate for all angles.
const anyAngle = "any"

// ParseSize reads "40" or "40x60". Nothing means no bound.
func ParseSize(flag, text string) (image.Point, error) {
	if text == "" {
		return image.Point{}, nil
	}
	first, second, two := strings.Cut(strings.ToLower(text), "x")
	if !two {
		second = first
	}
	width, err1 := strconv.ParseUint(first, 10, 31)
	height, err2 := strconv.ParseUint(second, 10, 31)
	if err1 != nil || err2 != nil || width == 0 || height == 0 {
		return image.Point{}, cli.Usagef("%s %q: want a size in pixels, such as 40 or 40x60", flag, text)
	}
	return image.Pt(int(width), int(height)), nil
}

// ParsePixels reads a number of things, or of millions of them with M.
func ParsePixels(flag, things, text string) (int64, error) {
	number, million := strings.CutSuffix(strings.ToUpper(text), "M")
	n, err := strconv.ParseFloat(number, 64)
	if million {
		n *= 1e6
	}
	if err != nil || !(n >= 1 && n <= 1<<40) {
		return 0, cli.Usagef("%s %q: want a number of %s, such as 5000000 or 5M", flag, text, things)
	}
	return int64(n), nil
}

package serve

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/facebox"
	"haarlem/picture"
)

// A query is what the options in a request's URL say. They are called, and
// mean, what the flags of detect do.
type query struct {
	name    string // what the answer calls the picture
	model   string
	pose    models.Pose
	box     facebox.Box
	options detector.Options
	edits   []func(*cascade.Search) // of the models' settings
	scored  bool                    // min-score is given
	points  *landmarks.Model        // nil: not wanted
	draw    string
	margin  float64
	solid   bool
	profile string   // the model of profile faces
	also    []string // models of what is hidden beside faces

	anyAngle bool // options.Angles are all

	cascades     []*cascade.Cascade // of model and pose, edited
	cascadeNames []string
}

// Narrower than the detector's own limits: a finer pyramid, or many angles,
// would be a long search for a short request.
const (
	leastScale  = 1.01
	mostAngles  = 16
	mostEnlarge = 4
	mostName    = 255
	mostAlso    = 4
)

// rotated says whether answers have angles.
func (q *query) rotated() bool { return len(q.options.Angles) > 0 }

// edit remembers a change of the models' settings until it is known which models.
func (q *query) edit(change func(*cascade.Search)) { q.edits = append(q.edits, change) }

// parameters are the options by name: these, and the fields of cascade.Search.
var parameters = map[string]func(s *Server, q *query, text string) error{
	"name": func(_ *Server, q *query, text string) error {
		if len(text) > mostName || !utf8.ValidString(text) {
			return fmt.Errorf("want at most %d bytes of UTF-8", mostName)
		}
		q.name = text
		return nil
	},
	"model": func(s *Server, q *query, text string) error {
		q.model = text
		return s.offered(text)
	},
	"pose": func(s *Server, q *query, text string) (err error) {
		if q.pose, err = models.ParsePose(text); err != nil {
			return fmt.Errorf("want frontal, profile or any")
		}
		return nil
	},
	"profile-model": func(s *Server, q *query, text string) error {
		q.profile = text
		return s.offered(text)
	},
	"also": func(s *Server, q *query, text string) error {
		q.also = strings.Split(text, ",")
		if len(q.also) > mostAlso {
			return fmt.Errorf("want at most %d models", mostAlso)
		}
		for _, name := range q.also {
			if err := s.offered(name); err != nil {
				return err
			}
		}
		return nil
	},
	"solid": func(_ *Server, q *query, text string) error {
		if text != "true" && text != "false" {
			return fmt.Errorf("want true or false")
		}
		q.solid = text == "true"
		return nil
	},
	"points": func(s *Server, q *query, text string) error {
		q.points = s.landmarks[text]
		if q.points == nil {
			return fmt.Errorf("there is no such landmark model; there are: %s", strings.Join(slices.Sorted(maps.Keys(s.landmarks)), ", "))
		}
		return nil
	},
	"draw": func(_ *Server, q *query, text string) error {
		if text != drawBoxes && text != drawBlur && text != drawPixelate {
			return fmt.Errorf("want %s, %s or %s", drawBoxes, drawBlur, drawPixelate)
		}
		q.draw = text
		return nil
	},
	"margin": func(_ *Server, q *query, text string) (err error) {
		q.margin, err = parseNumber(text, 0, 5)
		return err
	},
	"min-size": func(_ *Server, q *query, text string) (err error) {
		q.options.MinSize, err = parseSize(text)
		return err
	},
	"max-size": func(_ *Server, q *query, text string) (err error) {
		q.options.MaxSize, err = parseSize(text)
		return err
	},
	"scale": func(_ *Server, q *query, text string) (err error) {
		q.options.Scale, err = parseNumber(text, leastScale, 10)
		return err
	},
	"enlarge": func(_ *Server, q *query, text string) (err error) {
		q.options.Enlarge, err = parseNumber(text, 1, mostEnlarge)
		return err
	},
	"min-neighbors": func(_ *Server, q *query, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < -1 || n > 1<<20 {
			return fmt.Errorf("want a whole number, -1 or more")
		}
		q.options.MinNeighbors, q.options.Ungrouped = max(n, 0), n == 0
		q.edit(func(s *cascade.Search) { s.MinCandidates = 1 })
		return nil
	},
	"pad": func(_ *Server, q *query, text string) error {
		p, err := parseNumber(text, 0, 50)
		q.edit(func(s *cascade.Search) { s.Pad = p / 100 })
		return err
	},
	"min-score": func(_ *Server, q *query, text string) error {
		score, err := parseNumber(text, -1e9, 1e9)
		q.options.MinScore, q.scored = max(score, 0), true
		q.edit(func(s *cascade.Search) { s.MinScore = 0 })
		return err
	},
	"box": func(_ *Server, q *query, text string) (err error) {
		if q.box, err = facebox.Parse(text); err != nil {
			return fmt.Errorf("want own, face, head or eyes")
		}
		return nil
	},
	"rotate": func(_ *Server, q *query, text string) error {
		if text == "any" {
			q.options.Angles, q.anyAngle = detector.AllAngles(), true
			return nil
		}
		words := strings.Split(text, ",")
		if len(words) > mostAngles {
			return fmt.Errorf("want at most %d angles", mostAngles)
		}
		for _, word := range words {
			angle, err := parseNumber(word, -360, 360)
			if err != nil {
				return fmt.Errorf("want degrees from -360 to 360 with commas between, such as 0,-20,20, or any")
			}
			q.options.Angles = append(q.options.Angles, angle)
		}
		return nil
	},
}

func init() {
	for _, f := range cascade.SearchFields() {
		if parameters[f.Flag] != nil {
			continue // an option of everyday use, above
		}
		parameters[f.Flag] = func(_ *Server, q *query, text string) error {
			if err := f.Set(new(cascade.Search), text); err != nil {
				return err
			}
			q.edit(func(s *cascade.Search) { _ = f.Set(s, text) }) // as it was just now
			return nil
		}
	}
}

// doubtful is the score that is enough to hide what may be a face, as of detect
// blur.
const doubtful = 0.1

// renamed are the names that options had before, which still work.
var renamed = map[string]string{"min": "min-size", "max": "max-size", "score": "min-score", "neighbors": "min-neighbors"}

// offered returns an error if no model has this name.
func (s *Server) offered(name string) error {
	if s.models[name] != nil {
		return nil
	}
	var names []string
	for _, m := range s.o.Models {
		names = append(names, m.Name)
	}
	return fmt.Errorf("there is no such model; there are: %s", strings.Join(names, ", "))
}

// hides reports whether the answer is a picture in which faces are hidden.
func (q *query) hides() bool { return q.draw == drawBlur || q.draw == drawPixelate }

// parseQuery reads the options. One that is unknown, or given twice, is an
// error rather than a surprise.
func (s *Server) parseQuery(values url.Values) (*query, error) {
	q := &query{name: "-", model: s.o.Models[0].Name, profile: models.ProfileName, margin: picture.UsualMargin, options: detector.Options{Workers: 1}}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		wrong := func(format string, args ...any) error {
			return &failure{http.StatusBadRequest, "option", fmt.Sprintf("option %s: %s", clip(name), fmt.Sprintf(format, args...))}
		}
		now := cmp.Or(renamed[name], name)
		parse := parameters[now]
		switch {
		case parse == nil:
			return nil, wrong("it is unknown; there are: %s", strings.Join(slices.Sorted(maps.Keys(parameters)), ", "))
		case len(values[name]) != 1:
			return nil, wrong("it is given %d times", len(values[name]))
		case now != name && values.Has(now):
			return nil, wrong("it is what %s was called, and both are given", now)
		}
		if err := parse(s, q, values[name][0]); err != nil {
			return nil, wrong("%s: %v", clip(values[name][0]), err)
		}
	}
	if values.Has("pose") && !values.Has("model") && s.models[models.FrontalName] != nil {
		q.model = models.FrontalName
	}
	bad := func(format string, args ...any) error {
		return &failure{http.StatusBadRequest, "option", "option " + fmt.Sprintf(format, args...)}
	}
	switch {
	case values.Has("model") && !q.pose.Frontal():
		return nil, bad("model: it is for faces seen from the front, of which pose=profile wants none")
	case values.Has("profile-model") && !q.pose.Profile():
		return nil, bad("profile-model: it is for pose=profile and pose=any")
	case q.pose.Profile() && s.models[q.profile] == nil:
		return nil, bad("pose: this server does not offer %s, which it needs; profile-model names another one", q.profile)
	case q.solid && !q.hides():
		return nil, bad("solid: it is for draw=%s and draw=%s", drawBlur, drawPixelate)
	case len(q.also) > 0 && !q.hides():
		return nil, bad("also: it is for draw=%s and draw=%s", drawBlur, drawPixelate)
	}
	var err error
	if q.cascades, err = q.pose.Cascades(s.models[q.model], s.models[q.profile]); err != nil {
		return nil, err
	}
	if q.options.Framings, err = q.box.Framings(q.cascades, q.pose.Profile()); err != nil {
		return nil, bad("box: %s", strings.TrimPrefix(err.Error(), facebox.ErrBox.Error()+": "))
	}
	if q.points != nil {
		if q.options.Points, err = s.predictors.get(q.points, q.cascades[0].Name); err != nil {
			return nil, err
		}
	}
	if q.anyAngle {
		if q.options.Router, err = models.Router(q.cascades...); err != nil {
			return nil, err
		}
	}
	q.cascades = q.tuned(q.cascades)
	q.cascadeNames = []string{q.pose.String(), q.model, q.profile}
	lo, hi := q.options.MinSize, q.options.MaxSize
	if hi != (image.Point{}) && (lo.X > hi.X || lo.Y > hi.Y) {
		return nil, bad("min-size: it is larger than max-size")
	}
	return q, nil
}

// tuned returns models with the settings that the query asks for.
func (q *query) tuned(all []*cascade.Cascade) []*cascade.Cascade {
	hides := q.hides() && !q.scored
	if len(q.edits) == 0 && !hides {
		return all
	}
	var tuned []*cascade.Cascade
	for _, c := range all {
		edited := *c
		for _, change := range q.edits {
			change(&edited.Search)
		}
		if hides {
			edited.Search.MinScore = min(edited.Search.MinScore, doubtful)
		}
		tuned = append(tuned, &edited)
	}
	return tuned
}

// parseSize reads "40" or "40x60".
func parseSize(text string) (image.Point, error) {
	first, second, two := strings.Cut(text, "x")
	if !two {
		second = first
	}
	width, err1 := strconv.ParseUint(first, 10, 31)
	height, err2 := strconv.ParseUint(second, 10, 31)
	if err1 != nil || err2 != nil || width == 0 || height == 0 {
		return image.Point{}, fmt.Errorf("want a size in pixels, such as 40 or 40x60")
	}
	return image.Pt(int(width), int(height)), nil
}

func parseNumber(text string, least, most float64) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < least || v > most {
		return 0, fmt.Errorf("want a number from %g to %g", least, most)
	}
	return v, nil
}

// clip quotes a stranger's words, and not too many of them.
func clip(text string) string {
	const most = 40
	if len(text) > most {
		return strconv.Quote(text[:most]) + "..."
	}
	return strconv.Quote(text)
}

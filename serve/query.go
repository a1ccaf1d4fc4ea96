package serve

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/searchopts"
	"haarlem/internal/settings"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/facebox"
	"haarlem/picture"
)

// A query is what the options in a request's URL say. They are called, and
// mean, what the flags of detect do.
type query struct {
	name   string // what the answer calls the picture
	model  string
	box    facebox.Box
	values searchopts.Values
	scored bool             // min-score is given
	points *landmarks.Model // nil: not wanted
	draw   string
	margin float64
	solid  bool
	also   []string // models of what is hidden beside faces

	cascade *cascade.Cascade // model, edited
}

// Narrower than the detector's own limits: a finer pyramid, or many angles,
// would be a long search for a short request.
var limits = searchopts.Limits{MinScale: 1.01, MaxEnlarge: 4, MaxAngles: 16}

const (
	maxName = 255
	maxAlso = 4
)

// rotated says whether answers have angles.
func (q *query) rotated() bool { return len(q.values.Options.Angles) > 0 }

// parameters are the options by name: these, those of package searchopts, and settings.
var parameters = map[string]func(s *Server, q *query, text string) error{
	"name": func(_ *Server, q *query, text string) error {
		if len(text) > maxName || !utf8.ValidString(text) {
			return fmt.Errorf("want at most %d bytes of UTF-8", maxName)
		}
		q.name = text
		return nil
	},
	"model": func(s *Server, q *query, text string) error {
		q.model = text
		return s.offered(text)
	},
	"also": func(s *Server, q *query, text string) error {
		q.also = strings.Split(text, ",")
		if len(q.also) > maxAlso {
			return fmt.Errorf("want at most %d models", maxAlso)
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
		q.margin, err = searchopts.Number(text, 0, 5)
		return err
	},
	"box": func(_ *Server, q *query, text string) (err error) {
		if q.box, err = facebox.Parse(text); err != nil {
			return fmt.Errorf("want own, face, head or eyes")
		}
		return nil
	},
}

func init() {
	for _, o := range searchopts.All {
		parameters[o.Name] = func(_ *Server, q *query, text string) error {
			q.scored = q.scored || o.Name == "min-score"
			return o.Set(&q.values, text, &limits)
		}
	}
	for _, f := range settings.All {
		if parameters[f.Flag] != nil || f.Field == "Scale" {
			continue // an option of everyday use, above
		}
		parameters[f.Flag] = func(_ *Server, q *query, text string) error {
			if err := f.Set(new(cascade.Search), text); err != nil {
				return err
			}
			q.values.Change(func(s *cascade.Search) { _ = f.Set(s, text) }) // as it was just now
			return nil
		}
	}
}

// doubtful is the score that is enough to hide what may be a face, as of detect
// blur.
const doubtful = 0.1

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
	q := &query{name: "-", model: s.o.Models[0].Name, margin: picture.UsualMargin, values: searchopts.Values{Options: detector.Options{Workers: 1}}}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		wrong := func(format string, args ...any) error {
			return &failure{http.StatusBadRequest, "option", fmt.Sprintf("option %s: %s", clip(name), fmt.Sprintf(format, args...))}
		}
		parse := parameters[name]
		switch {
		case parse == nil:
			return nil, wrong("it is unknown; there are: %s", strings.Join(slices.Sorted(maps.Keys(parameters)), ", "))
		case len(values[name]) != 1:
			return nil, wrong("it is given %d times", len(values[name]))
		}
		if err := parse(s, q, values[name][0]); err != nil {
			return nil, wrong("%s: %v", clip(values[name][0]), err)
		}
	}
	bad := func(format string, args ...any) error {
		return &failure{http.StatusBadRequest, "option", "option " + fmt.Sprintf(format, args...)}
	}
	switch {
	case q.solid && !q.hides():
		return nil, bad("solid: it is for draw=%s and draw=%s", drawBlur, drawPixelate)
	case len(q.also) > 0 && !q.hides():
		return nil, bad("also: it is for draw=%s and draw=%s", drawBlur, drawPixelate)
	}
	var err error
	c := s.models[q.model]
	if q.values.Options.Framing, err = q.box.Framing(c); err != nil {
		return nil, bad("box: %s", strings.TrimPrefix(err.Error(), facebox.ErrBox.Error()+": "))
	}
	if q.points != nil {
		if q.values.Options.Points, err = s.predictors.get(q.points, c.Name); err != nil {
			return nil, err
		}
	}
	if q.values.AnyAngle {
		if q.values.Options.Router, err = models.Router(c); err != nil {
			return nil, err
		}
	}
	q.cascade = q.tuned(c)
	if err := q.values.Check(); err != nil {
		return nil, bad("%v", err)
	}
	return q, nil
}

// tuned returns a model with the settings that the query asks for.
func (q *query) tuned(c *cascade.Cascade) *cascade.Cascade {
	hides := q.hides() && !q.scored
	if !q.values.Edited() && !hides {
		return c
	}
	edited := *c
	q.values.Edit(&edited.Search)
	if hides {
		edited.Search.MinScore = min(edited.Search.MinScore, doubtful)
	}
	return &edited
}

// clip quotes a stranger's words, and not too many of them.
func clip(text string) string {
	const largest = 40
	if len(text) > largest {
		return strconv.Quote(text[:largest]) + "..."
	}
	return strconv.Quote(text)
}

package label

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"

	"haarlem/internal/samples"
)

// Limits of a request.
const (
	maxBody   = 8 << 20
	maxLabels = 20_000 // of a picture
)

// A problem is how the page gets an error.
type problem struct {
	Code    string    `json:"code"`
	Message string    `json:"message"`
	Current *labelled `json:"current,omitempty"` // with a conflict: what is there
}

// A conflict: a picture's labels are not those that a change began with.
type conflict struct{ current *labelled } // as they are

func (c *conflict) Error() string {
	return "the labels of this picture have changed meanwhile, in the file or in another window"
}

// reply writes what a request is answered with.
func reply(w http.ResponseWriter, v any, err error) {
	status := http.StatusOK
	if err != nil {
		p := problem{"failed", err.Error(), nil}
		status = http.StatusInternalServerError
		var c *conflict
		switch {
		case errors.As(err, &c):
			status, p.Code, p.Current = http.StatusConflict, "conflict", c.current
		case errors.Is(err, errBad):
			status, p.Code = http.StatusBadRequest, "request"
		case errors.Is(err, fs.ErrNotExist):
			status, p.Code = http.StatusNotFound, "missing"
		}
		v = p
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a bug
	}
	h := w.Header()
	h.Del("ETag")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // the browser may be gone
}

// body reads the JSON of a request.
func body(r *http.Request, to any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return fmt.Errorf("%w: Content-Type %q, want application/json", errBad, kind)
	}
	d := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("%w: %v", errBad, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: something follows the JSON", errBad)
	}
	return nil
}

// named returns the picture that a request is about.
func (s *Server) named(r *http.Request) (string, error) {
	name := r.FormValue("picture")
	if !s.folder.index[name] {
		return "", fmt.Errorf("picture %q: %w", name, fs.ErrNotExist)
	}
	return name, nil
}

func partOf(r *http.Request) (part image.Rectangle, side int, err error) {
	if side, err = strconv.Atoi(r.FormValue("side")); err != nil || side < 16 || side > 512 {
		return part, 0, fmt.Errorf("%w: side %q, want 16 to 512 pixels", errBad, r.FormValue("side"))
	}
	if r.FormValue("width") == "" {
		return part, side, nil
	}
	var v [4]int
	for i, name := range []string{"x", "y", "width", "height"} {
		if v[i], err = strconv.Atoi(r.FormValue(name)); err != nil || v[i] < -1e6 || v[i] > 1e6 {
			return part, 0, fmt.Errorf("%w: %s %q, want a whole number", errBad, name, r.FormValue(name))
		}
	}
	return image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3]), side, nil
}

// A listed is a picture in the list of the page.
type listed struct {
	Name     string `json:"name"`
	Objects  int    `json:"objects"`
	Labelled bool   `json:"labelled"`
	Partial  bool   `json:"partial,omitempty"` // an object has some points, but not all
}

// getFolder is all that the page needs at its start.
func (s *Server) getFolder(*http.Request) (any, error) {
	unlock, err := s.lock(false)
	defer unlock()
	if err != nil {
		return nil, err
	}
	type about struct {
		Name      string   `json:"name"`
		Object    string   `json:"object"`
		Threshold *float64 `json:"threshold"`
		Column    string   `json:"column"` // of a model that was made of a class
		Class     string   `json:"class"`
	}
	out := struct {
		Folder   string              `json:"folder"`
		Labels   string              `json:"labels"`
		Tags     []string            `json:"tags"`
		Points   []string            `json:"points"`
		Values   map[string][]string `json:"values"` // of tags, those that are few
		Pictures []listed            `json:"pictures"`
		Others   int                 `json:"others"` // pictures of the file that are not in the folder
		Left     int                 `json:"left"`
		Why      string              `json:"why"`
		Model    *about              `json:"model"`
		Edition  int                 `json:"edition"`
	}{
		Folder: filepath.Base(s.folder.dir), Labels: s.labels.path, Values: map[string][]string{},
		Tags: append([]string{}, s.labels.table.Tags()...), Points: append([]string{}, s.labels.table.Points()...),
		Pictures: make([]listed, 0, len(s.folder.names)), Left: s.folder.left, Why: s.folder.why, Edition: s.labels.edition,
	}
	if m, _ := s.learner.current(); m != nil {
		out.Model = &about{Name: m.name, Object: m.object, Column: m.column, Class: m.class}
		if t := m.threshold; t > -1e300 {
			out.Model.Threshold = &t
		}
	}
	const few = 30
	known := 0
	seen := map[[2]string]bool{}
	for _, name := range s.folder.names {
		l := listed{Name: name}
		for _, o := range s.labels.labels(name) {
			l.Labelled = true
			if !o.Empty() {
				l.Objects++
			}
			l.Partial = l.Partial || len(o.Points) > 0 && len(o.Points) < len(out.Points)
			for tag, value := range o.Tags {
				if k := [2]string{tag, value}; !seen[k] && len(out.Values[tag]) <= few {
					seen[k] = true
					out.Values[tag] = append(out.Values[tag], value)
				}
			}
		}
		known += len(s.labels.names[name])
		out.Pictures = append(out.Pictures, l)
	}
	out.Others = len(s.labels.table.Files()) - known
	for tag, values := range out.Values {
		if len(values) > few {
			delete(out.Values, tag)
			continue
		}
		slices.Sort(values)
	}
	return out, nil
}

// getState tells whether the labels or the model have changed.
func (s *Server) getState(*http.Request) (any, error) {
	unlock, err := s.lock(false)
	defer unlock()
	m, learning := s.learner.current()
	name := ""
	if m != nil {
		name = m.name
	}
	return struct {
		Edition  int    `json:"edition"`
		Model    string `json:"model"`
		Learning string `json:"learning"`
	}{s.labels.edition, name, learning}, err
}

// An object is a line of the working file. Without a box and points it says that
// there is no object.
type object struct {
	Line   int                   `json:"line"` // among those of the picture; -1: new
	Box    *[4]float64           `json:"box"`
	Points map[string][2]float64 `json:"points"`
	Ignore bool                  `json:"ignore"`
	Tags   map[string]string     `json:"tags"`
}

// A decision is a line of the file of decisions.
type decision struct {
	Line    int        `json:"line"`
	Box     [4]float64 `json:"box"`
	Verdict string     `json:"verdict"`
}

// A labelled is a picture and what is known about it.
type labelled struct {
	Picture   string     `json:"picture"`
	Width     int        `json:"width"`
	Height    int        `json:"height"`
	Version   string     `json:"version"`
	Objects   []object   `json:"objects"`
	Decisions []decision `json:"decisions"`
}

// state describes a picture. Both files are locked.
func (s *Server) state(name string) *labelled {
	labels, decided := s.labels.labels(name), s.decided.labels(name)
	out := &labelled{Picture: name, Version: version(labels, decided), Objects: []object{}, Decisions: []decision{}}
	for i, l := range labels {
		o := object{Line: i, Points: map[string][2]float64{}, Ignore: l.Ignore, Tags: l.Tags}
		if o.Tags == nil {
			o.Tags = map[string]string{}
		}
		if l.Width != 0 {
			o.Box = &[4]float64{l.X, l.Y, l.Width, l.Height}
		}
		for name, p := range l.Points {
			o.Points[name] = [2]float64{p.X, p.Y}
		}
		out.Objects = append(out.Objects, o)
	}
	for i, d := range decided {
		out.Decisions = append(out.Decisions, decision{i, [4]float64{d.X, d.Y, d.Width, d.Height}, d.Tags[verdictTag]})
	}
	return out
}

func (s *Server) getLabels(r *http.Request) (any, error) {
	name, err := s.named(r)
	if err != nil {
		return nil, err
	}
	width, height, err := s.folder.size(name)
	if err != nil {
		return nil, err
	}
	unlock, err := s.lock(false)
	defer unlock()
	if err != nil {
		return nil, err
	}
	out := s.state(name)
	out.Width, out.Height = width, height
	return out, nil
}

// putLabels replaces the labels of a picture, if they are still of the version that
// the page has seen. When it answers, they are on the disk.
func (s *Server) putLabels(r *http.Request) (any, error) {
	name, err := s.named(r)
	if err != nil {
		return nil, err
	}
	var in labelled
	if err := body(r, &in); err != nil {
		return nil, err
	}
	if len(in.Objects)+len(in.Decisions) > maxLabels {
		return nil, fmt.Errorf("%w: more than %d labels", errBad, maxLabels)
	}
	var labels, decided []samples.Label
	var was, wasDecided []int
	for _, o := range in.Objects {
		l := samples.Label{Ignore: o.Ignore, Tags: o.Tags}
		if o.Box != nil {
			l.X, l.Y, l.Width, l.Height = o.Box[0], o.Box[1], o.Box[2], o.Box[3]
			if l.Width == 0 {
				return nil, fmt.Errorf("%w: a box of width 0", errBad)
			}
		}
		for name, p := range o.Points {
			if l.Points == nil {
				l.Points = map[string]samples.Point{}
			}
			l.Points[name] = samples.Point{X: p[0], Y: p[1]}
		}
		labels, was = append(labels, l), append(was, o.Line)
	}
	for _, d := range in.Decisions {
		if d.Verdict != verdictReject && d.Verdict != verdictKeep {
			return nil, fmt.Errorf("%w: verdict %q, want %s or %s", errBad, d.Verdict, verdictReject, verdictKeep)
		}
		decided = append(decided, samples.Label{X: d.Box[0], Y: d.Box[1], Width: d.Box[2], Height: d.Box[3], Tags: map[string]string{verdictTag: d.Verdict}})
		wasDecided = append(wasDecided, d.Line)
	}
	unlock, err := s.lock(true)
	defer unlock()
	if err != nil {
		return nil, err
	}
	if now := s.state(name); now.Version != in.Version {
		if now.Width, now.Height, err = s.folder.size(name); err != nil {
			return nil, err
		}
		return nil, &conflict{now}
	}
	out := struct {
		Version   string `json:"version"`
		Lines     []int  `json:"lines"` // where the objects are now
		Decisions []int  `json:"decisions"`
		Edition   int    `json:"edition"`
	}{}
	if len(decided) > 0 || len(s.decided.labels(name)) > 0 {
		if out.Decisions, err = s.decided.change(name, decided, wasDecided); err != nil {
			return nil, err
		}
	}
	if version(labels) != version(s.labels.labels(name)) || !inOrder(was) {
		if out.Lines, err = s.labels.change(name, labels, was); err != nil {
			return nil, err
		}
	} else {
		out.Lines = was
	}
	out.Version = s.state(name).Version
	out.Edition = s.labels.edition
	s.learner.consider(s.labels, name)
	return out, nil
}

// inOrder reports whether lines are just those that are there.
func inOrder(lines []int) bool {
	for i, l := range lines {
		if l != i {
			return false
		}
	}
	return true
}

func (s *Server) getProposals(r *http.Request) (any, error) {
	name, err := s.named(r)
	if err != nil {
		return nil, err
	}
	m, _ := s.learner.current()
	if m == nil {
		return []proposal{}, nil
	}
	return m.proposals(r.Context(), name)
}

// getReview lists suspect labels of the pictures that were searched, and goes on
// searching.
func (s *Server) getReview(*http.Request) (any, error) {
	out := struct {
		Items    []item `json:"items"`
		Searched int    `json:"searched"`
		Of       int    `json:"of"`
	}{Items: []item{}}
	m, _ := s.learner.current()
	if m == nil {
		return out, nil
	}
	unlock, err := s.lock(false)
	defer unlock()
	if err != nil {
		return nil, err
	}
	var todo []string
	var searched reviewed
	for _, name := range s.folder.names {
		labels := s.labels.labels(name)
		if len(labels) == 0 {
			continue
		}
		out.Of++
		found, ok := m.known(name)
		if !ok {
			todo = append(todo, name)
			continue
		}
		out.Searched++
		if found.err == nil {
			searched.add(name, labels, found.all)
		}
	}
	s.scan.start(m, todo)
	out.Items = searched.items(s.other, s.decided.labels)
	return out, nil
}

func (s *Server) postExport(r *http.Request) (any, error) {
	var in struct {
		Format string `json:"format"`
	}
	if err := body(r, &in); err != nil {
		return nil, err
	}
	s.exports.Lock()
	defer s.exports.Unlock()
	return export(s.labels.path, in.Format)
}

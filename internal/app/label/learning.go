package label

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"haarlem/cascade"
	"haarlem/internal/samples"
)

// A Lesson is what a model that proposes is made of.
type Lesson struct {
	Dir        string // for what lies between; it is removed afterwards
	Train, Dev string // labelled photographs: to learn from, and to calibrate with
	Objects    int    // in both
	Width      int    // of the detection window
	Height     int
}

// firstLesson is how many objects the first model learns from. Each further one has half
// as many again as the one before.
const firstLesson = 20

// A learner has the model that proposes, and makes it of the labels if it was not given.
type learner struct {
	learn  func(context.Context, *Lesson) (*cascade.Cascade, error) // nil: the model is given, or there is none
	folder *folder
	ctx    context.Context // ends with the server
	done   sync.WaitGroup

	mu      sync.Mutex
	model   *model // nil: none yet
	running bool
	last    int    // objects of the last lesson
	failed  string // why that came to nothing
}

// current is the model, which may be nil, and what is said of the one to come.
func (l *learner) current() (m *model, status string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.running:
		status = fmt.Sprintf("Learning from %d objects…", l.last)
	case l.failed != "":
		status = fmt.Sprintf("Learned nothing from %d objects: %s", l.last, l.failed)
	}
	return l.model, status
}

// consider starts a lesson if there are objects enough. open is the picture that
// somebody is at, whose labels may not be complete. The labels are locked.
func (l *learner) consider(labels *working, open string) {
	if l.learn == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running || l.ctx.Err() != nil {
		return
	}
	column, class, n := commonest(labels, open)
	if n < firstLesson || n < l.last+l.last/2 {
		return
	}
	dir, err := os.MkdirTemp("", "haarlem-lesson-")
	var lesson *Lesson
	if err == nil {
		lesson, err = writeLesson(labels, open, column, class, dir)
	}
	if l.last = n; err != nil {
		l.failed = err.Error()
		return
	}
	lesson.Objects = n
	l.running = true
	l.done.Go(func() {
		defer os.RemoveAll(dir)
		c, err := l.learn(l.ctx, lesson)
		var m *model
		if err == nil {
			m, err = newModel(fmt.Sprintf("the model of %d objects", n), c, l.folder)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.running, l.failed = false, ""; err != nil {
			l.failed = err.Error()
			return
		}
		if m.column, m.class = column, class; class != "" {
			m.object = class
		}
		l.model = m
	})
}

// classColumns may hold classes: what the page takes for the column of its chips.
var classColumns = []string{"class", "label", "name", "category"}

// commonest is the class with the most objects, and their number.
func commonest(labels *working, open string) (column, class string, n int) {
	tags := labels.table.Tags()
	if i := slices.IndexFunc(classColumns, func(c string) bool { return slices.Contains(tags, c) }); i >= 0 {
		column = classColumns[i]
	}
	counts := map[string]int{}
	for _, name := range labels.folder.names {
		if name == open {
			continue
		}
		for _, o := range labels.labels(name) {
			if o.Width == 0 || o.Ignore {
				continue
			}
			c := o.Tags[column]
			if counts[c]++; counts[c] > n || counts[c] == n && c < class {
				class, n = c, counts[c]
			}
		}
	}
	return column, class, n
}

// writeLesson writes the objects of a class, every fourth picture with some to calibrate with,
// and chooses the window.
func writeLesson(labels *working, open, column, class, dir string) (*Lesson, error) {
	parts := []*samples.Table{samples.NewTable(), samples.NewTable()}
	var sizes, aspects []float64
	with := 0
	for _, name := range labels.folder.names {
		all := labels.labels(name)
		if name == open || len(all) == 0 {
			continue
		}
		objects := slices.DeleteFunc(all, func(o samples.Label) bool { return o.Width == 0 || o.Tags[column] != class })
		part := 0
		if len(objects) > 0 {
			if with++; with%4 == 0 {
				part = 1
			}
		} else {
			objects = []samples.Label{{}}
		}
		for i := range objects {
			o := &objects[i]
			o.Points, o.Tags = nil, nil
			if o.Width > 0 && o.Height > 0 && !o.Ignore {
				sizes, aspects = append(sizes, math.Sqrt(o.Width*o.Height)), append(aspects, o.Width/o.Height)
			}
		}
		if err := parts[part].Append(labels.folder.path(name), objects); err != nil {
			return nil, err
		}
	}
	if with < 4 || len(sizes) == 0 {
		return nil, fmt.Errorf("the objects are in %d pictures, want 4 or more", with)
	}
	slices.Sort(sizes)
	slices.Sort(aspects)
	side, aspect := min(20, sizes[len(sizes)/10]), math.Sqrt(aspects[len(aspects)/2])
	pixels := func(v float64) int { return int(min(max(math.Round(v), 8), 64)) }
	l := &Lesson{Dir: dir, Train: filepath.Join(dir, "train.csv"), Dev: filepath.Join(dir, "dev.csv"), Width: pixels(side * aspect), Height: pixels(side / aspect)}
	for i, path := range []string{l.Train, l.Dev} {
		if err := samples.WriteAtomically(path, parts[i].Encode); err != nil {
			return nil, err
		}
	}
	return l, nil
}

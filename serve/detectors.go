package serve

import (
	"fmt"
	"sync"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/objects"
)

// detectors are kept for the options that were asked for last: a detector has
// memory that the next picture can use.
type detectors struct {
	mu   sync.Mutex
	kept []kept // the one asked for last comes last
}

type kept struct {
	key      string
	detector *detector.Detector
}

const maxDetectors = 16

// set returns the detector of a query, and one for each model of the option also.
func (s *Server) set(q *query) (objects.Set, error) {
	d, err := s.detectors.get(q.model, &q.values.Options, q.cascade)
	if err != nil {
		return nil, err
	}
	all, o := objects.Set{d}, objects.OfOthers(&q.values.Options)
	for _, name := range q.also {
		if d, err = s.detectors.get(name, o, q.tuned(s.models[name])); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

func (d *detectors) get(name string, o *detector.Options, c *cascade.Cascade) (*detector.Detector, error) {
	key := fmt.Sprintf("%q %+v %+v", name, *o, c.Search)
	d.mu.Lock()
	for i, k := range d.kept {
		if k.key == key {
			d.kept = append(append(d.kept[:i:i], d.kept[i+1:]...), k)
			d.mu.Unlock()
			return k.detector, nil
		}
	}
	d.mu.Unlock()
	made, err := detector.New(o, c)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.kept) == maxDetectors {
		d.kept = append([]kept(nil), d.kept[1:]...)
	}
	d.kept = append(d.kept, kept{key, made})
	return made, nil
}

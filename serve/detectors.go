package serve

import (
	"fmt"
	"sync"

	"haarlem/cascade/detector"
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

const mostDetectors = 16

func (d *detectors) get(q *query) (*detector.Detector, error) {
	key := fmt.Sprintf("%q %+v", q.cascadeNames, q.options)
	for _, c := range q.cascades {
		key += fmt.Sprintf(" %+v", c.Search)
	}
	d.mu.Lock()
	for i, k := range d.kept {
		if k.key == key {
			d.kept = append(append(d.kept[:i:i], d.kept[i+1:]...), k)
			d.mu.Unlock()
			return k.detector, nil
		}
	}
	d.mu.Unlock()
	made, err := detector.New(&q.options, q.cascades...)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.kept) == mostDetectors {
		d.kept = append([]kept(nil), d.kept[1:]...)
	}
	d.kept = append(d.kept, kept{key, made})
	return made, nil
}

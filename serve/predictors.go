package serve

import (
	"sync"

	"haarlem/landmarks"
	"haarlem/models/facebox"
)

// predictors are kept by landmark model and by the model in whose boxes they find
// points. There are few of both.
type predictors struct {
	mu   sync.Mutex
	kept map[[2]string]*landmarks.Predictor
}

// get returns the predictor of a landmark model in the boxes of a cascade of that name.
func (p *predictors) get(m *landmarks.Model, cascade string) (*landmarks.Predictor, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := [2]string{m.Name, cascade}
	if k := p.kept[key]; k != nil {
		return k, nil
	}
	own := *m
	own.Box = facebox.Points(cascade, m.Box)
	k, err := landmarks.NewPredictor(&own)
	if err == nil {
		p.kept[key] = k
	}
	return k, err
}

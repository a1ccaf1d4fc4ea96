package main

import "sync"

// A table has what handles stand for. Handles are counted up and never used again, so
// that one that was closed stays unknown.
type table struct {
	mu   sync.RWMutex
	all  map[uintptr]*model
	last uintptr
}

var handles table

func (t *table) add(m *model) uintptr {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[uintptr]*model{}
	}
	t.last++
	t.all[t.last] = m
	return t.last
}

func (t *table) find(h uintptr) (*model, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	m := t.all[h]
	if m == nil {
		return nil, notOpen(h)
	}
	return m, nil
}

func (t *table) remove(h uintptr) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all[h] == nil {
		return notOpen(h)
	}
	delete(t.all, h)
	return nil
}

func notOpen(h uintptr) error {
	if h == 0 {
		return argument("model is NULL")
	}
	return argument("model is not open: it was closed, or never opened")
}

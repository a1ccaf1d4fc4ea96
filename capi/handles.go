package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// A table has what handles of one kind stand for. Handles are counted up and never used
// again, so that one that was closed stays unknown, and one of another kind too.
type table[T any] struct {
	kind string
	mu   sync.RWMutex
	all  map[uintptr]*T
}

var (
	openModels    = table[model]{kind: "model", all: map[uintptr]*model{}}
	openLandmarks = table[landmark]{kind: "landmarks", all: map[uintptr]*landmark{}}
	openTrackers  = table[tracker]{kind: "tracker", all: map[uintptr]*tracker{}}
	lastHandle    atomic.Uintptr
)

func (t *table[T]) add(m *T) uintptr {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := lastHandle.Add(1)
	t.all[h] = m
	return h
}

func (t *table[T]) find(h uintptr) (*T, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	m := t.all[h]
	if m == nil {
		return nil, t.notOpen(h)
	}
	return m, nil
}

func (t *table[T]) remove(h uintptr) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all[h] == nil {
		return t.notOpen(h)
	}
	delete(t.all, h)
	return nil
}

// readFile opens a file as read reads it.
func readFile[T any](path string, read func(io.Reader) (*T, error)) (*T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return m, nil
}

// nameOf returns the name of the model of a handle, of which 0 is none.
func nameOf(h uintptr) (string, error) {
	if h == 0 {
		return "", nil
	}
	m, err := openModels.find(h)
	if err != nil {
		return "", err
	}
	return m.cascade.Name, nil
}

func (t *table[T]) notOpen(h uintptr) error {
	if h == 0 {
		return argument("%s is NULL", t.kind)
	}
	return argument("%s is not open: it was closed, or never opened", t.kind)
}

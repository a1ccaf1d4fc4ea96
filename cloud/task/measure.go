package task

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/cputime"
)

// Measured is what pictures of a list take.
type Measured struct {
	List     int64 // names
	Pictures int64 // that were measured
	Failed   int64 // of these
	Bytes    float64
	Pixels   float64 // of those that did not fail
	Seconds  float64 // of one processor
}

// Measure does some names of a list, drawn at random, and nothing with what comes out.
// Bytes, pixels and seconds are means.
func Measure(ctx context.Context, s Settings, pictures int) (*Measured, error) {
	if s.Mode == "eval" || s.Mode == "mine" || pictures < 1 {
		return nil, fmt.Errorf("%w: measured are detect, blur and pixelate, with 1 picture or more", ErrSettings)
	}
	dir, err := os.MkdirTemp("", "haarlem-bill-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s.Output, s.Shards, s.Format = dir, 1, "jsonl"
	t, err := Open(s)
	if err != nil {
		return nil, err
	}
	source := &metered{Source: t.places}
	if t.operation, err = s.operation(source, t.Store); err != nil {
		return nil, err
	}
	names, all, err := t.draw(ctx, pictures)
	if err != nil {
		return nil, err
	}
	if _, err := t.operation.Work(ctx, names[0]); err != nil { // makes ready what all share
		return nil, err
	}
	source.bytes.Store(0)
	began := cputime.Used()
	done, err := shard.Run(ctx, t.Job, 0, strings.NewReader(strings.Join(names, "\n")), t.Store, s.Workers, t.operation.Work)
	if err != nil {
		return nil, err
	}
	n := float64(len(names))
	m := &Measured{List: all, Pictures: done.Names, Failed: done.Failed, Bytes: float64(source.bytes.Load()) / n, Seconds: (cputime.Used() - began).Seconds() / n}
	results, err := t.Store.Open(ctx, "part-00000-of-00001.jsonl")
	if err != nil {
		return nil, err
	}
	defer results.Close()
	for d := json.NewDecoder(bufio.NewReader(results)); ; {
		var row struct{ Width, Height float64 }
		if err := d.Decode(&row); errors.Is(err, io.EOF) {
			return m, nil
		} else if err != nil {
			return nil, err
		}
		m.Pixels += row.Width * row.Height / float64(done.Names-done.Failed)
	}
}

// draw returns some names of the list, in its order, and how many it has: each name
// with the same chance (Vitter, Random sampling with a reservoir, algorithm R).
func (t *Task) draw(ctx context.Context, n int) ([]string, int64, error) {
	list, err := t.places.Open(ctx, t.List)
	if err != nil {
		return nil, 0, fmt.Errorf("-list: %w", err)
	}
	defer list.Close()
	type drawn struct {
		name string
		at   int64
	}
	var some []drawn
	var whole shard.List
	var at int64
	rng := rand.New(rand.NewPCG(1, 1))
	for name, err := range shard.Names(list, &whole) {
		if err != nil {
			return nil, 0, err
		}
		if at++; len(some) < n {
			some = append(some, drawn{name, at})
		} else if k := rng.Int64N(at); k < int64(n) {
			some[k] = drawn{name, at}
		}
	}
	if at == 0 {
		return nil, 0, fmt.Errorf("%w: -list: it has no names", ErrSettings)
	}
	slices.SortFunc(some, func(a, b drawn) int { return int(a.at - b.at) })
	names := make([]string, len(some))
	for i, d := range some {
		names[i] = d.name
	}
	return names, at, nil
}

// metered counts what is read.
type metered struct {
	operation.Source
	bytes atomic.Int64
}

func (m *metered) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	r, err := m.Source.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	return &counted{r, &m.bytes}, nil
}

type counted struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

type job struct {
	pictures, seconds, bytes, hours, lost, start float64
	cores, shards                                int
}

type result struct{ hours, used, wasted float64 }

// times are when machines are free.
type times []float64

func (t times) Len() int           { return len(t) }
func (t times) Less(i, j int) bool { return t[i] < t[j] }
func (t times) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *times) Push(x any)        { *t = append(*t, x.(float64)) }
func (t *times) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last
}

// simulate gives each machine that is free the next shard.
func (s *job) simulate(machines int, seed uint64) result {
	rng := rand.New(rand.NewPCG(seed, uint64(machines)))
	free := make(times, machines)
	for i := range free {
		free[i] = s.start / 3600
	}
	heap.Init(&free)
	r := result{used: float64(machines) * s.start / 3600, wasted: float64(machines) * s.start / 3600}
	rate := -math.Log1p(-s.lost)
	mean := s.pictures / float64(s.shards)
	for left := s.shards; left > 0; {
		at := heap.Pop(&free).(float64)
		// The number of names of a hash's value is nearly Poisson's.
		names := mean + float64(math.Sqrt(mean)*rng.NormFloat64())
		long := max(names, 0) * s.seconds / float64(s.cores) / 3600
		if end := rng.ExpFloat64() / max(rate, 1e-12); end < long { // taken away, and another comes
			wait := s.start / 3600
			r.used += end + wait
			r.wasted += end + wait
			heap.Push(&free, at+end+wait)
			continue
		}
		left--
		r.used += long
		r.hours = max(r.hours, at+long)
		heap.Push(&free, at+long)
	}
	return r
}

// Bill simulates a job over many pictures on rented machines that may be taken away at
// any moment: hours, machines, requests and money.
//
//	go run ./internal/scaling/bill
//	go run ./internal/scaling/bill -pictures 1e6 -seconds 0.05 -machines 1,2,4,8
//
// It is a calculation: a shard that is lost begins again, and the names of shards are
// spread as a hash spreads them. Prices are flags; their defaults are round numbers
// of the size that large clouds asked in 2025, and no offer.
package main

import (
	"container/heap"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

func main() {
	var s job
	flag.Float64Var(&s.pictures, "pictures", 1e9, "number of pictures")
	flag.Float64Var(&s.seconds, "seconds", 0.02, "of one processor for a picture")
	flag.IntVar(&s.cores, "cores", 16, "processors of a machine")
	flag.Float64Var(&s.hours, "shard", 0.25, "hours that a shard takes on a machine")
	flag.Float64Var(&s.lost, "lost", 0.05, "chance that a machine is taken away in an hour")
	flag.Float64Var(&s.start, "start", 90, "seconds until a machine works")
	coreHour := flag.Float64("core-hour", 0.015, "price of a processor for an hour")
	get := flag.Float64("get", 0.4e-6, "price of a GET")
	put := flag.Float64("put", 5e-6, "price of a PUT")
	copies := flag.Bool("copies", false, "blur: a copy is put for each picture")
	machines := flag.String("machines", "1,2,4,8,100,350,1000", "numbers of machines")
	seed := flag.Uint64("seed", 1, "of the simulation")
	flag.Parse()
	s.shards = int(math.Ceil(s.pictures * s.seconds / float64(s.cores) / 3600 / s.hours))
	fmt.Printf("%d shards of about %.0f pictures\n", s.shards, s.pictures/float64(s.shards))
	fmt.Println("machines   hours  speed-up  machine-hours  lost %  processors $  requests $  together $")
	requests := s.pictures**get + 4*float64(s.shards)**put
	if *copies {
		requests += s.pictures * *put
	}
	first := 0.0
	for text := range strings.SplitSeq(*machines, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			fmt.Fprintf(os.Stderr, "bill: -machines: %q is no number of machines\n", text)
			os.Exit(2)
		}
		r := s.simulate(n, *seed)
		if first == 0 {
			first = r.hours * float64(n)
		}
		price := r.used * float64(s.cores) * *coreHour
		fmt.Printf("%8d %7.1f %9.1f %14.0f %7.1f %13.0f %11.0f %11.0f\n", n, r.hours, first/r.hours, r.used, 100*r.wasted/r.used, price, requests, price+requests)
	}
}

type job struct {
	pictures, seconds, hours, lost, start float64
	cores, shards                         int
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

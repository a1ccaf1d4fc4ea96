// Rounds simulates boosting rounds whose columns are spread over machines, beside
// rounds on one: why Haarlem spreads mining and evaluation, and not these.
//
//	go run ./internal/scaling/rounds
//
// In a round each machine searches its columns for the best weak classifier, a leader
// chooses among the winners, and the machine that has the winning column sends what it
// says of each row (a bit for a stump) to all others, which cannot compute their
// weights without. The slowest machine decides, every round.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
)

func main() {
	cells := flag.Float64("cells", 1e9, "cells of columns that a processor searches in a second")
	cores := flag.Int("cores", 16, "processors of a machine")
	memory := flag.Float64("memory", 64, "GiB of a machine, for columns of a byte a cell")
	latency := flag.Float64("latency", 0.25, "milliseconds of a message")
	network := flag.Float64("network", 10, "Gbit/s of a machine")
	slow := flag.Float64("slow", 0.1, "how much longer than the fastest a machine takes on average")
	rounds := flag.Int("rounds", 1000, "rounds that are simulated")
	flag.Parse()
	fmt.Println("      rows  columns  machines  search ms  slowest ms  messages ms  round ms  speed-up  MB a machine")
	for _, size := range [][2]float64{{1e4, 1.6e4}, {1e5, 1.6e4}, {1e6, 1e5}, {1e7, 1e5}} {
		one := 0.0
		for _, n := range []int{1, 2, 4, 8, 16, 32} {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			search := size[0] * size[1] / float64(n) / *cells / float64(*cores) * 1e3
			slowest, megabytes := search, 0.0
			messages := 0.0
			if n > 1 {
				slowest = 0
				for range *rounds {
					worst := 0.0
					for range n {
						worst = max(worst, rng.ExpFloat64()*float64(*slow))
					}
					slowest += float64(search*(1+worst)) / float64(*rounds)
				}
				megabytes = size[0] / 8 / 1e6
				// A tree of machines passes the bits on; winners go up the same tree.
				depth := math.Ceil(math.Log2(float64(n)))
				messages = depth * (2**latency + megabytes*8 / *network)
			}
			round := slowest + messages
			if n == 1 {
				one = round
			}
			fits := ""
			if size[0]*size[1]/float64(n) > *memory*(1<<30) {
				fits = "  (does not fit into memory)"
			}
			fmt.Printf("%10.0f %8.0f %9d %10.2f %11.2f %12.2f %9.2f %9.1f %13.4f%s\n", size[0], size[1], n, search, slowest, messages, round, one/round, megabytes, fits)
		}
	}
}

// Command bench is our half of bench.py, which measures boosting beside
// scikit-learn, XGBoost and LightGBM on the same tables in one run.
//
//	bench make FILE ROWS COLUMNS            writes a table of 32-bit numbers, the label last
//	bench run FILE ROWS COLUMNS THREADS DEPTH LEAVES ROUNDS
//
// run prints seconds of training by the clock and of the processor, processor time a
// row of prediction in batch and of one row alone, and the log loss and AUC on the last tenth of the rows, which it is not trained on.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"time"

	"haarlem/boost"
	"haarlem/internal/cputime"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 4 {
		return fmt.Errorf("want make or run, a file, rows and columns")
	}
	var n [6]int
	for k, a := range args[2:] {
		v, err := strconv.Atoi(a)
		if err != nil || k >= len(n) {
			return fmt.Errorf("%q, want a number", a)
		}
		n[k] = v
	}
	if args[0] == "make" {
		return generate(args[1], n[0], n[1])
	}
	if len(args) != 8 {
		return fmt.Errorf("run wants seven arguments")
	}
	return measure(args[1], n[0], n[1], n[2], n[3], n[4], n[5])
}

// generate writes a table: a label that depends on sums, products and thresholds of
// some of the columns, and noise.
func generate(path string, rows, columns int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, columns+1)
	for range rows {
		for j := range columns {
			x[j] = float32(r.NormFloat64())
		}
		s := float64(x[0]) + float64(x[1]*x[2]) + math.Abs(float64(x[3])) - 0.8
		if x[4] > 0.5 && x[5%columns] < 0 {
			s += 1.5
		}
		x[columns] = 0
		if s+r.NormFloat64() > 0 {
			x[columns] = 1
		}
		if err := binary.Write(w, binary.LittleEndian, x); err != nil {
			return err
		}
	}
	return w.Flush()
}

func load(path string, rows, columns int) (*boost.Data, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := &boost.Data{Columns: make([][]float64, columns), Labels: make([]int8, rows)}
	for j := range d.Columns {
		d.Columns[j] = make([]float64, rows)
	}
	in, line := bufio.NewReaderSize(f, 1<<20), make([]byte, 4*(columns+1))
	for i := range rows {
		if _, err := io.ReadFull(in, line); err != nil {
			return nil, err
		}
		for j := range columns + 1 {
			v := math.Float32frombits(binary.LittleEndian.Uint32(line[4*j:]))
			if j < columns {
				d.Columns[j][i] = float64(v)
			} else {
				d.Labels[i] = int8(2*v - 1)
			}
		}
	}
	return d, nil
}

func measure(path string, rows, columns, threads, depth, leaves, rounds int) error {
	runtime.GOMAXPROCS(threads)
	all, err := load(path, rows, columns)
	if err != nil {
		return err
	}
	part := func(from, to int) *boost.Data {
		d := &boost.Data{Labels: all.Labels[from:to]}
		for _, c := range all.Columns {
			d.Columns = append(d.Columns, c[from:to])
		}
		return d
	}
	train, test := part(0, rows-rows/10), part(rows-rows/10, rows)
	runtime.GC()
	began, start := cputime.Used(), time.Now()
	res, err := boost.Fit(context.Background(), train, &boost.Newton{}, &boost.Trees{Depth: depth, Leaves: leaves}, &boost.Settings{Rounds: rounds, Shrinkage: 0.1, Workers: threads})
	if err != nil {
		return err
	}
	fit, work := time.Since(start).Seconds(), (cputime.Used() - began).Seconds()
	p := res.Model.Predictor()
	best := math.Inf(1)
	var scores []float64
	for range 5 {
		began = cputime.Used()
		if scores, err = p.Scores(test, threads); err != nil {
			return err
		}
		best = min(best, (cputime.Used() - began).Seconds())
	}
	some := min(1000, test.Rows())
	x := make([][]float64, some)
	for i := range x {
		x[i] = test.Row(nil, i)
	}
	one, sum := math.Inf(1), 0.0
	for range 5 {
		began = cputime.Used()
		for range 20 {
			for _, row := range x {
				sum += p.Score(row)
			}
		}
		one = min(one, (cputime.Used()-began).Seconds()/float64(20*some))
	}
	q := &boost.Predictions{Scores: scores, Means: res.Model.Means(scores)}
	for _, y := range test.Labels {
		q.Targets = append(q.Targets, float64(y))
	}
	fmt.Printf("%g %g %g %g %g %g\n", fit, work, best/float64(test.Rows()), one, boost.LogLoss.Value(q), boost.AUC.Value(q))
	if sum != sum {
		return fmt.Errorf("a score is no number")
	}
	return nil
}

// Haarlem-bill measures what a job takes on some of its pictures, and calculates what
// all of them cost on rented machines that may be taken away at any moment.
//
//	haarlem-bill -list s3://b/names.txt -mode blur
//	haarlem-bill -list names.txt -pictures 1e9 -machines 1,10,100
//	haarlem-bill -seconds 0.3 -bytes 4e6 -pictures 1e6
//
// A shard that is lost begins again, and the names of shards are spread as a hash
// spreads them. Prices are flags; their defaults are round numbers of the size that
// large clouds asked in 2025, and no offer.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"haarlem/cloud/task"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	task.Exit("haarlem-bill", run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// S3 answers so many requests a second for a prefix of keys.
const getsASecond, putsASecond = 5500, 3500

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var s task.Settings
	var j job
	f := flag.NewFlagSet("haarlem-bill", flag.ContinueOnError)
	f.SetOutput(stderr)
	s.Declare(f)
	sample := f.Int("sample", 200, "pictures of -list that are measured, drawn at random")
	f.Float64Var(&j.pictures, "pictures", 0, "number of pictures; as many as -list has if not given")
	f.Float64Var(&j.seconds, "seconds", 0.02, "without -list: of one processor for a picture")
	f.Float64Var(&j.bytes, "bytes", 100e3, "without -list: of a picture's file")
	f.IntVar(&j.cores, "cores", 16, "processors of a machine")
	f.Float64Var(&j.hours, "shard-hours", 0.25, "hours that a shard takes on a machine")
	f.Float64Var(&j.lost, "lost", 0.05, "chance that a machine is taken away in an hour")
	f.Float64Var(&j.start, "start", 90, "seconds until a machine works")
	coreHour := f.Float64("core-hour", 0.015, "price of a processor for an hour")
	get := f.Float64("get", 0.4e-6, "price of a GET")
	put := f.Float64("put", 5e-6, "price of a PUT")
	region := f.Float64("other-region", 0.02, "price of a GB to another region")
	internet := f.Float64("internet", 0.09, "price of a GB to the internet")
	machines := f.String("machines", "1,2,4,8,100,350,1000", "numbers of machines")
	if err := f.Parse(args); err != nil {
		return fmt.Errorf("%w: %w", task.ErrSettings, err)
	}
	var counts []int
	for text := range strings.SplitSeq(*machines, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("%w: -machines: %q is no number of machines", task.ErrSettings, text)
		}
		counts = append(counts, n)
	}
	how := "not measured"
	copies := s.Mode == "blur" || s.Mode == "pixelate"
	if s.List != "" {
		m, err := task.Measure(ctx, s, *sample)
		if err != nil {
			return err
		}
		if j.pictures == 0 {
			j.pictures = float64(m.List)
		}
		j.seconds, j.bytes = m.Seconds, m.Bytes
		how = fmt.Sprintf("measured on %d of %d, of %.1f megapixels; %d could not be read", m.Pictures, m.List, m.Pixels/1e6, m.Failed)
	}
	if f.NArg() > 0 || j.seconds <= 0 || j.cores < 1 || j.hours <= 0 || !(j.lost >= 0 && j.lost < 1) || j.pictures < 1 {
		return fmt.Errorf("%w: want -list or -pictures, and numbers above 0", task.ErrSettings)
	}
	j.shards = int(math.Ceil(j.pictures * j.seconds / float64(j.cores) / 3600 / j.hours))
	each := float64(j.cores) / j.seconds // pictures a second
	fmt.Fprintf(stdout, "%.0f pictures of %.0f kB, %.1f ms of a processor each (%s)\n", j.pictures, j.bytes/1e3, 1e3*j.seconds, how)
	fmt.Fprintf(stdout, "%d shards of about %.0f pictures; a machine of %d processors reads %.0f pictures and %.1f MB a second\n", j.shards, j.pictures/float64(j.shards), j.cores, each, each*j.bytes/1e6)
	gb := j.pictures * j.bytes / 1e9
	fmt.Fprintf(stdout, "%.1f GB leave the bucket: nothing to pay in its region, $%.0f to another region, $%.0f to the internet, which is not in the table\n", gb, gb**region, gb**internet)
	limit := float64(getsASecond)
	requests := j.pictures**get + 4*float64(j.shards)**put
	if copies {
		requests += j.pictures * *put
		limit = putsASecond
	}
	fmt.Fprintf(stdout, "S3 answers %d GETs and %d PUTs a second for a prefix: the keys need as many prefixes as the last column says\n", getsASecond, putsASecond)
	fmt.Fprintln(stdout, "machines   hours  speed-up  machine-hours  lost %  processors $  requests $  together $  pictures/s  prefixes")
	first := 0.0
	for _, n := range counts {
		r := j.simulate(n, 1)
		if first == 0 {
			first = r.hours * float64(n)
		}
		price := r.used * float64(j.cores) * *coreHour
		rate := min(float64(n)*each, j.pictures/3600/r.hours)
		fmt.Fprintf(stdout, "%8d %7.1f %9.1f %14.0f %7.1f %13.2f %11.2f %11.2f %11.0f %9.0f\n", n, r.hours, first/r.hours, r.used, 100*r.wasted/r.used, price, requests, price+requests, rate, math.Ceil(rate/limit))
	}
	return nil
}

package labelling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/label"
	"haarlem/internal/eval"
	"haarlem/internal/train/verify"
)

// learner makes models of a lesson by commands of the program: a small soft cascade
// with a verifier that corrects boxes, calibrated, in some seconds.
func learner(run func(context.Context, []string, *cli.Streams) error) func(context.Context, *label.Lesson) (*cascade.Cascade, error) {
	return func(ctx context.Context, l *label.Lesson) (*cascade.Cascade, error) {
		quiet := &cli.Streams{Out: io.Discard, Err: io.Discard}
		in := func(name string) string { return filepath.Join(l.Dir, name+".cascade") }
		last := in("cascade")
		err := run(ctx, []string{
			"train", "-truth", l.Train, "-use-rest", "-template", "none", "-w", strconv.Itoa(l.Width), "-h", strconv.Itoa(l.Height), "-data", l.Dir,
			"-variants", strconv.Itoa(min(max(1000/l.Objects, 12), 30)), "-jitter", "default", "-shape", "soft", "-bt", "RAB", "-weak", "histogram", "-mode", "CORE",
			"-rounds", "100", "-features", "3000", "-loss", "0.02", "-numNeg", "2000", "-acceptanceRatioBreakValue", "1e-05", "-time", "45s",
		}, quiet)
		if err != nil {
			return nil, fmt.Errorf("train: %w", err)
		}
		for _, next := range []struct {
			name    string
			args    []string
			nothing error // there is nothing to learn: the model stays as it is
		}{
			{"verifier", []string{"-truth", l.Train, "-sides", "1.6", "-trees", "60", "-depth", "4", "-box-trees", "60", "-copies", "4"}, verify.ErrData},
			{"calibrate", []string{"-truth", l.Dev}, eval.ErrCalibration},
		} {
			err := run(ctx, append([]string{next.name, "-model", last, "-out", in(next.name)}, next.args...), quiet)
			switch {
			case err == nil:
				last = in(next.name)
			case !errors.Is(err, next.nothing):
				return nil, fmt.Errorf("%s: %w", next.name, err)
			}
		}
		return cascade.Open(last)
	}
}

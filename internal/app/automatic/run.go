package automatic

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/filelock"
	"haarlem/internal/app/input"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/internal/train/auto"
)

// autoFlags are those of auto.
type autoFlags struct {
	flags *cli.Flags
	run   func(context.Context, []string, *cli.Streams) error
	divideFlags

	out, settings, object string
	baselines, dataNames  []string
	resume, overwrite     bool
	time                  time.Duration
	memory                string
	minSize               int
	opencv                bool

	plan auto.Plan
}

// An autoRun is one run of the command.
type autoRun struct {
	v       *autoFlags
	s       *cli.Streams
	stem    string // of all files: the model's without .cascade
	work    string // folder
	lock    *filelock.Lock
	facts   *auto.Facts
	times   auto.Times
	journal *auto.Journal
	chosen  map[string]bool // flags whose values are chosen, not given
	limits  map[string]int  // of backgrounds, by the list they shorten

	last         string // step that made the model before calibration
	opencv       bool   // there is a cascade for OpenCV
	uncalibrated bool
}

// Files of the working folder.
const (
	autoSettings = "settings"
	autoJournal  = "journal.json"
	autoEnding   = ".auto"
	modelEnding  = ".cascade"
	suspectFile  = "suspects.csv"
	missesFolder = "test-misses"
)

// Names of steps, and of what they make in the working folder.
const (
	dataStep      = "data"
	cascadeStep   = "cascade"
	openCVStep    = "opencv"
	pruneStep     = "pruned"
	firstStep     = "verified"
	secondStep    = "verified-again"
	networkStep   = "network"
	calibrateStep = "calibrated"
	testStep      = "test"
	checkStep     = "reliability"
	crossStep     = "crossvalidated"
	thresholdStep = "threshold"
	suspectStep   = "suspects"
	pageStep      = "page"
)

// missesAt is the number of false positives at which misses are listed.
const missesAt = 100

func (r *autoRun) in(name string) string { return r.work + "/" + name }

// measuredReport reads what the measurement wrote.
func (r *autoRun) measuredReport() (*eval.Report, error) {
	var report eval.Report
	if err := input.ReadJSON(r.in(testStep+".json"), &report); err != nil {
		return nil, err
	}
	if len(report.Lines) == 0 {
		return nil, fmt.Errorf("%s: no figures in it", r.in(testStep+".json"))
	}
	return &report, nil
}

// copyWhole copies a file: the copy is whole, or there is none.
func copyWhole(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return samples.WriteAtomically(to, func(w io.Writer) error { _, err := w.Write(b); return err })
}

package training

import (
	"context"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/opencv"
)

// A command line of opencv_haartraining becomes ours.
func TestHaarTrainingFlags(t *testing.T) {
	parse := func(line string) (*trainFlags, error) {
		v := &trainFlags{}
		p := &cli.Program{Name: "train-cascade", Rewrite: func(args []string) []string { return opencv.Rewrite(opencv.WithCommand(args)) }}
		p.Commands = []*cli.Command{{Name: "train", Setup: func(f *cli.Flags, _ *cli.Streams) func(context.Context, []string) error {
			v.declare(f)
			return nil
		}}}
		_, err := p.Parse(strings.Fields(line))
		return v, err
	}
	v, err := parse("-data haar -vec a.vec -bg bg.txt -nstages 12 -nsplits 2 -minhitrate 0.999 -maxfalsealarm 0.4 -npos 700 -nneg 301 -w 20 -h 30 -nonsym -mem 512 -mode ALL -weighttrimming 0.9 -eqw -bt DAB")
	if err != nil {
		t.Fatal(err)
	}
	if v.data != "haar" || v.set.Stages.Count != 12 || v.set.Depth != 2 || v.set.Stages.HitRate != 0.999 || v.set.Stages.FalsePositiveRate != 0.4 || v.numPos != 700 || v.set.Negatives != 301 ||
		v.Width != 20 || v.Height != 30 || v.memory != "512MiB" || v.mode != "ALL" || v.trimRate != 0.9 || v.bt != "DAB" {
		t.Errorf("%+v", v)
	}
	if !v.flags.Given("numPos") || !v.flags.Given("maxDepth") || v.flags.Given("workers") {
		t.Error("flags that were given are not, or the other way round")
	}
	want := "flags of OpenCV: -nstages is -numStages, -nsplits 2 is -maxDepth 2, trees of up to 3 splits, -minhitrate is -minHitRate, -maxfalsealarm is -maxFalseAlarmRate, " +
		"-npos is -numPos, -nneg is -numNeg, -mem 512 is -memory 512MiB, -weighttrimming is -weightTrimRate; " +
		"without meaning here: -nonsym (features of both halves are always searched), -eqw (all objects together weigh as much as all negatives; -cost N gives objects N times the weight)"
	if got := v.opencv.Line(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if v, err = parse("train -data x"); err != nil || v.opencv.Line() != "" {
		t.Errorf("without them: %q, %v", v.opencv.Line(), err)
	}
	for nsplits, depth := range map[string]int{"1": 1, "3": 2, "4": 3, "7": 3, "8": 4} {
		if v, err := parse("train -nsplits " + nsplits); err != nil || v.set.Depth != depth {
			t.Errorf("-nsplits %s: depth %d, %v, want %d", nsplits, v.set.Depth, err, depth)
		}
	}
	for line, want := range map[string]string{
		"train -npos x":     "-npos",
		"train -nsplits 0":  "want 1 to 255 splits of a tree",
		"train -mem lots":   "want a number of megabytes",
		"train -bg-vecfile": "negatives are mined in pictures, and not taken from a .vec file: give pictures with -bg",
	} {
		if _, err := parse(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

package opencv

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"haarlem/internal/app/cli"
)

// HaarTraining accepts the flags of opencv_haartraining that opencv_traincascade
// has not, and remembers what became of them.
type HaarTraining struct {
	are  []string // flags of ours
	none []string // without meaning here
}

// Declare declares the flags.
func (h *HaarTraining) Declare(f *cli.Flags) {
	for _, same := range [][2]string{
		{"npos", "numPos"}, {"nneg", "numNeg"}, {"nstages", "numStages"}, {"minhitrate", "minHitRate"},
		{"maxfalsealarm", "maxFalseAlarmRate"}, {"weighttrimming", "weightTrimRate"},
	} {
		f.Foreign(same[0], false, func(text string) error {
			h.are = append(h.are, "-"+same[0]+" is -"+same[1])
			return f.Set(same[1], text)
		})
	}
	f.Foreign("nsplits", false, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 255 {
			return fmt.Errorf("want 1 to 255 splits of a tree")
		}
		depth := bits.Len(uint(n)) // the least whose trees have as many
		h.are = append(h.are, fmt.Sprintf("-nsplits %d is -maxDepth %d, trees of up to %d splits", n, depth, 1<<depth-1))
		return f.Set("maxDepth", strconv.Itoa(depth))
	})
	f.Foreign("mem", false, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("want a number of megabytes")
		}
		size := fmt.Sprintf("%dMiB", max(n, 64))
		h.are = append(h.are, "-mem "+text+" is -memory "+size)
		return f.Set("memory", size)
	})
	for _, useless := range []struct {
		name     string
		isSwitch bool
		why      string
	}{
		{"sym", true, "features of both halves are searched; -mirror learns from mirrored objects too"},
		{"nonsym", true, "features of both halves are always searched"},
		{"eqw", true, "all objects together weigh as much as all negatives; -cost N gives objects N times the weight"},
		{"err", false, "-bt says what weak classifiers minimise"},
		{"maxtreesplits", false, "stages are one chain, as with 0"},
		{"precalcValBufSize", false, "nothing is sorted beforehand; -memory bounds all that is used"},
		{"precalcIdxBufSize", false, "likewise"},
		{"baseFormatSave", true, "NAME.xml has the format that OpenCV reads since 2.4, and the one before it is not written"},
		{"minpos", false, "stages are one chain, which has no clusters"},
	} {
		f.Foreign(useless.name, useless.isSwitch, func(string) error {
			h.none = append(h.none, fmt.Sprintf("-%s (%s)", useless.name, useless.why))
			return nil
		})
	}
	f.Foreign("bg-vecfile", true, func(string) error {
		return fmt.Errorf("negatives are mined in pictures, and not taken from a .vec file: give pictures with -bg")
	})
}

// Line says how the flags were understood; empty without any.
func (h *HaarTraining) Line() string {
	var parts []string
	if len(h.are) > 0 {
		parts = append(parts, strings.Join(h.are, ", "))
	}
	if len(h.none) > 0 {
		parts = append(parts, "without meaning here: "+strings.Join(h.none, ", "))
	}
	if parts == nil {
		return ""
	}
	return "flags of OpenCV: " + strings.Join(parts, "; ")
}

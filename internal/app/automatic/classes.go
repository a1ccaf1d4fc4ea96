package automatic

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/training"
)

// trainEach makes a model of each class in the folder -out, one after another. What goes
// wrong with one does not keep the others from being made.
func trainEach(ctx context.Context, v *autoFlags, s *cli.Streams) error {
	if v.settings != "" || v.object != "" {
		return cli.Usagef("-out %s is a folder for a model of each class, which are named and have settings of their own: leave -object and -settings out, or name a file that ends in .cascade", v.out)
	}
	photos, err := input.ReadTruth(v.truth, v.format)
	if err != nil {
		return fmt.Errorf("-truth: %w", err)
	}
	column, classes := input.Classes(photos, v.where)
	if len(classes) == 0 {
		return cli.Usagef("-out is %q, want a file that ends in .cascade: the labels have no classes for a model of each", v.out)
	}
	if err := os.MkdirAll(v.out, 0o777); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	common := v.flags.Repeat(v.flags.Except("out", "time", "object", "help", "version"), nil, nil)
	if !v.opencv {
		common = append(common, "-opencv=false")
	}
	var failed []error
	taken := map[string]bool{} // in lower case: on some disks upper case is the same
	for i, class := range classes {
		stem := fileName(class)
		for taken[strings.ToLower(stem)] {
			stem += fmt.Sprintf("-%d", i)
		}
		taken[strings.ToLower(stem)] = true
		out := filepath.Join(v.out, stem+modelEnding)
		fmt.Fprintf(s.Err, "\nclass %s, %d of %d: %s\n", class, i+1, len(classes), out)
		args := append(slices.Clip(common), "-where", column+"="+class, "-object", class, "-out", out, "-time", (v.time / time.Duration(len(classes))).Round(time.Second).String())
		if err := v.run(ctx, append([]string{"auto"}, args...), s); ctx.Err() != nil {
			return err
		} else if err != nil {
			fmt.Fprintf(s.Err, "class %s: %v\n", class, err)
			failed = append(failed, fmt.Errorf("class %s: %w", class, err))
		}
	}
	if len(failed) < len(classes) {
		fmt.Fprintf(s.Err, "\ndetect -model %s searches for %d objects together\n", v.out, len(classes)-len(failed))
	}
	return errors.Join(failed...)
}

// fileName makes the name of a file of that of a class.
func fileName(class string) string {
	var b strings.Builder
	for _, r := range class {
		if before := "x"[:min(b.Len(), 1)]; !training.IsFileName(before + string(r)) {
			r = '_'
		}
		b.WriteRune(r)
	}
	return b.String()
}

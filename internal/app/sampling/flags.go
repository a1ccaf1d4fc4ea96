package sampling

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

// samplesFlags are those of samples. Those of opencv_createsamples have its
// names.
type samplesFlags struct {
	flags        *cli.Flags
	truth        []string
	format, info string
	out, vec     string
	sheet, show  string
	overwrite    bool
	num          int
	pngOutput    string
	maxScale     float64
	input.WindowFlags

	img                             string
	bg                              []string
	bgColor, bgThresh, maxDeviation int
	invert, invertRandom            bool
	maxX, maxY, maxZ                float64
}

// oneOptions parses the flags about -img.
func (v *samplesFlags) oneOptions() (*augment.OneOptions, error) {
	for _, flag := range []string{"variants", "mirror", "template", "margin", "where", "flip", "min-size", "format"} {
		if v.flags.Given(flag) {
			return nil, cli.Usagef("-%s is for photographs, and means nothing with -img", flag)
		}
	}
	o := &augment.OneOptions{
		Width: v.Width, Height: v.Height,
		MaxX: v.maxX, MaxY: v.maxY, MaxZ: v.maxZ,
		MaxDeviation: v.maxDeviation, Invert: v.invert, InvertRandom: v.invertRandom,
		Seed: v.Seed, Workers: v.Workers,
	}
	level, within := v.bgColor, v.bgThresh
	if level < -1 || level > 255 || within < 0 || within > 255 {
		return nil, cli.Usagef("-bgcolor is %d and -bgthresh %d, want grey levels of 0 to 255, or -bgcolor -1", level, within)
	}
	if level >= 0 {
		o.Ground = &augment.Key{Level: uint8(level), Within: uint8(within)}
	}
	if v.num < 0 {
		return nil, cli.Usagef("-num is %d, want 1 or more", v.num)
	}
	return o, nil
}

// backgrounds reads and checks those of -bg; nil without the flag.
func (v *samplesFlags) backgrounds(ctx context.Context, stderr io.Writer) ([]samples.Background, error) {
	paths := v.bg
	if len(paths) == 0 {
		return nil, nil
	}
	all, err := samples.Backgrounds(paths, nil)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no backgrounds: there is no picture in %s", strings.Join(paths, ", "))
	}
	all, report, err := samples.CheckBackgrounds(ctx, all, nil, &samples.CheckOptions{Width: v.Width, Height: v.Height, Workers: v.Workers})
	if err != nil {
		return nil, err
	}
	fmt.Fprint(stderr, report)
	if len(all) == 0 {
		return nil, fmt.Errorf("no backgrounds: of those in %s none is left", strings.Join(paths, ", "))
	}
	return all, nil
}

// shown returns how large sheets show a pixel. It checks the window's size too.
func (v *samplesFlags) shown() (zoom int, err error) {
	if w, h := v.Width, v.Height; w < 4 || w > 512 || h < 4 || h > 512 {
		return 0, cli.Usagef("-w is %d and -h %d, want windows of 4 to 512 pixels a side", w, h)
	}
	if v.show == "" {
		return output.SheetZoom, nil
	}
	z, err := strconv.ParseFloat(v.show, 64)
	if err != nil || !(z >= 1 && z <= 32) {
		return 0, cli.Usagef("-show is %q, want how large the sheet shows a pixel, from 1 to 32", v.show)
	}
	return int(z), nil
}

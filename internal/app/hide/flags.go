package hide

import (
	"image"
	"slices"
	"strconv"
	"strings"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/find"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/search"
	pixels "haarlem/internal/obscure"
	"haarlem/picture"
	"haarlem/track"
)

// hideFlags say what of a video is hidden.
type hideFlags struct {
	failSafe, wholeFrame, solid, sound, resume bool
	rois, keeps                                []string
	largest                                    int
	report                                     string
}

func (v *hideFlags) declare(f *cli.Flags) {
	f.Group("Videos")
	f.Bool(&v.failSafe, "fail-safe", "hide the place where a face was last seen, and a growing part around it, until a face is seen there again or the shot changes, but not for long if it was there for less than a second; -fail-safe=false hides half a second")
	f.Bool(&v.wholeFrame, "whole-frame", "hide all of a frame in which the place of a face is not known")
	f.Strings(&v.rois, "roi", "look for faces in `X,Y,WIDTH,HEIGHT` only; may be repeated")
	f.Int(&v.largest, "max-faces", "hide at most the `N` best faces of a frame")
	f.Strings(&v.keeps, "keep", "leave the face with this `TRACK` visible, a number of -report; may be repeated")
	f.String(&v.report, "report", "list uncertain frames, with small pictures of the result, in `FILE`.html for a person to check")
	f.Bool(&v.sound, "sound", "copy the sound, though a voice may identify somebody; needs ffmpeg")
	f.Bool(&v.resume, "resume", "go on with a run over a file that was killed; the same flags again")
}

// hideOptions are the flags when they are read.
type hideOptions struct {
	hideFlags
	smooth bool
	margin float64
	areas  []image.Rectangle // empty: everywhere
	kept   []int
}

func (v *hideFlags) options(smooth bool, margin float64) (*hideOptions, error) {
	o := &hideOptions{hideFlags: *v, smooth: smooth, margin: margin}
	for _, text := range v.rois {
		var n [4]int
		words := strings.Split(text, ",")
		for i := range n {
			var err error
			if len(words) != 4 {
				err = strconv.ErrSyntax
			} else {
				n[i], err = strconv.Atoi(strings.TrimSpace(words[i]))
			}
			if err != nil || n[i] < 0 || n[i] > 1<<20 || i > 1 && n[i] == 0 {
				return nil, cli.Usagef("-roi %q: want X,Y,WIDTH,HEIGHT in pixels, such as 0,0,640,360", text)
			}
		}
		o.areas = append(o.areas, image.Rect(n[0], n[1], n[0]+n[2], n[1]+n[3]))
	}
	for _, text := range v.keeps {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, cli.Usagef("-keep %q: want the number of a track, from 1", text)
		}
		o.kept = append(o.kept, n)
	}
	if v.largest < 0 {
		return nil, cli.Usagef("-max-faces %d: want 1 or more", v.largest)
	}
	if v.report != "" && frames.Extension(v.report) != ".html" {
		return nil, cli.Usagef("-report %s: want a name that ends in .html", v.report)
	}
	return o, nil
}

// wanted leaves those detections that the flags ask for, and their descriptors.
func (o *hideOptions) wanted(f *frames.Frame) {
	inside := func(box image.Rectangle) bool {
		middle := image.Pt((box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2)
		return len(o.areas) == 0 || slices.ContainsFunc(o.areas, func(a image.Rectangle) bool { return middle.In(a) })
	}
	var found []detector.Detection
	var looks []*track.Descriptor
	for i, d := range f.Found { // the best first
		if inside(d.Box) && (o.largest == 0 || len(found) < o.largest) {
			found, looks = append(found, d), append(looks, f.Looks[i])
		}
	}
	f.Found, f.Looks = found, looks
}

// hide hides regions of a frame, and says why it is uncertain; empty if it is not.
func (o *hideOptions) hide(f *frames.Frame, regions []track.Region, strong float64) (doubt string) {
	var boxes []image.Rectangle
	for _, r := range regions {
		if slices.Contains(o.kept, r.Number) {
			continue
		}
		boxes = append(boxes, r.Box)
		switch {
		case r.Why == track.Held:
			doubt = "the place of a face is not known"
		case r.Why == track.Filled && doubt == "":
			doubt = "a face is guessed"
		case r.Score < strong && doubt == "":
			doubt = "a doubtful face"
		}
	}
	if o.wholeFrame && slices.ContainsFunc(regions, func(r track.Region) bool {
		return r.Why == track.Held && !slices.Contains(o.kept, r.Number)
	}) {
		boxes = []image.Rectangle{f.Bounds()}
	}
	switch {
	case o.solid:
		picture.Cover(f.Canvas(), boxes, o.margin)
	case f.Planes != nil:
		pixels.Planes(f.Planes, boxes, o.margin, o.smooth)
	default:
		pixels.InPlace(f.Image, boxes, o.margin, o.smooth)
	}
	return doubt
}

// obscureFlags are those of blur and pixelate.
type obscureFlags struct {
	out, format string
	outFormat   string
	stream      string
	margin      float64
	overwrite   bool
	frames.StreamFlags
	hideFlags
	find.ShardFlags
	find.PictureFlags
	search.Flags
}

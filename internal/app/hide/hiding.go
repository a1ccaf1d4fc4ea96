package hide

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"haarlem/internal/app/console"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/wholefile"
	"haarlem/track"
)

// A hiding is what is counted while a video is hidden.
type hiding struct {
	options *hideOptions
	strong  float64
	guard   *track.Guard
	scene   track.Scene
	sheet   *doubtSheet    // nil: not wanted
	why     map[string]int // regions
	held    map[int]int    // frames in which a track was hidden and not found
	shots   int
}

func newHiding(o *hideOptions, strong float64) *hiding {
	h := &hiding{options: o, strong: strong, why: map[string]int{}, held: map[int]int{}}
	if o.report != "" {
		h.sheet = &doubtSheet{}
	}
	return h
}

// start makes the guard when the size of frames is known. delay is 0 for all frames.
func (h *hiding) start(f *frames.Frame, delay int) error {
	if h.guard != nil {
		return nil
	}
	var err error
	h.guard, err = track.NewGuard(&track.GuardOptions{Strong: h.strong, Hold: h.options.failSafe, Delay: delay, Bounds: f.Bounds()})
	return err
}

// add tells the guard about a frame.
func (h *hiding) add(f *frames.Frame) ([]track.Region, bool) {
	cut := h.scene.Cut(f.Thumbnail)
	if cut {
		h.shots++
	}
	return h.guard.Add(f.At, f.Found, f.Looks, cut)
}

// count counts regions.
func (h *hiding) count(regions []track.Region) {
	for _, r := range regions {
		h.why[r.Why]++
		if r.Why == track.Held {
			h.held[r.Number]++
		}
	}
}

// summary says what was done.
func (h *hiding) summary(frames int) string {
	said := fmt.Sprintf("%s in %s, boxes: %d found, %d guessed beside them, %d held until a face was seen again%s",
		console.Count(frames, "frame"), console.Count(h.shots+1, "shot"), h.why[track.Found], h.why[track.Filled], h.why[track.Held], h.reasons())
	if h.sheet != nil {
		said += fmt.Sprintf("; %s to check in %s", console.Count(h.sheet.frames, "frame"), h.options.report)
	}
	return said
}

// reasons names the tracks that were held longest: what they hide is to be checked first.
func (h *hiding) reasons() string {
	numbers := slices.SortedFunc(maps.Keys(h.held), func(a, b int) int { return cmp.Or(h.held[b]-h.held[a], a-b) })
	var all []string
	for _, n := range numbers[:min(len(numbers), 3)] {
		all = append(all, fmt.Sprintf("track %d for %s", n, console.Count(h.held[n], "frame")))
	}
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// write writes the list of uncertain frames, as far as it goes.
func (h *hiding) write(overwrite bool, name string) error {
	if h.sheet == nil {
		return nil
	}
	return wholefile.Write(h.options.report, overwrite, func(w io.Writer) error { return h.sheet.write(w, name) })
}

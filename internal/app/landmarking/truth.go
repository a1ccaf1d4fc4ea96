package landmarking

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/luma"
	"haarlem/internal/samples"
	"haarlem/landmarks"
)

// A marked is an object with known points, in an image.
type marked struct {
	file   string
	plane  luma.Plane
	object samples.Object
	points []landmarks.Point
}

// markedFlags select marked objects.
type markedFlags struct {
	truth, pick, offset []string
	format              string
}

func (v *markedFlags) declare(f *cli.Flags) {
	v.format = "auto"
	f.Group("Data")
	f.Strings(&v.truth, "truth", "`FILE` of pictures with points; may be repeated")
	f.Choice(&v.format, "format", []string{"auto", "csv", "landmarks", "imglab", "labelme"}, "`FORMAT` of -truth: auto, csv, landmarks, imglab or labelme")
	f.Strings(&v.pick, "pick", "use these `POINTS` of -truth: numbers from 1 on with blanks between, each also the mean of several, as in \"37:42 43:48 31 49 55\" for five of 68. Once for all files, or once for each")
	f.Strings(&v.offset, "offset", "add `X,Y` to the points of -truth, for files in which 0,0 is the middle of a pixel: 0.5,0.5. Once for all files, or once for each")
}

// readMarked reads the pictures and points of -truth. Objects without points,
// and ignored ones, are left out.
func readMarked(v *markedFlags) ([]marked, error) {
	paths := v.truth
	each := func(flag string, given []string) ([]string, error) {
		switch len(given) {
		case 0:
			return make([]string, len(paths)), nil
		case len(paths):
			return given, nil
		case 1:
			return slices.Repeat(given, len(paths)), nil
		}
		return nil, cli.Usagef("-%s is given %d times, want once or, as -truth, %d times", flag, len(given), len(paths))
	}
	picks, err := each("pick", v.pick)
	if err != nil {
		return nil, err
	}
	offsets, err := each("offset", v.offset)
	if err != nil {
		return nil, err
	}
	var all []marked
	for i, path := range paths {
		pick, err := parsePick(picks[i])
		if err != nil {
			return nil, err
		}
		offset, err := parseOffset(offsets[i])
		if err != nil {
			return nil, err
		}
		photos, err := input.ReadTruth([]string{path}, v.format)
		if err != nil {
			return nil, err
		}
		for _, p := range photos {
			var g luma.Plane
			for _, o := range p.Objects {
				if o.Ignore || len(o.Marks) == 0 {
					continue
				}
				points, err := pick.of(o.Marks, offset)
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", path, p.File, err)
				}
				if len(all) > 0 && len(all[0].points) != len(points) {
					return nil, fmt.Errorf("%s: %s has %d points, and %s has %d: -pick chooses some", path, p.File, len(points), all[0].file, len(all[0].points))
				}
				if g.Pix == nil {
					m, err := samples.ReadGrey(p.File)
					if err != nil {
						return nil, err
					}
					g, _ = luma.Of(m, nil)
				}
				all = append(all, marked{p.File, g, o, points})
			}
		}
	}
	if len(all) == 0 {
		return nil, cli.Usagef("-truth: no object with points in it")
	}
	return all, nil
}

// A pick lists ranges of a file's points, counted from 0, whose means are the
// points to use. Without any they are the file's.
type pick [][2]int

func parsePick(text string) (pick, error) {
	var p pick
	for word := range strings.FieldsSeq(text) {
		pair := word
		if !strings.Contains(word, ":") {
			pair = word + ":" + word
		}
		r, err := parsePair(pair, ":", math.MaxUint16)
		if err != nil || r[1] < r[0] {
			return nil, cli.Usagef("-pick %q: %q, want the number of a point, from 1 on, or FIRST:LAST", text, word)
		}
		p = append(p, r)
	}
	return p, nil
}

// parsePair parses the numbers of two of n points, and counts them from 0.
func parsePair(text, between string, n int) (pair [2]int, err error) {
	left, right, _ := strings.Cut(text, between)
	for i, word := range []string{left, right} {
		v, err := strconv.ParseUint(word, 10, 16)
		if err != nil || v < 1 || int(v) > n {
			return pair, strconv.ErrRange
		}
		pair[i] = int(v) - 1
	}
	return pair, nil
}

func (p pick) of(marks []samples.Point, offset landmarks.Point) ([]landmarks.Point, error) {
	if len(p) == 0 {
		for i := range marks {
			p = append(p, [2]int{i, i})
		}
	}
	var points []landmarks.Point
	for _, r := range p {
		if r[1] >= len(marks) {
			return nil, fmt.Errorf("-pick wants point %d, and there are %d", r[1]+1, len(marks))
		}
		var s landmarks.Point
		for _, m := range marks[r[0] : r[1]+1] {
			s.X += m.X
			s.Y += m.Y
		}
		n := float64(r[1] - r[0] + 1)
		points = append(points, landmarks.Point{X: s.X/n + offset.X, Y: s.Y/n + offset.Y})
	}
	return points, nil
}

func parseOffset(text string) (landmarks.Point, error) {
	if text == "" {
		return landmarks.Point{}, nil
	}
	left, right, ok := strings.Cut(text, ",")
	x, err1 := strconv.ParseFloat(left, 64)
	y, err2 := strconv.ParseFloat(right, 64)
	if !ok || err1 != nil || err2 != nil || !(math.Abs(x)+math.Abs(y) < 1e6) {
		return landmarks.Point{}, cli.Usagef("-offset %q: want X,Y in pixels, such as 0.5,0.5", text)
	}
	return landmarks.Point{X: x, Y: y}, nil
}

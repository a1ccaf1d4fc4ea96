package video

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/wholefile"
	"haarlem/internal/mot"
)

const evalTracksText = `
Compares the tracks that detect video wrote as lines of JSON with the truth, and
prints MOT metrics: IDF1 (are faces found, and under one number), MOTA (misses,
false positives and changes of number), the number of changes, and more.

TRUTH is CSV with the columns frame, id, x, y, width, height and, if it has it,
visible, the share that can be seen: what is less than half visible need not be
found. Frames are counted from 0, as in the lines.`

// evalFlags are those of eval-tracks.
type evalFlags struct {
	truth, output string
	overlap       float64
}

func EvalTracksCommand() *cli.Command {
	return &cli.Command{
		Name: "eval-tracks", Summary: "measure tracks against the truth", Args: "-truth TRUTH LINES.jsonl|-", Text: evalTracksText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &evalFlags{overlap: 0.5, output: "text"}
			f.String(&v.truth, "truth", "the boxes of each frame, in `TRUTH`, a CSV file")
			f.Float(&v.overlap, "overlap", "boxes match if they share at least `O` of the area that they cover together")
			f.Choice(&v.output, "format", []string{"text", "json"}, "print `FORMAT`: text or json")
			return func(_ context.Context, args []string) error { return evalTracks(s, v, args) }
		},
	}
}

func evalTracks(s *cli.Streams, v *evalFlags, args []string) error {
	switch {
	case len(args) != 1:
		return cli.Usagef("eval-tracks: want one file of lines, not %d (detect eval-tracks -help says more)", len(args))
	case v.truth == "":
		return cli.Usagef("eval-tracks: -truth is missing")
	case !(v.overlap > 0 && v.overlap <= 1):
		return cli.Usagef("-overlap %v: want more than 0 and at most 1", v.overlap)
	}
	truth, err := readWith(v.truth, nil, readTruth)
	if err != nil {
		return err
	}
	found, err := readWith(args[0], s.In, readTracks)
	if err != nil {
		return err
	}
	r := mot.Evaluate(truth, found, v.overlap)
	if v.output == "json" {
		return json.NewEncoder(s.Out).Encode(r)
	}
	_, err = io.WriteString(s.Out, r.String())
	return err
}

// readWith reads a file, or stdin if its name is - and there is one.
func readWith(path string, stdin io.Reader, read func(io.Reader) ([]mot.Box, error)) ([]mot.Box, error) {
	r := stdin
	if path != "-" || stdin == nil {
		if err := wholefile.Check(path); err != nil {
			return nil, cli.Usage(err)
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, cli.Usage(err)
		}
		defer f.Close()
		r = f
	}
	all, err := read(r)
	if err != nil {
		err = fmt.Errorf("%s: %w", frames.Shown(path), err)
	}
	return all, err
}

const minVisible = 0.5

func readTruth(r io.Reader) ([]mot.Box, error) {
	rows := csv.NewReader(r)
	head, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("the first line: %w", err)
	}
	columns := []string{"frame", "id", "x", "y", "width", "height"}
	var at [6]int
	for i, name := range columns {
		if at[i] = slices.Index(head, name); at[i] < 0 {
			return nil, fmt.Errorf("line 1: no column %q in %q; want %q", name, head, columns)
		}
	}
	visible := slices.Index(head, "visible")
	var all []mot.Box
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		line, _ := rows.FieldPos(0)
		var n [6]int
		for i := range n {
			if n[i], err = strconv.Atoi(row[at[i]]); err != nil || n[i] < math.MinInt32 || n[i] > math.MaxInt32 || i != 2 && i != 3 && n[i] < 0 {
				return nil, fmt.Errorf("line %d: %s is %q, want a whole number", line, columns[i], row[at[i]])
			}
		}
		b := mot.Box{Frame: n[0], ID: n[1], Rectangle: image.Rect(n[2], n[3], n[2]+n[4], n[3]+n[5])}
		if visible >= 0 {
			share, err := strconv.ParseFloat(row[visible], 64)
			if err != nil || !(share >= 0 && share <= 1) {
				return nil, fmt.Errorf("line %d: visible is %q, want 0 to 1", line, row[visible])
			}
			b.Ignored = share < minVisible
		}
		all = append(all, b)
	}
}

// readTracks reads lines of detect video. Faces without a track are left out.
func readTracks(r io.Reader) ([]mot.Box, error) {
	var all []mot.Box
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		var f Line
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		for _, face := range f.Faces {
			if s := face.Shown; face.Track > 0 {
				all = append(all, mot.Box{Frame: f.Frame, ID: face.Track, Rectangle: image.Rect(s.X, s.Y, s.X+s.Width, s.Y+s.Height)})
			}
		}
	}
	return all, lines.Err()
}

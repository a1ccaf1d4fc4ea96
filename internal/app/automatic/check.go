package automatic

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
)

const checkText = `Checks labelled photographs and backgrounds before a training. Nothing is written.

   train-cascade check -truth cups.csv -bg photos/
   train-cascade check -truth train.csv -truth test.csv

It prints a table of the classes with numbers, sizes and shapes of their boxes, and what
is probably wrong, with what to do about each. Each -truth is a part: pictures that two
parts show are named, also moved, mirrored, cropped or brighter ones.

The exit status is 1 if something must be mended: lines that cannot be read, missing or
unreadable pictures, labels outside their picture, copies of a box, and pictures in two
parts. train-cascade auto prints the same check first.`

// Check is check.
func Check() *cli.Command {
	return &cli.Command{
		Name: "check", Summary: "check labelled photographs before a training, and say what to mend", Text: checkText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &divideFlags{}
			format := "text"
			f.Group("Data")
			v.declareFiles(f)
			f.Group("Output")
			f.Choice(&format, "output", []string{"text", "json"}, "print `FORMAT` to stdout: text or json")
			f.Group("Run")
			f.Int(&v.workers, "workers", "use `N` goroutines; one for each processor if not given. The result does not depend on it")
			return func(ctx context.Context, _ []string) error { return checkData(ctx, v, format == "json", s.Out, s.Err) }
		},
	}
}

// A finding is what check prints in JSON of one kind.
type finding struct {
	What  string   `json:"what"`
	Count int      `json:"count"`
	Where []string `json:"where,omitempty"` // the first of them
	Do    string   `json:"do"`
	Mend  bool     `json:"mend"`
}

func checkData(ctx context.Context, v *divideFlags, asJSON bool, stdout, stderr io.Writer) error {
	if len(v.truth) == 0 {
		return cli.Usagef("nothing to check: give -truth FILE")
	}
	if _, err := samples.ParseFormat(v.format); err != nil {
		return cli.Usage(fmt.Errorf("-format: %w", err))
	}
	backgrounds, err := input.ListPictures(v.bg)
	if err != nil {
		return fmt.Errorf("-bg: %w", err)
	}
	var all []samples.Photo
	var findings []finding // before those of the health
	partOf, index := map[string]int{}, map[string]int{}
	twice := finding{What: "pictures in two of -truth", Do: "remove them from one: what is measured on them is too good", Mend: true}
	for part, path := range v.truth {
		photos, err := input.ReadTruth([]string{path}, v.format)
		if err != nil {
			findings = append(findings, finding{What: "errors in " + path, Count: 1, Where: []string{err.Error()}, Do: "mend these lines, or put the pictures where the file says; a file with bad lines is not checked further", Mend: true})
		}
		for _, p := range photos {
			k, seen := index[p.File]
			if !seen {
				index[p.File], partOf[p.File] = len(all), part
				all = append(all, p)
				continue
			}
			all[k].Objects = slices.Concat(all[k].Objects, p.Objects)
			if twice.Count++; len(twice.Where) < 10 {
				twice.Where = append(twice.Where, p.File)
			}
		}
	}
	if twice.Count > 0 {
		findings = append(findings, twice)
	}
	if err := v.box(all); err != nil {
		return err
	}
	if len(v.where) > 0 {
		if err := v.only(all); err != nil {
			return err
		}
	}
	h, err := examine(ctx, all, backgrounds, v.workers, stderr)
	if err != nil {
		return err
	}
	defer h.close()
	var files []string
	for i := range h.clear {
		if _, labelled := partOf[h.clear[i].File]; !labelled && len(h.clear[i].Exclude) == 0 {
			files = append(files, h.clear[i].File)
		}
	}
	if h.same, err = samples.Copies(ctx, all, files, &h.options); err != nil {
		return err
	}
	// Duplicates in one part are reported already, and backgrounds are in no part.
	kept := map[string]bool{}
	for i := range h.kept {
		kept[h.kept[i].File] = true
	}
	var groups [][]string
	for _, g := range h.same.Groups {
		first := partOf[g[0]]
		g = slices.DeleteFunc(g, func(f string) bool {
			part, labelled := partOf[f]
			return !labelled || !kept[f] && part == first
		})
		if len(g) > 1 {
			groups = append(groups, g)
		}
	}
	h.same.Groups = groups
	h.reports[0].Copies(h.same, func(file string) int { return partOf[file] })
	return h.print(findings, asJSON, stdout)
}

// print prints the health after what was found before it. The error sets the exit
// status if something must be mended.
func (h *health) print(findings []finding, asJSON bool, stdout io.Writer) error {
	before := len(findings)
	for _, r := range h.reports {
		for _, f := range r.Findings {
			findings = append(findings, finding{r.What + ": " + f.Kind.String(), f.Count, f.Names, f.Do, f.Mend})
		}
	}
	for _, d := range h.doubts {
		f := finding{What: d.What, Count: d.Count, Do: d.Do, Mend: d.Mend}
		if d.Example != "" {
			f.Where = []string{d.Example}
		}
		findings = append(findings, f)
	}
	mend := 0
	for _, f := range findings {
		if f.Mend {
			mend++
		}
	}
	var err error
	if asJSON {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		err = e.Encode(struct {
			Photographs int          `json:"photographs"`
			Objects     int          `json:"objects"`
			Backgrounds int          `json:"backgrounds"`
			Classes     []classStats `json:"classes"`
			Findings    []finding    `json:"findings"`
			Mend        int          `json:"mend"` // findings that must be mended
		}{h.reports[0].Given, h.reports[0].GivenObjects, h.reports[1].Given, h.classes, findings, mend})
	} else {
		for _, f := range findings[:before] {
			fmt.Fprintf(stdout, "%s (%d): %s\n", f.What, f.Count, f.Do)
			for _, where := range f.Where {
				fmt.Fprintln(stdout, "  "+strings.ReplaceAll(where, "\n", "\n  "))
			}
		}
		if err = h.write(stdout); err == nil && mend > 0 {
			_, err = fmt.Fprintf(stdout, "%s to mend\n", output.Count(mend, "finding"))
		}
	}
	if err == nil && mend > 0 {
		err = cli.Exit(cli.StatusFailed)
	}
	return err
}

package automatic

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/samples"
	"haarlem/internal/train/auto"
)

// notSettings are flags that settings do not have.
var notSettings = []string{"out", "resume", "overwrite", "settings"}

// limitPrefix begins the settings that are no flags: how many backgrounds a step
// searches.
const limitPrefix = "limit."

// chosenMark begins the name of a setting that was chosen: a run with the same data
// keeps it, and chooses anew where the line is gone.
const chosenMark = "chosen."

// readSettings takes what the command line does not say from a file.
func (r *autoRun) readSettings(path, what string) error {
	if path == "" {
		return nil
	}
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s%w", what, err)
	}
	defer in.Close()
	all, err := auto.ParseSettings(in)
	if err != nil {
		return fmt.Errorf("%s%s: %w", what, path, err)
	}
	f := r.v.flags
	given := map[string]bool{}
	for _, name := range f.Names() {
		given[name] = f.Given(name)
	}
	for _, s := range all {
		if list, ok := strings.CutPrefix(s.Name, limitPrefix); ok {
			n, err := strconv.Atoi(s.Value)
			if err != nil || n < 1 {
				return fmt.Errorf("%s%s: %s is %q, want a number of pictures", what, path, s.Name, s.Value)
			}
			r.limits[list] = n
			continue
		}
		name, chosen := strings.CutPrefix(s.Name, chosenMark)
		if slices.Contains(notSettings, name) {
			return cli.Usagef("%s%s: %s belongs on the command line", what, path, name)
		}
		if given[name] {
			continue
		}
		if err := f.Set(name, s.Value); err != nil {
			return fmt.Errorf("%s%s: %w", what, path, err)
		}
		r.chosen[name] = chosen
	}
	return nil
}

// writeSettings writes all settings: given, chosen and measured ones.
func (r *autoRun) writeSettings() error {
	all := []auto.Setting{{Value: "train-cascade auto -settings FILE reads these; names are those of its flags"}}
	var chosen []auto.Setting
	f := r.v.flags
	for _, name := range f.Names() {
		if slices.Contains(notSettings, name) || name == "help" || name == "version" || !f.Given(name) && !r.chosen[name] {
			continue
		}
		for _, value := range f.Values(name) {
			if r.chosen[name] {
				chosen = append(chosen, auto.Setting{Name: chosenMark + name, Value: value})
			} else {
				all = append(all, auto.Setting{Name: name, Value: value})
			}
		}
	}
	all = append(all, auto.Setting{Value: "chosen from the data and the time; without a line it is chosen anew"})
	all = append(all, chosen...)
	for _, list := range slices.Sorted(maps.Keys(r.limits)) {
		all = append(all, auto.Setting{Name: limitPrefix + list, Value: strconv.Itoa(r.limits[list])})
	}
	return samples.WriteAtomically(r.in(autoSettings), func(w io.Writer) error { return auto.WriteSettings(w, all) })
}

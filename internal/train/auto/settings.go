package auto

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Setting is a line of a file of settings: a flag's name, and its value.
type Setting struct{ Name, Value string }

// ErrSettings is what errors about a file of settings wrap.
var ErrSettings = errors.New("auto: bad settings")

// Limits of a file of settings.
const (
	maxSettings = 1000
	maxLine     = 4096
)

// ParseSettings reads settings, a line each:
//
//	# what is found
//	truth = cups.csv
//	time = 30m
//
// Names are those of flags. What follows the first = is the value, without the
// space around it; a flag that may be given several times has several lines. Empty
// lines and those that begin with # say nothing.
func ParseSettings(r io.Reader) ([]Setting, error) {
	var all []Setting
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok || name == "" || name[0] == '-' || strings.ContainsAny(name, " \t"):
			return nil, fmt.Errorf("%w: line %d: %q, want NAME = VALUE with the name of a flag, without its dash", ErrSettings, n, clipped(line))
		case len(all) == maxSettings:
			return nil, fmt.Errorf("%w: line %d: more than %d settings", ErrSettings, n, maxSettings)
		}
		all = append(all, Setting{name, value})
	}
	if err := in.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, fmt.Errorf("%w: a line of more than %d bytes", ErrSettings, maxLine)
		}
		return nil, err
	}
	return all, nil
}

func clipped(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// WriteSettings writes settings that ParseSettings reads. A setting without a name is
// a comment.
func WriteSettings(w io.Writer, all []Setting) error {
	for _, s := range all {
		line := s.Name + " = " + s.Value
		switch {
		case s.Name == "":
			line = "# " + s.Value
		case strings.ContainsAny(s.Name+s.Value, "\n\r") || len(line) >= maxLine || s.Value != strings.TrimSpace(s.Value):
			return fmt.Errorf("%w: the value of %s cannot stand in a line: %q", ErrSettings, s.Name, clipped(s.Value))
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

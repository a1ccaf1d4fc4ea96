package auto

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Step is a command of a training.
type Step struct {
	Name  string
	Args  []string // of train-cascade
	Out   string   // file for what it prints; "" if it is only shown
	After []string // names of the steps whose results it reads
}

// A Done is a step that was finished.
type Done struct {
	Name    string   `json:"name"`
	Args    []string `json:"args"`
	Seconds float64  `json:"seconds"`
	Skipped string   `json:"skipped,omitempty"` // why it came to nothing, which is no failure
}

// A Journal is the steps that were finished, in their order. A step that was done
// again stands where it was done last.
type Journal struct{ All []Done }

// ErrJournal is what errors about a journal that cannot be read wrap.
var ErrJournal = errors.New("auto: bad journal")

// ReadJournal reads what [Journal.Write] wrote.
func ReadJournal(r io.Reader) (*Journal, error) {
	const largest = 1 << 20
	b, err := io.ReadAll(io.LimitReader(r, largest+1))
	if err != nil {
		return nil, err
	}
	j := &Journal{}
	if len(b) > largest {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrJournal, largest)
	}
	if err := json.Unmarshal(b, &j.All); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJournal, err)
	}
	return j, nil
}

// Write writes a journal.
func (j *Journal) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(j.All)
}

// Has reports whether a step is done with these arguments, after all that it reads
// was. Flags that have no say in a result do not count.
func (j *Journal) Has(s *Step) bool {
	at := j.index(s.Name)
	if at < 0 || !slices.Equal(decisive(j.All[at].Args), decisive(s.Args)) {
		return false
	}
	return !slices.ContainsFunc(s.After, func(name string) bool { return j.index(name) > at })
}

// Add notes a step as done now.
func (j *Journal) Add(d Done) {
	if at := j.index(d.Name); at >= 0 {
		j.All = slices.Delete(j.All, at, at+1)
	}
	j.All = append(j.All, d)
}

// Skipped says why a step came to nothing; it is empty if it did not.
func (j *Journal) Skipped(name string) string {
	if at := j.index(name); at >= 0 {
		return j.All[at].Skipped
	}
	return ""
}

// Seconds is how long a step took; 0 if it is not done.
func (j *Journal) Seconds(name string) float64 {
	if at := j.index(name); at >= 0 {
		return j.All[at].Seconds
	}
	return 0
}

func (j *Journal) index(name string) int {
	return slices.IndexFunc(j.All, func(d Done) bool { return d.Name == name })
}

// decisive are the arguments that have a say in a result.
func decisive(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-memory", "-workers":
			i++
		case "-overwrite", "-resume":
		default:
			out = append(out, args[i])
		}
	}
	return out
}

package shard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"haarlem/internal/par"
)

// A Result is what became of one name.
type Result struct {
	Line    []byte // of results, with its newline; several, or none
	Objects int    // that were found
	Failure string // why the name can never be done; empty if it was
}

// Work does one name. An error ends the shard, which is for another try then. It is
// called for several names at once, and its result depends on the name only.
type Work func(ctx context.Context, name string) (Result, error)

// An Outcome is what a call of [Run] came to.
type Outcome struct {
	Manifest
	Skipped bool // it was finished before
}

// failure is a line of a file of failures.
type failure struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// An Operation is what a job does with names: one of package operation or mining.
type Operation interface {
	Job(shards int) (*Job, error)
	Work(ctx context.Context, name string) (Result, error)
}

// Do is [Run] of the job of an operation.
func Do(ctx context.Context, o Operation, p Part, names io.Reader, out Store, workers int) (*Outcome, error) {
	j, err := o.Job(p.Count)
	if err != nil {
		return nil, err
	}
	return Run(ctx, j, p.Index, names, out, workers, o.Work)
}

// Run does one shard of a job, with as many workers; 0 means GOMAXPROCS. names is
// read to its end.
func Run(ctx context.Context, j *Job, index int, names io.Reader, out Store, workers int, work Work) (*Outcome, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	p := Part{index, j.Shards}
	if index < 0 || index >= j.Shards {
		return nil, fmt.Errorf("shard %d of %d: want 0 to %d", index, j.Shards, j.Shards-1)
	}
	print, err := j.Fingerprint()
	if err != nil {
		return nil, err
	}
	if err := j.claim(ctx, out); err != nil {
		return nil, err
	}
	if folder, ok := out.(Folder); ok {
		if err := folder.CleanDead(); err != nil {
			return nil, err
		}
	}
	m, err := readManifest(ctx, out, p)
	if err != nil {
		return nil, err
	}
	if m != nil {
		return skip(ctx, j, p, print, m, names, out)
	}
	r := &run{ctx: ctx, job: j, part: p, out: out}
	defer r.abort()
	if err := r.open(); err != nil {
		return nil, err
	}
	m = &Manifest{Version: version, Fingerprint: print, Shard: index, Shards: j.Shards}
	if err := r.names(names, workers, work, m); err != nil {
		return nil, err
	}
	m.Results, m.Failures = r.results.content(), r.failures.content()
	if err := commit(ctx, out, r.files[0], j.results(p), m.Results.Bytes); err != nil {
		return nil, err
	}
	if err := commit(ctx, out, r.files[1], p.failures(), m.Failures.Bytes); err != nil {
		return nil, err
	}
	text, err := indented(m)
	if err != nil {
		return nil, err
	}
	return &Outcome{Manifest: *m}, write(ctx, out, p.manifest(), text)
}

// skip holds a finished shard against the job and the list.
func skip(ctx context.Context, j *Job, p Part, print string, m *Manifest, names io.Reader, out Store) (*Outcome, error) {
	if m.Fingerprint != print {
		return nil, fmt.Errorf("%s: %w", p.manifest(), ErrOtherJob)
	}
	for name, want := range map[string]int64{j.results(p): m.Results.Bytes, p.failures(): m.Failures.Bytes} {
		have, err := out.Size(ctx, name)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && have != want:
			return nil, fmt.Errorf("%s: %w: %s is not what it says; remove the manifest, and the shard is done again", p.manifest(), ErrIncomplete, name)
		case err != nil:
			return nil, err
		}
	}
	var whole List
	for _, err := range Names(names, &whole) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
	}
	if whole != m.List {
		return nil, fmt.Errorf("%s: %w: it was made of a list of %d names, and this one has %d or other ones", p.manifest(), ErrOtherJob, m.List.Names, whole.Names)
	}
	return &Outcome{Manifest: *m, Skipped: true}, nil
}

// A run is one shard under way.
type run struct {
	ctx               context.Context
	job               *Job
	part              Part
	out               Store
	files             []File
	results, failures *counter
}

func (r *run) open() error {
	for _, name := range []string{r.job.results(r.part), r.part.failures()} {
		f, err := r.out.Create(r.ctx, name)
		if err != nil {
			return err
		}
		r.files = append(r.files, f)
	}
	r.results, r.failures = newCounter(r.files[0]), newCounter(r.files[1])
	_, err := io.WriteString(r.results, r.job.Header)
	return err
}

func (r *run) abort() {
	for _, f := range r.files {
		f.Abort()
	}
}

// names does all names of the shard, a few at one time, and writes what becomes of
// them in their order.
func (r *run) names(list io.Reader, workers int, work Work, m *Manifest) error {
	type one struct {
		name string
		Result
	}
	q := par.NewQueue(r.ctx, workers, func(o one) error {
		m.Names++
		m.Objects += int64(o.Objects)
		if o.Failure == "" {
			_, err := r.results.Write(o.Line)
			return err
		}
		m.Failed++
		line, err := json.Marshal(failure{o.name, o.Failure})
		if err != nil {
			return err
		}
		_, err = r.failures.Write(append(line, '\n'))
		return err
	})
	var wrong error
	for name, err := range Names(list, &m.List) {
		if wrong = err; err != nil {
			break
		}
		if Of(name, r.part.Count) != r.part.Index {
			if wrong = r.ctx.Err(); wrong != nil {
				break
			}
			continue
		}
		more := q.Add(func(ctx context.Context) (one, error) {
			result, err := work(ctx, name)
			if err == nil && result.Failure == "" && len(result.Line) > 0 && result.Line[len(result.Line)-1] != '\n' {
				err = fmt.Errorf("%s: the line of results does not end", name)
			}
			return one{name, result}, err
		})
		if !more {
			break
		}
	}
	return errors.Join(wrong, q.Close())
}

package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Finished is a job all of whose shards are there.
type Finished struct {
	Job    *Job
	List   List
	Failed int64

	store     Store
	manifests []*Manifest
}

// Check reads everything that a job has written. It fails with [ErrIncomplete]
// unless all shards are there, as their manifests say, and were made with one set
// of settings from one list, each name of which is in one shard.
func Check(ctx context.Context, s Store) (*Finished, error) {
	j, err := OpenJob(ctx, s)
	if err != nil {
		return nil, err
	}
	print, err := j.Fingerprint()
	if err != nil {
		return nil, err
	}
	f := &Finished{Job: j, store: s}
	var missing []int
	var names int64
	for i := range j.Shards {
		p := Part{i, j.Shards}
		m, err := readManifest(ctx, s, p)
		switch {
		case err != nil:
			return nil, err
		case m == nil:
			missing = append(missing, i)
			continue
		case m.Fingerprint != print:
			return nil, fmt.Errorf("%s: %w: its fingerprint is %s, and that of %s is %s", p.manifest(), ErrOtherJob, m.Fingerprint, jobFile, print)
		}
		if f.List == (List{}) {
			f.List = m.List
		}
		if m.List != f.List {
			return nil, fmt.Errorf("%s: %w: it was made of a list of %d names, and another shard of one of %d, or of other names", p.manifest(), ErrOtherJob, m.List.Names, f.List.Names)
		}
		f.manifests = append(f.manifests, m)
		f.Failed += m.Failed
		names += m.Names
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: %d of %d shards are missing: %s", ErrIncomplete, len(missing), j.Shards, ranges(missing))
	}
	if names != f.List.Names {
		return nil, fmt.Errorf("%w: the list has %d names, and the shards have %d", ErrIncomplete, f.List.Names, names)
	}
	for i, m := range f.manifests {
		p := Part{i, j.Shards}
		for _, c := range []struct {
			name string
			want Content
		}{{j.results(p), m.Results}, {p.failures(), m.Failures}} {
			sum := newCounter(io.Discard)
			if err := f.copy(ctx, sum, c.name, 0); err != nil {
				return nil, err
			}
			if sum.content() != c.want {
				return nil, fmt.Errorf("%w: %s is not what %s says; remove the manifest, and run shard %v again", ErrIncomplete, c.name, p.manifest(), p)
			}
		}
	}
	return f, nil
}

func (f *Finished) copy(ctx context.Context, w io.Writer, name string, from int64) error {
	r, err := f.store.Open(ctx, name)
	if err != nil {
		return err
	}
	if _, err = io.CopyN(io.Discard, r, from); err == nil {
		_, err = io.Copy(w, r)
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Results writes the results of all shards, by shard.
func (f *Finished) Results(ctx context.Context, w io.Writer) error {
	if _, err := io.WriteString(w, f.Job.Header); err != nil {
		return err
	}
	for i := range f.Job.Shards {
		if err := f.copy(ctx, w, f.Job.results(Part{i, f.Job.Shards}), int64(len(f.Job.Header))); err != nil {
			return err
		}
	}
	return nil
}

// Failures writes the failures of all shards, by shard.
func (f *Finished) Failures(ctx context.Context, w io.Writer) error {
	for i := range f.Job.Shards {
		if err := f.copy(ctx, w, Part{i, f.Job.Shards}.failures(), 0); err != nil {
			return err
		}
	}
	return nil
}

// ranges writes numbers as "0-3,7", and of many the first ones: schedulers take
// that as it is.
func ranges(numbers []int) string {
	const largest = 50
	var all []string
	for len(numbers) > 0 {
		n := 1
		for n < len(numbers) && numbers[n] == numbers[0]+n {
			n++
		}
		if len(all) == largest {
			all = append(all, "...")
			break
		}
		if n == 1 {
			all = append(all, fmt.Sprint(numbers[0]))
		} else {
			all = append(all, fmt.Sprintf("%d-%d", numbers[0], numbers[n-1]))
		}
		numbers = numbers[n:]
	}
	return strings.Join(all, ",")
}

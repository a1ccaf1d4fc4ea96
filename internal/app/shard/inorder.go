package shard

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// InOrder writes the results and the failures of all shards in the order of the list that
// they were made from. It keeps the files of all shards open, and holds a line of each.
func (f *Finished) InOrder(ctx context.Context, list io.Reader, results, failures io.Writer) (err error) {
	shards := make([][2]*lines, f.Job.Shards)
	defer func() {
		for _, s := range shards {
			for _, l := range s {
				if l != nil {
					err = errors.Join(err, l.file.Close())
				}
			}
		}
	}()
	for i := range shards {
		p := Part{i, f.Job.Shards}
		if shards[i][0], err = f.lines(ctx, f.Job.results(p), len(f.Job.Header), f.Job.Extension == "csv"); err != nil {
			return err
		}
		if shards[i][1], err = f.lines(ctx, p.failures(), 0, false); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(results, f.Job.Header); err != nil {
		return err
	}
	var whole List
	for name, err := range Names(list, &whole) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			s := shards[Of(name, f.Job.Shards)]
			err = errors.Join(s[0].write(results, name), s[1].write(failures, name))
		}
		if err != nil {
			return err
		}
	}
	if whole != f.List {
		return fmt.Errorf("%w: the shards were made from a list of %d names, and this one has %d or other ones", ErrOtherJob, f.List.Names, whole.Names)
	}
	for _, s := range shards {
		for _, l := range s {
			if of, err := l.next(); err != nil || of != "" {
				return errors.Join(fmt.Errorf("%s: %q is not in the order of the list", l.name, of), err)
			}
		}
	}
	return nil
}

// lines opens a file of a shard, behind its header.
func (f *Finished) lines(ctx context.Context, name string, header int, csv bool) (*lines, error) {
	file, err := f.store.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, file, int64(header)); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), file.Close())
	}
	return &lines{name: name, file: file, csv: csv, r: bufio.NewReader(file)}, nil
}

// lines reads the results of one shard, or its failures.
type lines struct {
	name string
	file io.Closer
	r    *bufio.Reader
	csv  bool

	line string // read, and not written yet
	of   string // the name that it is about
}

// write writes the lines of a name: one or none in JSON, any number in CSV.
func (s *lines) write(w io.Writer, name string) error {
	for {
		of, err := s.next()
		if err != nil || of != name {
			return err
		}
		if _, err := io.WriteString(w, s.line); err != nil {
			return err
		}
		s.line = ""
		if !s.csv {
			return nil
		}
	}
}

// next returns the name that the next line is about, empty at the end.
func (s *lines) next() (string, error) {
	if s.line != "" {
		return s.of, nil
	}
	line, err := s.r.ReadString('\n')
	if errors.Is(err, io.EOF) && line == "" {
		return "", nil
	}
	// A name in CSV may hold line breaks within quotes.
	for err == nil && s.csv && strings.Count(line, `"`)%2 == 1 {
		var more string
		more, err = s.r.ReadString('\n')
		line += more
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.name, err)
	}
	var of struct{ File, Name string }
	if s.csv {
		var cells []string
		if cells, err = csv.NewReader(strings.NewReader(line)).Read(); err == nil {
			of.File = cells[0]
		}
	} else {
		err = json.Unmarshal([]byte(line), &of)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.name, err)
	}
	s.line, s.of = line, of.File+of.Name
	return s.of, nil
}

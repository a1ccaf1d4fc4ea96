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

// ResultsInOrder writes the results of all shards in the order of the list that they
// were made from. It keeps the results of all shards open.
func (f *Finished) ResultsInOrder(ctx context.Context, list io.Reader, w io.Writer) (err error) {
	shards := make([]*resultLines, f.Job.Shards)
	defer func() {
		for _, s := range shards {
			if s != nil {
				err = errors.Join(err, s.file.Close())
			}
		}
	}()
	for i := range shards {
		name := f.Job.results(Part{i, f.Job.Shards})
		file, err := f.store.Open(ctx, name)
		if err != nil {
			return err
		}
		shards[i] = &resultLines{name: name, file: file, csv: f.Job.Extension == "csv"}
		if _, err := io.CopyN(io.Discard, file, int64(len(f.Job.Header))); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		shards[i].r = bufio.NewReader(file)
	}
	if _, err := io.WriteString(w, f.Job.Header); err != nil {
		return err
	}
	var whole List
	for name, err := range Names(list, &whole) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = shards[Of(name, f.Job.Shards)].write(w, name)
		}
		if err != nil {
			return err
		}
	}
	if whole != f.List {
		return fmt.Errorf("%w: the shards were made from a list of %d names, and this one has %d or other ones", ErrOtherJob, f.List.Names, whole.Names)
	}
	for _, s := range shards {
		if of, err := s.next(); err != nil || of != "" {
			return errors.Join(fmt.Errorf("%s: %q is not in the order of the list", s.name, of), err)
		}
	}
	return nil
}

// A resultLines reads the results of one shard.
type resultLines struct {
	name string
	file io.Closer
	r    *bufio.Reader
	csv  bool

	line string // read, and not written yet
	of   string // the name that it is about
}

// write writes the results of a name: one line in JSON, any number in CSV, and none
// if the name failed.
func (s *resultLines) write(w io.Writer, name string) error {
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
func (s *resultLines) next() (string, error) {
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

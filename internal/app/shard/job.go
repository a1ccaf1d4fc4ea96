package shard

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// version is that of the contract.
const version = 1

// A Job is what is done with all names of a list.
type Job struct {
	Operation string          `json:"operation"`
	Shards    int             `json:"shards"`
	Extension string          `json:"extension"`        // of the files of results: "jsonl" or "csv"
	Header    string          `json:"header,omitempty"` // with which every file of results begins
	Models    []string        `json:"models,omitempty"` // SHA-256 of each model in our format, as it is used
	Settings  json.RawMessage `json:"settings"`         // all that results depend on but the models and the names
}

// jobFile is the job's file in its store.
const jobFile = "job.json"

// Errors that a caller may want to tell apart.
var (
	// ErrOtherJob: the store has files of a job with other settings, models or
	// names.
	ErrOtherJob = errors.New("it belongs to another job")

	// ErrIncomplete: a shard is missing, or not what its manifest says.
	ErrIncomplete = errors.New("the job is not complete")
)

// Fingerprint is a hash of the job. Jobs of one fingerprint give the same bytes for
// the same list.
func (j *Job) Fingerprint() (string, error) {
	text, err := json.Marshal(struct {
		Version int `json:"version"`
		*Job
	}{version, j})
	if err != nil {
		return "", fmt.Errorf("settings of a job: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

func (j *Job) check() error {
	switch {
	case j.Shards < 1 || j.Shards > MaxShards:
		return fmt.Errorf("a job of %d shards: want 1 to %d", j.Shards, MaxShards)
	case j.Extension != "jsonl" && j.Extension != "csv":
		return fmt.Errorf("a job with results in %q: want jsonl or csv", j.Extension)
	}
	return nil
}

func (j *Job) results(p Part) string { return p.stem() + "." + j.Extension }
func (p Part) failures() string      { return p.stem() + ".failures.jsonl" }
func (p Part) manifest() string      { return p.stem() + ".json" }

// claim puts the job into its store, which must not have another one.
func (j *Job) claim(ctx context.Context, s Store) error {
	want, err := indented(j)
	if err != nil {
		return err
	}
	have, err := readSmall(ctx, s, jobFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return write(ctx, s, jobFile, want)
	case err != nil:
		return err
	case !bytes.Equal(have, want):
		return fmt.Errorf("%s: %w: %s; take another folder for other settings, models or numbers of shards", jobFile, ErrOtherJob, difference(have, j))
	}
	return nil
}

// difference says in what a job's file differs from a job.
func difference(have []byte, want *Job) string {
	var other Job
	if err := decode(have, &other); err != nil {
		return "its file cannot be read"
	}
	switch {
	case other.Operation != want.Operation:
		return fmt.Sprintf("its operation is %s, and this one %s", other.Operation, want.Operation)
	case other.Shards != want.Shards:
		return fmt.Sprintf("it has %d shards, and this one %d", other.Shards, want.Shards)
	case other.Extension != want.Extension:
		return fmt.Sprintf("its results are %s, and these %s", other.Extension, want.Extension)
	case fmt.Sprint(other.Models) != fmt.Sprint(want.Models):
		return "its models are others"
	}
	var a, b bytes.Buffer
	if json.Compact(&a, other.Settings) != nil || json.Compact(&b, want.Settings) != nil {
		return "its settings cannot be read"
	}
	return fmt.Sprintf("its settings are %s, and these %s", a.Bytes(), b.Bytes())
}

// OpenJob reads the job of a store.
func OpenJob(ctx context.Context, s Store) (*Job, error) {
	text, err := readSmall(ctx, s, jobFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no %s, which the first shard writes", ErrIncomplete, jobFile)
	} else if err != nil {
		return nil, err
	}
	j := &Job{}
	if err := decode(text, j); err != nil {
		return nil, fmt.Errorf("%s: %w", jobFile, err)
	}
	if err := j.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", jobFile, err)
	}
	return j, nil
}

// maxSmall bounds job and manifest files.
const maxSmall = 1 << 20

func readSmall(ctx context.Context, s Store, name string) ([]byte, error) {
	r, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxSmall+1))
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxSmall {
		return nil, fmt.Errorf("%s: more than %d bytes: it is not of a job", name, maxSmall)
	}
	return text, nil
}

// decode reads one JSON value without fields that v does not have.
func decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something behind the JSON")
	}
	return nil
}

func indented(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "\t")
	return append(text, '\n'), err
}

// write puts a whole file into a store, and makes sure that it is there.
func write(ctx context.Context, s Store, name string, text []byte) error {
	f, err := s.Create(ctx, name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(text); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return commit(ctx, s, f, name, int64(len(text)))
}

// commit makes a file of so many bytes visible. It asks for it afterwards, since
// file systems over a network and stores of objects have lost some.
func commit(ctx context.Context, s Store, f File, name string, size int64) error {
	if err := f.Commit(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch have, err := s.Size(ctx, name); {
	case err != nil:
		return fmt.Errorf("%s: written, and not there: %w", name, err)
	case have != size:
		return fmt.Errorf("%s: %d bytes were written, and %d are there", name, size, have)
	}
	return nil
}

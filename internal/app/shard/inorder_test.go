package shard

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"

	"context"
)

// With the list, results come in its order, whatever has no results or several
// lines, and however often a name is there.
func TestResultsInOrder(t *testing.T) {
	list := testList(40) + "twice.png\nonce.png\ntwice.png\n\"quoted\", too.png\n"
	for _, extension := range []string{"jsonl", "csv"} {
		line := func(name string) string {
			if extension == "jsonl" {
				return fmt.Sprintf("{\"file\":%q,\"n\":%d}\n", name, len(name))
			}
			var b bytes.Buffer
			w := csv.NewWriter(&b)
			for i := range len(name) % 3 {
				w.Write([]string{name, fmt.Sprint(i)})
			}
			w.Flush()
			return b.String()
		}
		j := testJob(5)
		if j.Extension = extension; extension == "csv" {
			j.Header = "file,n\n"
		}
		d := Folder(t.TempDir())
		do(t, j, list, d, func(_ context.Context, name string) (Result, error) {
			if strings.Contains(name, "x") {
				return Result{Failure: "an x"}, nil
			}
			return Result{Line: []byte(line(name))}, nil
		})
		f, err := Check(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		want := j.Header
		for name := range strings.Lines(list) {
			if name = strings.TrimSpace(name); !strings.Contains(name, "x") {
				want += line(name)
			}
		}
		var got bytes.Buffer
		if err := f.ResultsInOrder(ctx, strings.NewReader(list), &got); err != nil || got.String() != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", extension, err, &got, want)
		}
		if err := f.ResultsInOrder(ctx, strings.NewReader("twice.png\n"), &got); !errors.Is(err, ErrOtherJob) {
			t.Errorf("%s: another list: %v", extension, err)
		}
	}
}

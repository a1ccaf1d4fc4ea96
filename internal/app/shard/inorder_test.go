package shard

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"

	"context"

	"haarlem/internal/must"
)

// With the list, results and failures come in its order, the same bytes from one shard
// and from eight, whatever has no results or several lines, and however often a name is there.
func TestInOrder(t *testing.T) {
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
		j := testJob(1)
		if j.Extension = extension; extension == "csv" {
			j.Header = "file,n\n"
		}
		want, wantFailures := j.Header, ""
		for name := range strings.Lines(list) {
			if name = strings.TrimSpace(name); strings.Contains(name, "x") {
				wantFailures += fmt.Sprintf("{\"file\":%q,\"error\":\"an x\"}\n", name)
			} else {
				want += line(name)
			}
		}
		var f *Finished
		var got, failures bytes.Buffer
		for _, j.Shards = range []int{1, 8} {
			d := Folder(t.TempDir())
			do(t, j, list, d, func(_ context.Context, name string) (Result, error) {
				if strings.Contains(name, "x") {
					return Result{Failure: "an x"}, nil
				}
				return Result{Line: []byte(line(name))}, nil
			})
			f = must.Get(Check(ctx, d))
			got.Reset()
			failures.Reset()
			if err := f.InOrder(ctx, strings.NewReader(list), &got, &failures); err != nil || got.String() != want || failures.String() != wantFailures {
				t.Errorf("%s, %d shards: %v\n%s\nwant\n%s\nfailures\n%s\nwant\n%s", extension, j.Shards, err, &got, want, &failures, wantFailures)
			}
		}
		if err := f.InOrder(ctx, strings.NewReader("twice.png\n"), &got, &failures); !errors.Is(err, ErrOtherJob) {
			t.Errorf("%s: another list: %v", extension, err)
		}
	}
}

package main

import (
	"context"
	"io"
	"slices"
	"testing"

	"github.com/urfave/cli/v3"
)

// Every flag that may be repeated, of every command, takes a value with commas
// as it stands.
func TestSliceFlags(t *testing.T) {
	n := 0
	for i := range newRoot(io.Discard, io.Discard).Commands {
		root := newRoot(io.Discard, io.Discard)
		command := root.Commands[i]
		args := []string{"train-cascade", command.Name}
		want := map[string][]string{}
		for _, f := range command.Flags {
			if s, ok := f.(*cli.StringSliceFlag); ok {
				want[s.Name] = []string{s.Name + "=2,3", ",x,"}
				args = append(args, "-"+s.Name, want[s.Name][0], "-"+s.Name, want[s.Name][1])
			}
		}
		command.Action = func(_ context.Context, c *cli.Command) error {
			for name, values := range want {
				n++
				if got := c.StringSlice(name); !slices.Equal(got, values) {
					t.Errorf("%s -%s: %q, want %q", command.Name, name, got, values)
				}
			}
			return nil
		}
		if err := root.Run(t.Context(), args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
	if n < 25 {
		t.Errorf("%d flags that may be repeated, want all of them", n)
	}
}

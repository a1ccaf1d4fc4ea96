package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v3"
)

// Every flag that may be repeated, of every command, takes a value with commas
// as it stands.
func TestSliceFlags(t *testing.T) {
	n := 0
	builds := map[string]func(*streams) *cli.Command{"": newFind}
	for name, build := range subcommands {
		builds[name] = build
	}
	for word, build := range builds {
		command := build(newStreams(strings.NewReader(""), io.Discard, io.Discard))
		args := []string{"detect"}
		var names []string
		for _, f := range command.Flags {
			if s, ok := f.(*cli.StringSliceFlag); ok {
				names = append(names, s.Name)
				args = append(args, "-"+s.Name, "2,3", "-"+s.Name, ",x,")
			}
		}
		command.Action = func(_ context.Context, c *cli.Command) error {
			for _, name := range names {
				n++
				if got, want := c.StringSlice(name), []string{"2,3", ",x,"}; !slices.Equal(got, want) {
					t.Errorf("detect %s -%s: %q, want %q", word, name, got, want)
				}
			}
			return nil
		}
		if err := command.Run(t.Context(), args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
	if n < 2 {
		t.Errorf("%d flags that may be repeated, want those of webcam and video", n)
	}
}

package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
)

// subcommands are the words that, as the first argument, mean something other
// than a picture. (A picture of that name is ./model.)
//
// Each is a command of its own rather than a child of one root: the library
// would look for its children among all arguments, and a picture called
// "model" behind ten others would end the list.
var subcommands map[string]func(*streams) *cli.Command

func init() {
	// The library's own help would take a picture behind -help for a topic.
	cli.HelpFlag = nil
	// Not a literal: help refers back to this table.
	subcommands = map[string]func(*streams) *cli.Command{
		"model":    newModel,
		"convert":  newConvert,
		"webcam":   newWebcam,
		"video":    newVideo,
		"blur":     newBlur,
		"pixelate": newPixelate,
		"serve":    newServe,
		"help":     newHelp,
	}
}

// command fills in what all commands share. The usage is one line per form.
func command(s *streams, name, usage, description string, flags []cli.Flag, action func(context.Context, *cli.Command) error) *cli.Command {
	flags = append(flags, &cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "say all this"})
	c := &cli.Command{
		Name:            name,
		Writer:          s.out,
		ErrWriter:       s.err,
		Flags:           flags,
		HideHelp:        true, // ours is a flag like any other
		HideVersion:     true,
		OnUsageError:    func(_ context.Context, _ *cli.Command, err error, _ bool) error { return flagError(name, err) },
		ExitErrHandler:  func(context.Context, *cli.Command, error) {}, // run does it
		HideHelpCommand: true,

		DisableSliceFlagSeparator: true, // of flags that may be repeated: names may hold commas
	}
	c.Action = func(ctx context.Context, c *cli.Command) error {
		if c.Bool("help") {
			_, err := fmt.Fprint(s.out, helpText(usage, description, flags))
			return err
		}
		return action(ctx, c)
	}
	return c
}

// flagError puts the library's words about flags into one line of ours.
func flagError(command string, err error) error {
	text := err.Error()
	if unknown, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		text = "unknown flag " + unknown
	}
	text, _, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, ": strconv.") // which says it once more
	return usagef("%s (%s -help lists the flags)", text, command)
}

// A documented flag is what all of the library's flags are.
type documented interface {
	cli.Flag
	cli.DocGenerationFlag
}

// helpText sets usage, description and flags, the latter in Go's manner with
// one dash. Two work as well.
func helpText(usage, description string, flags []cli.Flag) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	for line := range strings.Lines(usage) {
		b.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("\n" + strings.TrimSpace(description) + "\n\nFlags, anywhere among the arguments:\n")
	for _, f := range flags {
		d, ok := f.(documented)
		if !ok {
			continue
		}
		name := "-" + f.Names()[0]
		text := d.GetUsage()
		// `WORD` in the text is what the value is called, as in package flag.
		if before, rest, ok := strings.Cut(text, "`"); ok {
			if word, after, ok := strings.Cut(rest, "`"); ok {
				name += " " + word
				text = before + word + after
			}
		}
		fmt.Fprintf(&b, "  %-18s %s\n", name, strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", 21)))
	}
	return b.String()
}

// commandNames lists them, for people.
func commandNames() string {
	return strings.Join(slices.Sorted(maps.Keys(subcommands)), ", ")
}

func newHelp(s *streams) *cli.Command {
	return &cli.Command{
		Name: "detect help", Writer: s.out, ErrWriter: s.err, HideHelp: true, HideVersion: true,
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		Action: func(ctx context.Context, c *cli.Command) error {
			build, name := newFind, "detect"
			if word := c.Args().First(); word != "" && word != "help" {
				b, ok := subcommands[word]
				if !ok {
					return usagef("help: there is no command %q; there are %s", word, commandNames())
				}
				build, name = b, "detect "+word
			}
			return build(s).Run(ctx, []string{name, "-help"})
		},
	}
}

// Package cli parses the arguments of programs with commands: flags in groups,
// help, shell completion and exit statuses, on top of the standard library's
// package flag.
//
// Flags may stand anywhere among the arguments, with one dash or two, as "-name
// value" or "-name=value". "--" ends them, and "-" is an argument.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// The exit statuses of every program.
const (
	StatusOK          = 0
	StatusFailed      = 1
	StatusUsage       = 2
	StatusInterrupted = 130 // as shells count: 128 and the signal's number
)

// Streams are what a program reads and writes. Results go to Out, and
// everything else to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// A Program is a set of commands.
type Program struct {
	Name    string
	Summary string // one line

	// Main runs when the first argument is not the name of a command. It may
	// be nil: then a command must be named.
	Main *Command

	Commands []*Command // in the order in which help lists them

	// Rewrite translates the arguments first, in a program that also
	// understands the command lines of other programs. It may be nil.
	Rewrite func(args []string) []string
}

// A Command is one thing that a program does.
type Command struct {
	Name    string // empty for [Program.Main]
	Summary string // what it does, in one line that begins with a small letter
	Args    string // the arguments after the flags, such as "FILE...", one form per line; none if empty
	Text    string // the rest of the help, before the flags

	// Setup declares the command's flags and returns the function that runs it
	// with the other arguments.
	Setup func(f *Flags, s *Streams) func(ctx context.Context, args []string) error
}

// Execute runs a program as the process, and ends it.
func (p *Program) Execute() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	// After the first Ctrl-C the second one ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(p.Run(ctx, os.Args[1:], &Streams{os.Stdin, os.Stdout, os.Stderr}))
}

// Run runs a program with its arguments and returns its exit status.
func (p *Program) Run(ctx context.Context, args []string, s *Streams) int {
	err := p.Do(ctx, args, s)
	var done Exit
	switch {
	case err == nil:
		return StatusOK
	case errors.As(err, &done): // it has said why
		return int(done)
	}
	fmt.Fprintf(s.Err, "%s: %v\n", p.Name, err)
	switch {
	case errors.As(err, new(usageError)):
		return StatusUsage
	case ctx.Err() != nil:
		return StatusInterrupted
	}
	return StatusFailed
}

// Do is Run for a caller that handles the error, such as a command that runs others.
func (p *Program) Do(ctx context.Context, args []string, s *Streams) error {
	if p.Rewrite != nil {
		args = p.Rewrite(args)
	}
	c, rest, err := p.find(args)
	switch {
	case err != nil:
		return err
	case c == nil:
		return p.builtIn(args, s)
	}
	f, action := p.setup(c, s)
	switch rest, err = f.parse(rest); {
	case err != nil:
		return err
	case f.help:
		_, err = io.WriteString(s.Out, p.help(c, f))
		return err
	case f.version:
		_, err = io.WriteString(s.Out, versionLine(p.Name))
		return err
	case c.Args == "" && len(rest) > 0:
		return Usagef("%s takes flags only, not %q", c.Name, rest[0])
	}
	return action(ctx, rest)
}

// setup declares the flags of a command.
func (p *Program) setup(c *Command, s *Streams) (*Flags, func(context.Context, []string) error) {
	full := p.Name
	if c.Name != "" {
		full += " " + c.Name
	}
	f := newFlags(full)
	return f, c.Setup(f, s)
}

// flagsOf returns the flags of a command that does not run, with those that all have.
func (p *Program) flagsOf(c *Command) *Flags {
	f, _ := p.setup(c, &Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	_, _ = f.parse(nil) // there is nothing to parse
	return f
}

// Parse parses a command line as [Program.Run] does, without running it. It
// returns the flags of the command, or nil for help or completion.
func (p *Program) Parse(args []string) (*Flags, error) {
	if p.Rewrite != nil {
		args = p.Rewrite(args)
	}
	c, rest, err := p.find(args)
	if err != nil || c == nil {
		return nil, err
	}
	f, _ := p.setup(c, &Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	_, err = f.parse(rest)
	return f, err
}

// find returns the command that the arguments name, and the remaining
// arguments. Without an error, nil means a built-in command.
func (p *Program) find(args []string) (*Command, []string, error) {
	word := ""
	if len(args) > 0 {
		word = args[0]
	}
	for _, c := range p.Commands {
		if c.Name == word {
			return c, args[1:], nil
		}
	}
	switch {
	case word == "help" || word == "completion":
		return nil, nil, nil
	case p.Main != nil:
		return p.Main, args, p.misspelt(word)
	case slices.Contains([]string{"-help", "--help", "-h", "--h", "-version", "--version"}, word):
		return nil, nil, nil
	case word == "":
		return nil, nil, Usagef("no command given: see %s -help", p.Name)
	case strings.HasPrefix(word, "-"):
		return nil, nil, Usagef("a command comes first: see %s -help", p.Name)
	}
	return nil, nil, Usagef("no command is called %q%s: see %s -help", word, suggest(word, p.names()), p.Name)
}

// misspelt is for programs whose arguments may be files: a word that is nearly the
// name of a command, and not that of a file, is meant to be the command.
func (p *Program) misspelt(word string) error {
	if strings.ContainsFunc(word, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }) || strings.HasPrefix(word, "-") {
		return nil
	}
	said := suggest(word, p.names())
	if _, err := os.Lstat(word); said == "" || err == nil {
		return nil
	}
	return Usagef("no command and no file is called %q%s", word, said)
}

// names returns the valid first arguments.
func (p *Program) names() []string {
	names := []string{"help", "completion"}
	for _, c := range p.Commands {
		names = append(names, c.Name)
	}
	return names
}

// builtIn runs help, with manual pages, version and completion.
func (p *Program) builtIn(args []string, s *Streams) error {
	word, rest := args[0], args[1:]
	switch {
	case word == "completion":
		return p.completion(rest, s)
	case strings.HasSuffix(word, "version"):
		_, err := io.WriteString(s.Out, versionLine(p.Name))
		return err
	case word == "help" && len(rest) == 1 && rest[0] == "-man":
		_, err := io.WriteString(s.Out, p.manual())
		return err
	case word == "help" && len(rest) > 0:
		for _, c := range p.Commands {
			if c.Name == rest[0] {
				return p.Do(context.Background(), []string{c.Name, "-help"}, s)
			}
		}
		said := suggest(rest[0], p.names())
		if said == "" {
			said = "; there are " + strings.Join(slices.Sorted(slices.Values(p.names())), ", ")
		}
		return Usagef("help: no command is called %q%s: see %s -help", rest[0], said, p.Name)
	case p.Main != nil:
		return p.Do(context.Background(), []string{"-help"}, s)
	}
	_, err := io.WriteString(s.Out, p.overview())
	return err
}

// Exit is an error without a message: the command has reported everything, and
// only sets the exit status.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// usageError marks an error in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks err as an error in the command line: the status is then
// [StatusUsage].
func Usage(err error) error { return usageError{err} }

// UsageIf is [Usage] of an error that wraps one of the others. It leaves all else.
func UsageIf(err error, others ...error) error {
	if slices.ContainsFunc(others, func(other error) bool { return errors.Is(err, other) }) {
		return Usage(err)
	}
	return err
}

// Usagef is [Usage] of [fmt.Errorf].
func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

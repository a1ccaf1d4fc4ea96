// Package clitest checks what every program made with package cli must have:
// short and complete help, and documents that name only flags that exist.
package clitest

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
)

// maxUsage is the longest usage text of a flag, in characters.
const maxUsage = 300

// commands calls do with the name of each command, empty for the main one, and
// its flags.
func commands(t *testing.T, p *cli.Program, do func(name string, f *cli.Flags)) {
	t.Helper()
	all := p.Commands
	if p.Main != nil {
		all = append([]*cli.Command{p.Main}, all...)
	}
	for _, c := range all {
		f, err := p.Parse(words(c.Name))
		if err != nil {
			t.Errorf("%s %s: %v", p.Name, c.Name, err)
			continue
		}
		do(c.Name, f)
	}
}

// words are the arguments that name a command.
func words(command string, more ...string) []string {
	if command == "" {
		return more
	}
	return append([]string{command}, more...)
}

// Help checks that every command has help, and every flag a usage text of
// acceptable length.
func Help(t *testing.T, p *cli.Program) {
	t.Helper()
	commands(t, p, func(name string, f *cli.Flags) {
		var out, errs bytes.Buffer
		if status := p.Run(context.Background(), words(name, "-help"), &cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != cli.StatusOK || errs.Len() > 0 {
			t.Errorf("%s %s -help: status %d, stderr %q", p.Name, name, status, &errs)
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 100 {
				t.Errorf("%s %s -help: a line of %d characters: %s", p.Name, name, n, line)
			}
		}
		for _, flag := range f.Names() {
			if n := len([]rune(f.Usage(flag))); n == 0 || n > maxUsage {
				t.Errorf("%s %s: the usage of -%s has %d characters, want 1 to %d", p.Name, name, flag, n, maxUsage)
			}
			if !strings.Contains(out.String(), "\n  -"+flag) {
				t.Errorf("%s %s -help: nothing about -%s", p.Name, name, flag)
			}
		}
	})
}

// Repeated checks that repeatable flags do not split values at commas, and
// returns how many there are.
func Repeated(t *testing.T, p *cli.Program) (n int) {
	t.Helper()
	commands(t, p, func(name string, f *cli.Flags) {
		for _, flag := range f.Names() {
			values := []string{"2,3", ",x,"}
			again, err := p.Parse(words(name, "-"+flag, values[0], "-"+flag, values[1]))
			if err != nil { // it takes no text
				continue
			}
			args := again.Again(flag, nil)
			if len(args) <= 2 { // it takes one
				continue
			}
			n++
			if want := []string{"-" + flag, values[0], "-" + flag, values[1]}; !slices.Equal(args, want) {
				t.Errorf("%s %s: %q, want %q", p.Name, name, args, want)
			}
		}
	})
	return n
}

package cli

import (
	"fmt"
	"strings"
)

// helpWidth is the width of help in characters.
const helpWidth = 80

// overview is the help of a program without a main command.
func (p *Program) overview() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nUsage:\n  %s COMMAND [flags] ...\n\n", p.Name, p.Summary, p.Name)
	p.list(&b)
	fmt.Fprintf(&b, "\n%s COMMAND -help says more about each.\n", p.Name)
	return b.String()
}

// list names the commands.
func (p *Program) list(b *strings.Builder) {
	b.WriteString("Commands:\n")
	wide := 12
	for _, c := range p.Commands {
		wide = max(wide, len(c.Name))
	}
	line := func(name, summary string) { fmt.Fprintf(b, "  %-*s %s\n", wide, name, summary) }
	for _, c := range p.Commands {
		line(c.Name, c.Summary)
	}
	line("completion", "print a script for bash, zsh or fish that completes commands and flags")
	line("help", "say more about a command; with -man, print a manual page")
}

// help is the help of a command: usage, text, flags by group.
func (p *Program) help(c *Command, f *Flags) string {
	var b, more strings.Builder
	b.WriteString("Usage:\n")
	for line := range strings.SplitSeq(c.Args, "\n") {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(f.command+" [flags] "+line))
	}
	if c == p.Main && len(p.Commands) > 0 {
		fmt.Fprintf(&b, "  %s COMMAND [flags] ...\n", p.Name)
	}
	fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.Text))
	if c == p.Main && len(p.Commands) > 0 {
		b.WriteString("\n")
		p.list(&b)
	}
	f.list(&b, false)
	if f.list(&more, true); more.Len() > 0 {
		b.WriteString("\nAdvanced flags. The defaults are good; few users need these.\n")
		b.WriteString(more.String())
	}
	return b.String()
}

// list describes the flags of all groups that are advanced, or of those that
// are not.
func (f *Flags) list(b *strings.Builder, advanced bool) {
	for _, g := range f.groups {
		if g.advanced != advanced {
			continue
		}
		fmt.Fprintf(b, "\n%s:\n", g.title)
		for _, k := range g.flags {
			b.WriteString(k.help())
		}
	}
}

// words are what a flag does, and its default.
func (k *known) words() string {
	if k.normal == "" {
		return k.usage
	}
	return k.usage + " (default " + k.normal + ")"
}

// help describes one flag.
func (k *known) help() string {
	const indent = 24
	head := "  -" + k.name
	for _, a := range k.also {
		head += ", -" + a
	}
	if k.value != "" {
		head += " " + k.value
	}
	pad := strings.Repeat(" ", indent)
	lines := wrap(k.words(), helpWidth-indent)
	if len(head) < indent-1 {
		head += pad[len(head):] + lines[0]
		lines = lines[1:]
	}
	for _, l := range lines {
		head += "\n" + pad + l
	}
	return head + "\n"
}

// wrap breaks a text into lines of at most that many characters, at spaces.
// Line breaks in the text count as spaces.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

package cli

import (
	"fmt"
	"strings"
)

// manual is the program's manual page, for man, from the same declarations as help.
func (p *Program) manual() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"Haarlem %s\" \"User Commands\"\n.nh\n.SH NAME\n%s \\- %s\n", roff(strings.ToUpper(p.Name)), roff(Release()), roff(p.Name), roff(p.Summary))
	b.WriteString(".SH SYNOPSIS\n")
	more := ""
	if len(p.Commands) > 0 {
		more = fmt.Sprintf(".B %s\nCOMMAND [flags] ...\n.br\n", roff(p.Name))
	}
	if p.Main != nil {
		p.section(&b, p.Main, more+".SH DESCRIPTION\n")
	} else {
		b.WriteString(more)
	}
	for _, c := range p.Commands {
		fmt.Fprintf(&b, ".SH COMMAND %s\n%s.\n.PP\n", roff(strings.ToUpper(c.Name)), roff(strings.ToUpper(c.Summary[:1])+c.Summary[1:]))
		p.section(&b, c, "")
	}
	fmt.Fprintf(&b, ".SH EXIT STATUS\n%d: done. %d: something failed. %d: a wrong command line. %d: interrupted.\n", StatusOK, StatusFailed, StatusUsage, StatusInterrupted)
	return b.String()
}

// section describes a command. following comes after its synopsis.
func (p *Program) section(b *strings.Builder, c *Command, following string) {
	f := p.flagsOf(c)
	for line := range strings.SplitSeq(c.Args, "\n") {
		fmt.Fprintf(b, ".B %s\n[flags] %s\n.br\n", roff(f.command), roff(strings.TrimSpace(line)))
	}
	b.WriteString(following)
	for paragraph := range strings.SplitSeq(strings.TrimSpace(c.Text), "\n\n") {
		// Lines that are indented are tables and commands.
		if strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") {
			fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(paragraph))
		} else {
			fmt.Fprintf(b, ".PP\n%s\n", roff(paragraph))
		}
	}
	for _, g := range f.groups {
		fmt.Fprintf(b, ".SS %s\n", roff(g.title))
		for _, k := range g.flags {
			names := `\fB` + roff("-"+k.name) + `\fR`
			for _, a := range k.also {
				names += `, \fB` + roff("-"+a) + `\fR`
			}
			if k.value != "" {
				names += ` \fI` + roff(k.value) + `\fR`
			}
			fmt.Fprintf(b, ".TP\n%s\n%s\n", names, roff(strings.Join(strings.Fields(k.words()), " ")))
		}
	}
}

// roff returns a text with what means something to troff escaped.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

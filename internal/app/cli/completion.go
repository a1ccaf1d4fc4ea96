package cli

import (
	"fmt"
	"io"
	"strings"
)

const completionHelp = `Usage:
  %[1]s completion bash|zsh|fish

Prints a script that lets a shell complete commands, flags and their values:

  bash   source <(%[1]s completion bash)
  zsh    source <(%[1]s completion zsh)
  fish   %[1]s completion fish | source
`

// completion prints a script for a shell, from the same declarations as help.
func (p *Program) completion(args []string, s *Streams) error {
	shells := map[string]func() string{"bash": p.bash, "zsh": p.zsh, "fish": p.fish}
	if len(args) != 1 || shells[args[0]] == nil {
		if len(args) == 1 && strings.HasSuffix(args[0], "-help") {
			_, err := fmt.Fprintf(s.Out, completionHelp, p.Name)
			return err
		}
		return Usagef("completion: want bash, zsh or fish")
	}
	_, err := io.WriteString(s.Out, shells[args[0]]())
	return err
}

// each calls do for the main command, whose name is empty, and all others.
func (p *Program) each(do func(name, summary string, flags []*known)) {
	commands := p.Commands
	if p.Main != nil {
		commands = append([]*Command{p.Main}, commands...)
	}
	for _, c := range commands {
		do(c.Name, c.Summary, p.flagsOf(c).all())
	}
}

// function is the name of the shell function that completes.
func (p *Program) function() string { return "_" + strings.ReplaceAll(p.Name, "-", "_") }

// offers is the part of a script for bash or zsh that sets offer to the words
// that may come next. It needs word, before and command: the word at hand, the
// one before it, and the command if that is complete.
func (p *Program) offers() string {
	var words, values strings.Builder
	p.each(func(name, _ string, flags []*known) {
		var names []string
		for _, k := range flags {
			names = append(names, "-"+k.name)
			if k.choices != nil {
				fmt.Fprintf(&values, "    \"%s -%s\") offer='%s' ;;\n", name, k.name, strings.Join(k.choices, " "))
			}
		}
		fmt.Fprintf(&words, "      \"%s\") offer='%s' ;;\n", name, strings.Join(names, " "))
	})
	return fmt.Sprintf(`  case "$command $before" in
%s  esac
  if [ -z "$offer" ]; then
    if [[ $word == -* ]]; then
      case "$command" in
%s      esac
    elif [ "$first" = 1 ]; then
      offer='%s'
    fi
  fi
`, values.String(), words.String(), strings.Join(p.names(), " "))
}

func (p *Program) bash() string {
	return fmt.Sprintf(`# completion of %[1]s for bash
%[2]s() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= offer= first=0
  [ "$COMP_CWORD" -gt 1 ] || first=1
  case " %[3]s " in
    *" ${COMP_WORDS[1]} "*) [ "$first" = 1 ] || command=${COMP_WORDS[1]} ;;
  esac
%[4]s  mapfile -t COMPREPLY < <(compgen -W "$offer" -- "$word")
}
complete -o default -o bashdefault -F %[2]s %[1]s
`, p.Name, p.function(), strings.Join(p.names(), " "), p.offers())
}

func (p *Program) zsh() string {
	return fmt.Sprintf(`#compdef %[1]s
%[2]s() {
  local word=${words[CURRENT]} before=${words[CURRENT-1]} command= offer= first=0
  [ "$CURRENT" -gt 2 ] || first=1
  case " %[3]s " in
    *" ${words[2]} "*) [ "$first" = 1 ] || command=${words[2]} ;;
  esac
%[4]s  if [ -n "$offer" ]; then
    compadd -- ${=offer}
  fi
  [[ $word == -* ]] || _files
}
compdef %[2]s %[1]s
`, p.Name, p.function(), strings.Join(p.names(), " "), p.offers())
}

func (p *Program) fish() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# completion of %s for fish\n", p.Name)
	names := strings.Join(p.names(), " ")
	quote := func(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'" }
	p.each(func(name, summary string, flags []*known) {
		when := "__fish_seen_subcommand_from " + name
		if name == "" {
			when = "not __fish_seen_subcommand_from " + names
		} else {
			fmt.Fprintf(&b, "complete -c %s -n %s -a %s -d %s\n", p.Name, quote("not __fish_seen_subcommand_from "+names), name, quote(summary))
		}
		for _, k := range flags {
			line := fmt.Sprintf("complete -c %s -n %s -o %s -d %s", p.Name, quote(when), k.name, quote(strings.Join(strings.Fields(k.usage), " ")))
			switch {
			case k.choices != nil:
				line += " -x -a " + quote(strings.Join(k.choices, " "))
			case k.value != "":
				line += " -r"
			}
			b.WriteString(line + "\n")
		}
	})
	return b.String()
}

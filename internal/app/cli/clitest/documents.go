package clitest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
)

// Documents checks the command lines of a program in the documents that
// patterns name: in blocks of code, and in code within a sentence. It returns the number of command
// lines.
func Documents(t *testing.T, p *cli.Program, patterns ...string) (n int) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no such documents: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range commandLines(string(text), p.Name) {
				n++
				check(t, p, file, line)
			}
		}
	}
	return n
}

// A commandLine is a command of a program in a document.
type commandLine struct {
	args  []string // without the program's name
	whole bool     // it stands in a block of code; elsewhere values may be left out
}

func check(t *testing.T, p *cli.Program, file string, line commandLine) {
	t.Helper()
	_, err := p.Parse(line.args)
	if err != nil && !line.whole && strings.Contains(err.Error(), "flag needs an argument") {
		err = nil
	}
	if err != nil {
		t.Errorf("%s: %s %s: %v", file, p.Name, strings.Join(line.args, " "), err)
	}
}

var (
	block  = regexp.MustCompile("(?ms)^ *```[a-z]*\n(.*?)^ *```")
	inline = regexp.MustCompile("`[^`\n]+`")
)

// commandLines finds the commands of a program in a document.
func commandLines(text, program string) []commandLine {
	var all []commandLine
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		code := strings.ReplaceAll(m[1], "\\\n", " ")
		for line := range strings.Lines(code) {
			for _, args := range calls(line, program) {
				all = append(all, commandLine{args, true})
			}
		}
	}
	for _, m := range inline.FindAllString(block.ReplaceAllString(text, ""), -1) {
		for _, args := range calls(strings.Trim(m, "`"), program) {
			all = append(all, commandLine{args, false})
		}
	}
	return all
}

// calls finds the calls of a program in a line for a shell: by its name, as the
// first word of a command, or with go run.
func calls(line, program string) [][]string {
	var all [][]string
	for _, command := range split(line) {
		at := 0
		if len(command) > 2 && command[0] == "go" && command[1] == "run" {
			at = slices.IndexFunc(command, func(w string) bool { return strings.HasSuffix(w, "cmd/"+program) })
		} else if len(command) > 0 && command[0] == "$" {
			at = 1
		}
		if at < 0 || at >= len(command) || filepath.Base(command[at]) != program || strings.Contains(command[at], "=") {
			continue
		}
		if args := command[at+1:]; len(args) > 0 {
			all = append(all, args)
		}
	}
	return all
}

// split cuts a line into commands, and these into words, as far as documents
// need that: quotes, comments, pipes and redirections.
func split(line string) [][]string {
	var commands [][]string
	var words []string
	word, inWord, quote := "", false, rune(0)
	endWord := func() {
		if inWord {
			words = append(words, word)
		}
		word, inWord = "", false
	}
	endCommand := func() {
		endWord()
		commands, words = append(commands, words), nil
	}
	redirected := -1 // words before a redirection
	cut := func() {
		endWord()
		if redirected >= 0 {
			words = words[:min(redirected, len(words))]
		}
		redirected = -1
		endCommand()
	}
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word += string(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == '#' && !inWord:
			cut()
			return commands
		case c == '|' || c == ';' || c == '&':
			cut()
		case c == '>' || c == '<':
			endWord()
			if redirected < 0 {
				redirected = len(words)
			}
		case c == ' ' || c == '\t' || c == '\n':
			endWord()
		default:
			word, inWord = word+string(c), true
		}
	}
	cut()
	return commands
}

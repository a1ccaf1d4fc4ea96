package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
)

// sample is a program that prints its arguments.
func sample(main bool) *Program {
	show := func(name string) func(f *Flags, s *Streams) func(context.Context, []string) error {
		return func(f *Flags, s *Streams) func(context.Context, []string) error {
			v := struct {
				model, format string
				n             int
				size          float64
				loud          bool
				where         []string
				wait          time.Duration
				seed          uint64
			}{format: "text", n: 3}
			f.Group("Search")
			f.String(&v.model, "model", "`MODEL` to use")
			f.Int(&v.n, "neighbors", "hits that an object needs, `N` of them, a text that is long enough to go on in a second line of the help")
			f.Float(&v.size, "min-size", "smallest `SIZE`")
			f.Also("min-size", "m")
			f.Group("Output")
			f.Choice(&v.format, "format", []string{"text", "json"}, "`FORMAT` of the results")
			f.Bool(&v.loud, "loud", "say more")
			f.Strings(&v.where, "where", "`COLUMN=VALUE,...` to take")
			f.Duration(&v.wait, "wait", "most `TIME`")
			f.Uint64(&v.seed, "seed", "of chance")
			return func(_ context.Context, args []string) error {
				if len(args) > 0 && args[0] == "fail" {
					return errors.New("it failed")
				}
				if len(args) > 0 && args[0] == "exit" {
					return Exit(1)
				}
				_, err := fmt.Fprintf(s.Out, "%s %+v %q min-size given: %v\n", name, v, args, f.Given("min-size"))
				return err
			}
		}
	}
	p := &Program{Name: "seek", Summary: "seek things", Commands: []*Command{
		{Name: "show", Summary: "show a thing", Args: "THING", Text: "Shows it.", Setup: show("show")},
		{Name: "convert", Summary: "convert a thing", Args: "FROM TO", Text: "Converts it.", Setup: show("convert")},
	}}
	if main {
		p.Main = &Command{Args: "FILE...", Text: "Seeks.", Setup: show("main")}
	}
	return p
}

func run(p *Program, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = p.Run(context.Background(), args, &Streams{strings.NewReader(""), &o, &e})
	return status, o.String(), e.String()
}

func TestRun(t *testing.T) {
	zero := "{model: format:text n:3 size:0 loud:false where:[] wait:0 seed:0}"
	for _, c := range []struct {
		args   string
		status int
		out    string // what stdout is, or begins with
		errs   string // what stderr has
	}{
		{"a b", 0, "main " + zero + ` ["a" "b"] min-size given: false` + "\n", ""},
		{"show", 0, "show " + zero + ` [] min-size`, ""},
		{"shwo x", 2, "", `seek: no command and no file is called "shwo"; did you mean show?`},
		{"./shwo", 0, "main " + zero + ` ["./shwo"]`, ""},
		{"./show", 0, "main " + zero + ` ["./show"]`, ""},
		{"a -loud b --format=json -", 0, `main {model: format:json n:3 size:0 loud:true where:[] wait:0 seed:0} ["a" "b" "-"]`, ""},
		{"-neighbors -1 -wait 90s -seed 7 -where a=1,2 -where b=3 x", 0, `main {model: format:text n:-1 size:0 loud:false where:[a=1,2 b=3] wait:90000000000 seed:7} ["x"]`, ""},
		{"-min-size 5 x", 0, `main {model: format:text n:3 size:5 loud:false where:[] wait:0 seed:0} ["x"] min-size given: true`, ""},
		{"-m 5 x", 0, `main {model: format:text n:3 size:5 loud:false where:[] wait:0 seed:0} ["x"] min-size given: true`, ""},
		{"a -- -loud -- b", 0, "main " + zero + ` ["a" "-loud" "--" "b"]`, ""},
		{"--modle x", 2, "", "seek: unknown flag -modle; did you mean -model? (seek -help lists the flags)\n"},
		{"show -nonsense", 2, "", "seek: unknown flag -nonsense (seek show -help lists the flags)\n"},
		{"-format xml", 2, "", `invalid value "xml" for flag -format: want text or json`},
		{"-neighbors x", 2, "", `invalid value "x" for flag -neighbors (seek -help`},
		{"-model", 2, "", "flag needs an argument: -model"},
		{"fail", 1, "", "seek: it failed\n"},
		{"exit", 1, "", ""},
		{"-version", 0, "seek ", ""},
		{"show -version", 0, "seek ", ""},
		{"-help", 0, "Usage:\n  seek [flags] FILE...\n", ""},
		{"help", 0, "Usage:\n  seek [flags] FILE...\n", ""},
		{"help show", 0, "Usage:\n  seek show [flags] THING\n\nShows it.\n", ""},
		{"help elephants", 2, "", `no command is called "elephants"; there are completion, convert, help, show:`},
		{"help shwo", 2, "", `help: no command is called "shwo"; did you mean show?`},
		{"completion tcsh", 2, "", "want bash, zsh or fish"},
	} {
		status, out, errs := run(sample(true), strings.Fields(c.args)...)
		if status != c.status || !strings.HasPrefix(out, c.out) || c.out == "" && out != "" || !strings.Contains(errs, c.errs) || c.errs == "" && errs != "" {
			t.Errorf("seek %s: status %d, printed\n%s\nand on stderr\n%s\nwant %+v", c.args, status, out, errs, c)
		}
	}
	for args, want := range map[string]string{
		"":          "no command given: see seek -help",
		"covert a":  `no command is called "covert"; did you mean convert?`,
		"-loud":     "a command comes first",
		"elephants": `no command is called "elephants": see seek -help`,
	} {
		if status, out, errs := run(sample(false), strings.Fields(args)...); status != 2 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("seek %s: status %d, stdout %q, stderr %q", args, status, out, errs)
		}
	}
	if status, out, _ := run(sample(false), "-help"); status != 0 || !strings.Contains(out, "  show         show a thing\n") {
		t.Errorf("the overview is\n%s", out)
	}
}

// The arguments that repeat a command line.
func TestAgain(t *testing.T) {
	f := must.Get(sample(true).Parse(strings.Fields("-where a=1,2 -loud -where b -m 5.50 -format JSON -wait 90s x")))
	if got, want := strings.Join(f.Names(), " "), "model neighbors min-size format loud where wait seed help version"; got != want {
		t.Errorf("the flags are %s, want %s", got, want)
	}
	for name, want := range map[string]string{
		"where": "-where A=1,2 -where B", "loud": "-loud", "help": "", "min-size": "-min-size 5.5", "format": "-format JSON", "wait": "-wait 1M30S", "neighbors": "-neighbors 3",
	} {
		if got := strings.Join(f.Again(name, strings.ToUpper), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if f, err := sample(true).Parse([]string{"help", "show"}); f != nil || err != nil {
		t.Errorf("help: %v, %v", f, err)
	}
	if _, err := sample(true).Parse([]string{"show", "-modle", "x"}); err == nil {
		t.Error("a line with an unknown flag is fine")
	}
}

func TestRewrite(t *testing.T) {
	p := sample(false)
	p.Rewrite = func(args []string) []string { return append([]string{"show"}, args...) }
	if status, out, errs := run(p, "-loud", "x"); status != 0 || !strings.Contains(out, `loud:true where:[] wait:0 seed:0} ["x"]`) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	p.Commands[0].Args = ""
	if status, out, errs := run(p, "x"); status != 2 || out != "" || !strings.Contains(errs, `show takes flags only, not "x"`) {
		t.Errorf("an argument where there are none: status %d, %s%s", status, out, errs)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &Program{Name: "p", Main: &Command{Setup: func(*Flags, *Streams) func(context.Context, []string) error {
		return func(ctx context.Context, _ []string) error {
			cancel()
			return ctx.Err()
		}
	}}}
	if got := p.Run(ctx, nil, &Streams{Out: new(bytes.Buffer), Err: new(bytes.Buffer)}); got != StatusInterrupted {
		t.Errorf("status %d", got)
	}
}

const wantHelp = `Usage:
  seek [flags] FILE...
  seek COMMAND [flags] ...

Seeks.

Commands:
  show         show a thing
  convert      convert a thing
  completion   print a script for bash, zsh or fish that completes commands and flags
  help         say more about a command; with -man, print a manual page

Search:
  -model MODEL          MODEL to use
  -neighbors N          hits that an object needs, N of them, a text that is
                        long enough to go on in a second line of the help
                        (default 3)
  -min-size, -m SIZE    smallest SIZE

Output:
  -format FORMAT        FORMAT of the results (default text)
  -loud                 say more
  -where COLUMN=VALUE,...
                        COLUMN=VALUE,... to take
  -wait TIME            most TIME
  -seed uint            of chance

This program:
  -help, -h             show this help
  -version              show the version
`

func TestHelp(t *testing.T) {
	if _, out, _ := run(sample(true), "-help"); out != wantHelp {
		t.Errorf("got\n%s\nwant\n%s", out, wantHelp)
	}
}

// The manual page has all commands and flags. A dot begins a line of text as text.
func TestManual(t *testing.T) {
	p := sample(true)
	p.Commands[0].Text = "Shows it.\n\n  table of -x\n.well \\ known\n\n'quoted"
	_, page, _ := run(p, "help", "-man")
	for _, want := range []string{
		".TH SEEK 1 \"\" \"Haarlem ", "\n.SH NAME\nseek \\- seek things\n.SH SYNOPSIS\n.B seek\n[flags] FILE...\n.br\n.B seek\nCOMMAND [flags] ...\n.br\n.SH DESCRIPTION\n.PP\nSeeks.\n",
		"\n.SH COMMAND CONVERT\nConvert a thing.\n.PP\n.B seek convert\n[flags] FROM TO\n.br\n.PP\nConverts it.\n.SS Search\n",
		"\n.TP\n\\fB\\-min\\-size\\fR, \\fB\\-m\\fR \\fISIZE\\fR\nsmallest SIZE\n",
		"\n.PP\n.nf\n  table of \\-x\n\\&.well \\e known\n.fi\n.PP\n\\&'quoted\n", "COLUMN=VALUE,... to take\n", "(default 3)\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if _, page, _ := run(sample(false), "help", "-man"); !strings.Contains(page, ".SH SYNOPSIS\n.B seek\nCOMMAND [flags] ...\n.br\n.SH COMMAND SHOW\n") {
		t.Error(page)
	}
}

// Bash itself completes with the script.
func TestBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	_, script, _ := run(sample(true), "completion", "bash")
	for line, want := range map[string]string{
		"seek sh":           "show",
		"seek -mo":          "-model",
		"seek show -lo":     "-loud",
		"seek -format ":     "text json",
		"seek show -format": "-format",
		"seek convert FR":   "",
	} {
		words := strings.Split(line, " ")
		cmd := exec.Command(bash, "--norc", "-c", script+`
COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _seek; echo "${COMPREPLY[*]}"`, "bash")
		cmd.Args = append(cmd.Args, words...)
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%q: %v, %q, want %q", line, err, got, want)
		}
	}
}

func TestFish(t *testing.T) {
	_, script, _ := run(sample(true), "completion", "fish")
	for _, line := range []string{
		`complete -c seek -n 'not __fish_seen_subcommand_from help completion show convert' -a show -d 'show a thing'`,
		`complete -c seek -n '__fish_seen_subcommand_from show' -o format -d 'FORMAT of the results' -x -a 'text json'`,
		`complete -c seek -n 'not __fish_seen_subcommand_from help completion show convert' -o model -d 'MODEL to use' -r`,
	} {
		if !strings.Contains(script, line+"\n") {
			t.Errorf("no line\n%s\nin\n%s", line, script)
		}
	}
}

func TestSuggest(t *testing.T) {
	words := []string{"-min-size", "-max-size", "-model", "-mirror"}
	for wrong, want := range map[string]string{
		"minsize": "; did you mean -min-size?", "mdoel": "; did you mean -model?", "x": "", "neighbours": "", "mir": "; did you mean -mirror?",
	} {
		if got := suggest(wrong, words); got != want {
			t.Errorf("%s: %q, want %q", wrong, got, want)
		}
	}
	if d := distance("abcd", "bacd"); d != 1 {
		t.Errorf("a swap is %d", d)
	}
}

// A file of settings says what the command line does not, in the same words.
func TestSet(t *testing.T) {
	f := must.Get(sample(false).Parse(strings.Fields("show -neighbors 5")))
	for _, s := range [][2]string{{"where", "a=1"}, {"where", "b"}, {"loud", "true"}, {"wait", "2m"}} {
		if err := f.Set(s[0], s[1]); err != nil || !f.Given(s[0]) {
			t.Errorf("%q: %v, given: %v", s, err, f.Given(s[0]))
		}
	}
	if got := f.Values("where"); len(got) != 2 || got[1] != "b" || f.Values("wait")[0] != "2m0s" || f.Values("neighbors")[0] != "5" {
		t.Errorf("the values are %q, %q and %q", got, f.Values("wait"), f.Values("neighbors"))
	}
	for name, want := range map[string]string{"neighbor": "did you mean -neighbors?", "wait": `-wait is "x"`} {
		if err := f.Set(name, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// Advanced flags come last in help, after those of the program.
func TestAdvanced(t *testing.T) {
	p := &Program{Name: "seek", Main: &Command{Text: "Seeks.", Setup: func(f *Flags, _ *Streams) func(context.Context, []string) error {
		var v [3]bool
		f.Bool(&v[0], "plain", "what all need")
		f.Advanced()
		f.Group("Depth")
		f.Bool(&v[1], "deep", "what few need")
		return func(context.Context, []string) error { return nil }
	}}}
	_, out, _ := run(p, "-help")
	at := -1
	for _, want := range []string{"-plain", "-version", "Advanced flags", "Depth:", "-deep"} {
		next := strings.Index(out, want)
		if next <= at {
			t.Errorf("help says %q at %d, want it after %d:\n%s", want, next, at, out)
		}
		at = next
	}
}

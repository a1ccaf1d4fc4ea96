package cli

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Flags are the flags of one command. A flag's usage names its value in
// backquotes, as in package flag.
type Flags struct {
	command string
	set     *flag.FlagSet
	groups  []group
	known   map[string]*known
	given   []string // names of the flags that were given, as they were declared

	advanced      bool // groups that begin now are for few users
	help, version bool
}

// A group is flags that belong together.
type group struct {
	title    string
	advanced bool
	flags    []*known
}

// A known is a flag as help and completion see it.
type known struct {
	name    string
	also    []string // other names, as good
	value   string   // what help calls the value; empty for a switch
	usage   string
	normal  string   // the value without the flag; empty if that is none
	choices []string // what the value may be, if that is a list
}

func newFlags(command string) *Flags {
	f := &Flags{command: command, set: flag.NewFlagSet(command, flag.ContinueOnError), known: map[string]*known{}}
	f.set.SetOutput(io.Discard)
	f.set.Usage = func() {}
	return f
}

// Group begins a group of flags. The first groups of a command should be what
// everybody needs.
func (f *Flags) Group(title string) {
	f.groups = append(f.groups, group{title: title, advanced: f.advanced})
}

// Advanced marks all groups that follow as advanced: help lists them last, in a
// section of their own. Defaults must serve everybody who does not read it.
func (f *Flags) Advanced() { f.advanced = true }

// declare records a flag that f.set already has.
func (f *Flags) declare(name string) *known {
	if len(f.groups) == 0 {
		f.Group("Flags")
	}
	v := f.set.Lookup(name)
	k := &known{name: name, normal: v.DefValue}
	k.value, k.usage = flag.UnquoteUsage(v)
	if k.value == "" || slices.Contains([]string{"0", "0s"}, v.DefValue) {
		k.normal = ""
	}
	g := &f.groups[len(f.groups)-1]
	g.flags = append(g.flags, k)
	f.known[name] = k
	return k
}

// Bool declares a switch.
func (f *Flags) Bool(p *bool, name, usage string) {
	f.set.BoolVar(p, name, *p, usage)
	f.declare(name)
}

// String declares a flag with a text value; *p is the default.
func (f *Flags) String(p *string, name, usage string) {
	f.set.StringVar(p, name, *p, usage)
	f.declare(name)
}

// Choice declares a flag whose value is one of a few words, in any case.
func (f *Flags) Choice(p *string, name string, choices []string, usage string) {
	f.set.Var(&choice{p, choices}, name, usage)
	f.declare(name).choices = choices
}

type choice struct {
	p     *string
	words []string
}

func (c *choice) Set(v string) error {
	i := slices.IndexFunc(c.words, func(w string) bool { return strings.EqualFold(w, v) })
	if i < 0 {
		return fmt.Errorf("want %s", orList(c.words))
	}
	*c.p = c.words[i]
	return nil
}

func (c *choice) String() string {
	if c.p == nil {
		return ""
	}
	return *c.p
}

// Strings declares a flag that may be repeated. Values are not split at commas.
func (f *Flags) Strings(p *[]string, name, usage string) {
	f.Func(name, usage, func(v string) error {
		*p = append(*p, v)
		return nil
	})
}

// Int declares a flag with a whole number.
func (f *Flags) Int(p *int, name, usage string) {
	f.set.IntVar(p, name, *p, usage)
	f.declare(name)
}

// Uint64 declares a flag with a whole number that is not negative.
func (f *Flags) Uint64(p *uint64, name, usage string) {
	f.set.Uint64Var(p, name, *p, usage)
	f.declare(name)
}

// Float declares a flag with a number.
func (f *Flags) Float(p *float64, name, usage string) {
	f.set.Float64Var(p, name, *p, usage)
	f.declare(name)
}

// Duration declares a flag with a time, such as 90s or 20m.
func (f *Flags) Duration(p *time.Duration, name, usage string) {
	f.set.DurationVar(p, name, *p, usage)
	f.declare(name)
}

// Func declares a flag whose values go to a function, one call each.
func (f *Flags) Func(name, usage string, take func(string) error) {
	f.set.Var(&taken{take: take}, name, usage)
	f.declare(name)
}

// A taken holds the values that a function was given.
type taken struct {
	take  func(string) error
	texts []string
}

func (t *taken) Set(v string) error {
	t.texts = append(t.texts, v)
	return t.take(v)
}

func (t *taken) String() string { return "" }

// Also gives a flag alternative names.
func (f *Flags) Also(name string, others ...string) {
	k := f.mustKnow(name)
	v := f.set.Lookup(name)
	for _, other := range others {
		f.set.Var(v.Value, other, v.Usage)
		k.also = append(k.also, other)
	}
}

// Foreign accepts a flag of another program, which help does not show. take gets
// its value: true or false of a switch.
func (f *Flags) Foreign(name string, isSwitch bool, take func(string) error) {
	if isSwitch {
		f.set.BoolFunc(name, "", take)
	} else {
		f.set.Func(name, "", take)
	}
}

func (f *Flags) mustKnow(name string) *known {
	k := f.known[name]
	if k == nil {
		panic(fmt.Sprintf("cli: %s has no flag -%s yet", f.command, name))
	}
	return k
}

// Given reports whether a flag was given, under any of its names.
func (f *Flags) Given(name string) bool {
	f.mustKnow(name)
	return slices.Contains(f.given, name)
}

// Set gives a flag another value, as if it followed on the command line: from a
// file of settings. What is wrong with the value is an error of usage.
func (f *Flags) Set(name, value string) error {
	k := f.known[name]
	if k == nil {
		return Usagef("no flag is called -%s%s", name, suggest("-"+name, f.names()))
	}
	if err := f.set.Set(name, value); err != nil {
		return Usagef("-%s is %q: %v", name, value, strings.TrimSuffix(err.Error(), ": parse error"))
	}
	if !slices.Contains(f.given, name) {
		f.given = append(f.given, name)
	}
	return nil
}

// Values returns the values of a flag as text: one, or those that were given of a
// flag that may be given several times.
func (f *Flags) Values(name string) []string {
	f.mustKnow(name)
	v := f.set.Lookup(name).Value
	if t, ok := v.(*taken); ok {
		return t.texts
	}
	return []string{v.String()}
}

// all returns the flags in the order of their declaration.
func (f *Flags) all() (list []*known) {
	for _, g := range f.groups {
		list = append(list, g.flags...)
	}
	return list
}

// Names returns the names of all flags, in the order of their declaration,
// without alternative ones.
func (f *Flags) Names() (names []string) {
	for _, k := range f.all() {
		names = append(names, k.name)
	}
	return names
}

// Except returns the names of all flags but these.
func (f *Flags) Except(names ...string) []string {
	return slices.DeleteFunc(f.Names(), func(name string) bool { return slices.Contains(names, name) })
}

// Usage returns a flag's usage text.
func (f *Flags) Usage(name string) string {
	return f.mustKnow(name).usage
}

// Again returns the arguments that set a flag to its present value: none for a
// switch that is off, and several for a repeated flag. change may change
// values; nil leaves them.
func (f *Flags) Again(name string, change func(string) string) []string {
	f.mustKnow(name)
	v := f.set.Lookup(name).Value
	var args []string
	for _, text := range f.Values(name) {
		switch {
		case isSwitch(v) && text == "true":
			args = append(args, "-"+name)
		case isSwitch(v):
		case change != nil:
			args = append(args, "-"+name, change(text))
		default:
			args = append(args, "-"+name, text)
		}
	}
	return args
}

// Repeat returns the arguments that give some flags again, as far as they were given.
// change changes the values of those that are paths.
func (f *Flags) Repeat(names, paths []string, change func(string) string) []string {
	var args []string
	for _, name := range names {
		if !f.Given(name) {
			continue
		}
		if slices.Contains(paths, name) {
			args = append(args, f.Again(name, change)...)
		} else {
			args = append(args, f.Again(name, nil)...)
		}
	}
	return args
}

func isSwitch(v flag.Value) bool {
	b, ok := v.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// parse removes the flags from args and returns the rest.
func (f *Flags) parse(args []string) ([]string, error) {
	f.advanced = false
	f.Group("This program")
	f.Bool(&f.help, "help", "show this help")
	f.Also("help", "h")
	f.Bool(&f.version, "version", "show the version")
	var rest []string
	for {
		if err := f.set.Parse(args); err != nil {
			return nil, f.wrong(err)
		}
		left := f.set.Args()
		if n := len(args) - len(left); n > 0 && args[n-1] == "--" {
			rest = append(rest, left...)
			break
		}
		if len(left) == 0 {
			break
		}
		rest, args = append(rest, left[0]), left[1:]
	}
	f.set.Visit(func(v *flag.Flag) {
		name := v.Name
		for _, k := range f.all() {
			if slices.Contains(k.also, name) {
				name = k.name
			}
		}
		f.given = append(f.given, name)
	})
	return rest, nil
}

// wrong rephrases package flag's errors.
func (f *Flags) wrong(err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		text = "unknown flag -" + name + suggest(name, f.names())
	}
	text = strings.TrimSuffix(text, ": parse error")
	text = strings.TrimSuffix(text, ": "+strconv.ErrRange.Error())
	return Usagef("%s (%s -help lists the flags)", text, f.command)
}

// names returns all flags' names, with a dash.
func (f *Flags) names() (names []string) {
	for _, k := range f.all() {
		for _, name := range append([]string{k.name}, k.also...) {
			names = append(names, "-"+name)
		}
	}
	return names
}

func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

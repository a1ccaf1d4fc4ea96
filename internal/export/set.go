package export

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A Set is exports of several classes, which are written into one file. What their texts
// have in common is written once: the group function, and most of a search.
type Set struct {
	all  []*Export
	name string // identifier
}

// NewSet returns a set whose names in programs begin with name.
func NewSet(name string, all []*Export) (*Set, error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no cascade", ErrSettings)
	}
	s := &Set{all: all, name: identifier(name)}
	taken := map[string]string{}
	for _, e := range all {
		if was, twice := taken[e.identifier()]; twice {
			return nil, fmt.Errorf("%w: %q and %q have the same name in programs: rename one", ErrExport, was, e.c.Name)
		}
		taken[e.identifier()] = e.c.Name
	}
	return s, nil
}

// Files returns the file of a format, c or js, and in the profile Small the cascades with
// their rounded numbers.
func (s *Set) Files(format string) (files []File, err error) {
	switch format {
	case "c":
		files = []File{{s.name + ".h", s.writeC}}
	case "js":
		files = []File{{s.name + ".mjs", s.writeJavaScript}}
	default:
		return nil, fmt.Errorf("%w: format %q of several models, want c or js", ErrSettings, format)
	}
	for _, e := range s.all {
		if e.settings.Profile == Small {
			files = append(files, File{e.identifier() + ".cascade", e.c.Encode})
		}
	}
	return files, nil
}

// A block is a part of a program's text: a declaration or a function, with its comment.
type block struct {
	text    string
	names   []string // that it mentions
	defines []string
}

// blocksOf divides a text at empty lines outside of braces. defines returns the names that
// the code of a block, without its comments, defines, some of those that were mentioned.
func blocksOf(text string, comments, word *regexp.Regexp, defines func(code string, seen map[string]bool) []string) []block {
	var all []block
	seen := map[string]bool{}
	depth := 0
	var b strings.Builder
	end := func() {
		if t := strings.Trim(b.String(), "\n"); t != "" {
			code := comments.ReplaceAllString(t, "")
			k := block{text: t, names: word.FindAllString(code, -1), defines: defines(code, seen)}
			for _, n := range k.names {
				seen[n] = true
			}
			all = append(all, k)
		}
		b.Reset()
	}
	for _, line := range strings.Split(text, "\n") {
		if line == "" && depth == 0 {
			end()
		}
		b.WriteString(line + "\n")
		code := comments.ReplaceAllString(line, "")
		depth += strings.Count(code, "{") - strings.Count(code, "}")
	}
	end()
	return all
}

// shared divides the blocks of several programs in those that all of them have, and that
// need no other, and in each program's own.
func shared(programs [][]block) (common []block, own [][]block) {
	has := func(p []block, text string) bool {
		return slices.ContainsFunc(p, func(b block) bool { return b.text == text })
	}
	alone := map[string]bool{} // names that programs define differently
	isCommon := func(b *block) bool {
		for _, p := range programs {
			if !has(p, b.text) {
				return false
			}
		}
		return !slices.ContainsFunc(b.names, func(n string) bool { return alone[n] })
	}
	for before := -1; before < len(alone); {
		before = len(alone)
		for _, p := range programs {
			for i := range p {
				if !isCommon(&p[i]) {
					for _, n := range p[i].defines {
						alone[n] = true
					}
				}
			}
		}
	}
	for i := range programs[0] {
		if b := &programs[0][i]; isCommon(b) {
			common = append(common, *b)
		}
	}
	for _, p := range programs {
		var mine []block
		for i := range p {
			if !isCommon(&p[i]) {
				mine = append(mine, p[i])
			}
		}
		own = append(own, mine)
	}
	return common, own
}

var (
	cComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cWord     = regexp.MustCompile(`\b(model|MODEL)_\w+`)
	cName     = regexp.MustCompile(`\b(?:model|MODEL)_`)
	cIncludes = regexp.MustCompile(`(?m)^#(ifndef|define) MODEL_H$|^#include .*$`)
)

// writeC writes all cascades as one C99 header.
func (s *Set) writeC(w io.Writer) error {
	var heads []string
	var programs [][]block
	for _, e := range s.all {
		text, err := e.text()
		if err != nil {
			return err
		}
		head, body, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(text), "#endif"), " */\n")
		heads = append(heads, strings.TrimPrefix(head, "/* "))
		programs = append(programs, blocksOf(cIncludes.ReplaceAllString(body, ""), cComment, cWord, func(code string, seen map[string]bool) (names []string) {
			for _, n := range cWord.FindAllString(code, -1) { // a name is defined where it is mentioned first
				if !seen[n] {
					names = append(names, n)
				}
			}
			return names
		}))
	}
	common, own := shared(programs)
	of := map[string]bool{}
	for _, b := range common {
		for _, n := range b.defines {
			of[n] = true
		}
	}
	named := func(text, prefix string) string {
		return cWord.ReplaceAllStringFunc(text, func(n string) string {
			name := prefix
			if of[n] {
				name = s.name
			}
			if strings.HasPrefix(n, "MODEL_") {
				name = strings.ToUpper(name)
			}
			return cName.ReplaceAllString(n, name+"_")
		})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/* %d cascades in one header: ", len(s.all))
	for i, e := range s.all {
		fmt.Fprintf(&b, "%s%s_find", strings.Repeat(", ", min(i, 1)), e.identifier())
	}
	fmt.Fprintf(&b, ". What they have in common is called %s_.\n", s.name)
	for i, e := range s.all {
		b.WriteString(" *\n * " + strings.TrimRight(named(heads[i], e.identifier()), "\n") + "\n")
	}
	guard := strings.ToUpper(s.name) + "_H"
	fmt.Fprintf(&b, " */\n#ifndef %s\n#define %s\n\n#include <stddef.h>\n#include <stdint.h>\n", guard, guard)
	for _, k := range common {
		b.WriteString("\n" + named(k.text, s.name) + "\n")
	}
	for i, e := range s.all {
		for _, k := range own[i] {
			b.WriteString("\n" + named(k.text, e.identifier()) + "\n")
		}
	}
	b.WriteString("\n#endif\n")
	_, err := io.WriteString(w, b.String())
	return err
}

var (
	jsComment = regexp.MustCompile(`(?m)//.*$`)
	jsWord    = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	jsDefines = regexp.MustCompile(`(?m)^(?:export )?(?:function|class) (\w+)|(?:^const |, )([A-Z_]+) =|^const (\w+) =`)
)

// writeJavaScript writes all cascades as one ES module.
func (s *Set) writeJavaScript(w io.Writer) error {
	var heads []string
	var programs [][]block
	for _, e := range s.all {
		var text strings.Builder
		if err := e.WriteJavaScript(&text); err != nil {
			return err
		}
		head, body, _ := strings.Cut(text.String(), "\n\n")
		heads = append(heads, head)
		programs = append(programs, blocksOf(body, jsComment, jsWord, func(code string, _ map[string]bool) (names []string) {
			for _, m := range jsDefines.FindAllStringSubmatch(code, -1) {
				names = append(names, m[1]+m[2]+m[3])
			}
			return names
		}))
	}
	common, own := shared(programs)
	var b strings.Builder
	fmt.Fprintf(&b, "// %d cascades in one module, each with its functions:\n//\n//   import { %s } from \"./%s.mjs\";\n", len(s.all), s.all[0].identifier(), s.name)
	fmt.Fprintf(&b, "//   const windows = %s.find(grey, width, height);\n", s.all[0].identifier())
	for _, head := range heads {
		b.WriteString("//\n" + head + "\n")
	}
	plain := func(text string) string { return regexp.MustCompile(`(?m)^export `).ReplaceAllString(text, "") }
	exported := regexp.MustCompile(`(?m)^export (?:function|class) (\w+)`)
	for _, k := range common {
		b.WriteString("\n" + plain(k.text) + "\n")
	}
	for i, e := range s.all {
		fmt.Fprintf(&b, "\nexport const %s = (() => {\n", e.identifier())
		var names []string
		for _, k := range own[i] {
			b.WriteString(plain(k.text) + "\n\n")
		}
		for _, k := range programs[i] {
			for _, m := range exported.FindAllStringSubmatch(k.text, -1) {
				names = append(names, m[1])
			}
		}
		fmt.Fprintf(&b, "return { %s };\n})();\n", strings.Join(names, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

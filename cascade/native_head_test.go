package cascade

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// unsealed is c's file without its checksum.
func unsealed(t *testing.T, c *Cascade) string {
	t.Helper()
	text := string(encode(t, c))
	return text[:strings.LastIndex(text, nativeSum)]
}

// A file has the lowest version that has its lines.
func TestLowestVersion(t *testing.T) {
	for name, test := range map[string]struct {
		set  func(*Cascade)
		want int
	}{
		"nothing":    {func(*Cascade) {}, 1},
		"stride":     {func(c *Cascade) { c.Search.Stride = 2 }, 1},
		"support":    {func(c *Cascade) { c.Search.MinCandidates, c.Search.MinScore = 1, 0.5 }, 1},
		"nearby":     {func(c *Cascade) { c.Search.RefineX = 1 }, 2},
		"around":     {func(c *Cascade) { c.Search.RefineY = 1 }, 2},
		"between":    {func(c *Cascade) { c.Search.InterLevel, c.Search.DenseFrom = 1, 2 }, 2},
		"pad":        {func(c *Cascade) { c.Search.Pad = 0.25 }, 2},
		"verifier":   {func(c *Cascade) { c.Verifier = fileCascades()["verified"].Verifier }, 2},
		"head-start": {func(c *Cascade) { c.Search.ScaleBias = ScaleBias{PerOctave: 1, From: 1, Most: 1} }, 3},
		"halve":      {func(c *Cascade) { c.Search.PrefilterFrom = 2 }, 3},
		"context":    {func(c *Cascade) { c.Verifier = fileCascades()["boxed"].Verifier }, 4},
		"boxes":      {func(c *Cascade) { c.Verifier = fileCascades()["boxed"].Verifier }, 4},
		"mirror":     {func(c *Cascade) { c.Verifier = fileCascades()["mirrored"].Verifier }, 5},
		"again":      {func(c *Cascade) { c.Verifier = fileCascades()["ahead"].Verifier }, 3},
		"object":     {func(c *Cascade) { c.Object = Object{"face", "faces"} }, 3},
	} {
		c := fileCascades()["soft"]
		test.set(c)
		text := unsealed(t, c)
		first, rest, _ := strings.Cut(text, "\n")
		if want := fmt.Sprintf("haarlem-cascade %d", test.want); first != want {
			t.Errorf("%s: the file begins with %q, want %q", name, first, want)
			continue
		}
		// No other version number is valid, except where version 2 once had
		// lines of version 3.
		for v := version1; v <= version5; v++ {
			got, err := Read(bytes.NewReader(seal([]byte(fmt.Sprintf("haarlem-cascade %d\n%s", v, rest)))), nil)
			old := v == 2 && slices.Contains([]string{"head-start", "halve", "again"}, name)
			if ok := v == test.want || old; ok != (err == nil) {
				t.Errorf("%s: as version %d: error %v", name, v, err)
			}
			if err == nil && !reflect.DeepEqual(got, c) {
				t.Errorf("%s: as version %d: got %+v, want %+v", name, v, got, c)
			}
		}
	}
}

// Old files of version 2 with lines of version 3 are read, and written with the
// new number and otherwise unchanged.
func TestOldVersion2(t *testing.T) {
	c := fileCascades()["ahead"]
	now := unsealed(t, c)
	old := strings.Replace(now, "haarlem-cascade 3\n", "haarlem-cascade 2\n", 1)
	if old == now {
		t.Fatal("this is no model of version 3")
	}
	got, err := Read(bytes.NewReader(seal([]byte(old))), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, c) || unsealed(t, got) != now {
		t.Errorf("got %+v\nwant %+v", got, c)
	}
}

func TestReadHostileObject(t *testing.T) {
	text := unsealed(t, fileCascades()["mixed"])
	checkHostile(t, []hostile{
		{"object bus buses", "object bus", ErrFormat, "line 2|plural: \"\""},
		{"object bus buses", "object  buses", ErrFormat, "line 2|singular: \"\""},
		{"object bus buses", "object ", ErrFormat, "line 2|left out"},
		{"object bus buses", "object bus buses old", ErrFormat, "line 2|end of the line"},
		{"object bus buses", "object b/s buses", ErrFormat, "line 2|'/'"},
		{"object bus buses", "object bus ..", ErrFormat, "line 2|'.'"},
		{"object bus buses", "object -bus buses", ErrFormat, "line 2|a letter first"},
		{"object bus buses", "object bus \xff", ErrFormat, "line 2|UTF-8"},
		{"object bus buses", "object bus \x1b[1m", ErrFormat, "line 2|a letter first"},
		{"object bus buses", "object bus b" + strings.Repeat("u", 40), ErrFormat, "line 2|1 to 40 bytes"},
		{"object bus buses\n", "", ErrFormat, "version 3|want version 1"},
		{"object bus buses\n", "object bus buses\nobject bus buses\n", ErrFormat, "line 3|\"object\", want \"kind\""},
	}, func(h hostile) string { return string(seal([]byte(h.edit(text)))) })
}

// The page that describes the format has exactly the reader's keys, and says
// from which version on each may be used.
func TestFormatPageKeys(t *testing.T) {
	data, err := os.ReadFile("../models/FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	described := map[string]string{} // by key
	_, body, _ := strings.Cut(page, "\n## Head\n")
	body, versions, _ := strings.Cut(body, "\n## Versions\n")
	body, _, _ = strings.Cut(body, "\n## Reading hostile files\n")
	span := regexp.MustCompile("`([a-z][a-z0-9-]*)[^`]*`")
	for line := range strings.Lines(body) {
		subject := ""
		if row, ok := strings.CutPrefix(line, "| "); ok {
			subject, _, _ = strings.Cut(row, " | ")
		} else if subject = strings.TrimPrefix(line, "- "); strings.HasPrefix(subject, "`") {
			subject = subject[:strings.Index(subject[1:], "`")+2]
		} else {
			continue
		}
		for _, m := range span.FindAllStringSubmatch(subject, -1) {
			described[m[1]] += line
		}
	}
	known := knownKeys(t)
	for _, key := range known {
		if described[key] == "" {
			t.Errorf("the reader knows %q, and models/FORMAT.md does not describe it", key)
		}
	}
	for key := range described {
		if !slices.Contains(known, key) {
			t.Errorf("models/FORMAT.md describes %q, which the reader does not know", key)
		}
	}

	// The table of versions, and the description of each line.
	since := map[string]int{"object": version3, "verifier": version2, "trees": version2, "again": version3, "context": version4, "boxes": version4, "mirror": version5}
	for _, l := range headLines {
		since[l.key] = l.since
	}
	for key, v := range since {
		named := 1
		for line := range strings.Lines(versions) {
			if n, row, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok && strings.Contains(row, "`"+key+"`") {
				named, _ = strconv.Atoi(n)
			}
		}
		if named != v {
			t.Errorf("models/FORMAT.md says that %q came with version %d, the reader knows it from %d on", key, named, v)
		}
		if key == "verifier" || key == "trees" { // checked above
			continue
		}
		if says := strings.Contains(described[key], fmt.Sprintf("version %d", v)); says != (v > 1) {
			t.Errorf("what models/FORMAT.md says of %q, which is of version %d: %s", key, v, described[key])
		}
	}
}

// knownKeys are the first words of lines that the reader accepts: those of
// headLines, and the strings that its code passes to peek, want and text or
// compares a line's key with.
func knownKeys(t *testing.T) []string {
	t.Helper()
	keys := []string{strings.TrimSpace(nativeMagic)}
	for _, l := range headLines {
		keys = append(keys, l.key)
	}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			key, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
	}
	for _, name := range []string{"native_read.go", "native_head.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"peek", "want", "text"}, f.Sel.Name) {
					add(n.Args[0])
				}
			case *ast.SwitchStmt: // switch string(r.key)
				call, ok := n.Tag.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					break
				}
				if arg, ok := call.Args[0].(*ast.SelectorExpr); ok && arg.Sel.Name == "key" {
					for _, c := range n.Body.List {
						for _, e := range c.(*ast.CaseClause).List {
							add(e)
						}
					}
				}
			}
			return true
		})
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func TestParseObject(t *testing.T) {
	for text, want := range map[string]Object{
		"face": {"face", "faces"}, "bus,buses": {"bus", "buses"}, "stop-sign": {"stop-sign", "stop-signs"}, "Gesicht,Gesichter": {"Gesicht", "Gesichter"}, "лицо,лица": {"лицо", "лица"},
	} {
		if got, err := ParseObject(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", ",", "a,", ",b", "two words", "a,b,c", "../x", "7", strings.Repeat("x", 41)} {
		if got, err := ParseObject(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

func TestObjectOf(t *testing.T) {
	face, bus, silent := &Cascade{Object: Object{"face", "faces"}}, &Cascade{Object: Object{"bus", "buses"}}, &Cascade{}
	for i, test := range []struct {
		of   []*Cascade
		want Object
	}{
		{nil, anyObject}, {[]*Cascade{silent}, anyObject}, {[]*Cascade{face, face}, face.Object},
		{[]*Cascade{face, bus}, anyObject}, {[]*Cascade{face, silent}, anyObject}, {[]*Cascade{silent, bus}, anyObject},
	} {
		if got := ObjectOf(test.of...); got != test.want {
			t.Errorf("%d: %v, want %v", i, got, test.want)
		}
	}
}

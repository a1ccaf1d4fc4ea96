package cascade

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// unsealed is c's file without its checksum.
func unsealed(t *testing.T, c *Cascade) string {
	t.Helper()
	text := string(encode(t, c))
	return text[:strings.LastIndex(text, nativeSum)]
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
		{"object bus buses", "object -bus buses", ErrFormat, "line 2|a hyphen not first"},
		{"object bus buses", "object bus \xff", ErrFormat, "line 2|UTF-8"},
		{"object bus buses", "object bus \x1b[1m", ErrFormat, "line 2|a hyphen not first"},
		{"object bus buses", "object bus b" + strings.Repeat("u", 40), ErrFormat, "line 2|1 to 40 bytes"},
		{"object bus buses\n", "object bus buses\nobject bus buses\n", ErrFormat, "line 3|\"object\", want \"kind\""},
	}, func(h hostile) string { return string(seal([]byte(h.edit(text)))) })
}

// The page that describes the format has exactly the reader's keys.
func TestFormatPageKeys(t *testing.T) {
	data := must.Get(os.ReadFile("../models/FORMAT.md"))
	page := string(data)
	described := map[string]string{} // by key
	_, body, _ := strings.Cut(page, "\n## Head\n")
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
}

// knownKeys are the first words of lines that the reader accepts: those of the
// tables, and the strings that its code passes to peek and want or compares a
// line's key with.
func knownKeys(t *testing.T) []string {
	t.Helper()
	var keys []string
	for _, l := range headLines {
		keys = append(keys, l.key)
	}
	for _, l := range verifierLines {
		keys = append(keys, l.key)
	}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			key := must.Get(strconv.Unquote(lit.Value))
			keys = append(keys, key)
		}
	}
	for _, name := range []string{"native_read.go", "native_network.go", "native_lines.go"} {
		file := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, 0))
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"peek", "want"}, f.Sel.Name) {
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
		"face": {"face", "faces"}, "bus,buses": {"bus", "buses"}, "stop-sign": {"stop-sign", "stop-signs"}, "Gesicht,Gesichter": {"Gesicht", "Gesichter"}, "лицо,лица": {"лицо", "лица"}, "number plate": {"number-plate", "number-plates"},
		"  Bücherstapel (rot) , Bücherstapel": {"Bücherstapel-rot", "Bücherstapel"}, "../../etc/3D print\x1b[1m": {"etc-3D-print-1m", "etc-3D-print-1ms"}, "हिन्दी": {"हिन्दी", "हिन्दीs"}, "C:\\a": {"C-a", "C-as"}, "7": {"7", "7s"},
	} {
		if got, err := ParseObject(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", ",", "a,", ",b", "a,b,c", "../", "\xff", "\u0301", strings.Repeat("x", 41)} {
		if got, err := ParseObject(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

var (
	code  = regexp.MustCompile("`([^`]+)`")
	place = regexp.MustCompile(`^([\w./-]+\.go)(?::(\w+))?$`)
	link  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fence = regexp.MustCompile("(?ms)^```.*?^```$")
)

// declares reports whether a Go file has a function or method of that name.
func declares(t *testing.T, file, name string) bool {
	t.Helper()
	parsed := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))
	return slices.ContainsFunc(parsed.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Name.Name == name
	})
}

// missing names each FILE.go and FILE.go:FUNCTION of a page that does not exist. A
// file without a folder is in the folder named before it in the same line.
func missing(t *testing.T, page string) (all []string, n int) {
	for line := range strings.Lines(page) {
		folder := ""
		for _, m := range code.FindAllStringSubmatch(line, -1) {
			p := place.FindStringSubmatch(m[1])
			if p == nil {
				continue
			}
			n++
			if strings.Contains(p[1], "/") {
				folder = path.Dir(p[1])
			}
			file := filepath.Join("..", "..", folder, path.Base(p[1]))
			if _, err := os.Stat(file); err != nil || p[2] != "" && !declares(t, file, p[2]) {
				all = append(all, path.Join(folder, path.Base(m[1])))
			}
		}
	}
	return all, n
}

// What ARCHITECTURE.md names is there: each file, and each function of a file.
func TestArchitectureIsThere(t *testing.T) {
	page := must.Get(os.ReadFile("../../ARCHITECTURE.md"))
	all, n := missing(t, string(page))
	for _, name := range all {
		t.Errorf("ARCHITECTURE.md names %s, which does not exist", name)
	}
	if n < 60 {
		t.Errorf("ARCHITECTURE.md names %d files, want those of both journeys", n)
	}
	all, _ = missing(t, "1. `picture/picture.go:Open` and `picture.go:Shut`, `none.go`\n`picture.go`\n")
	if want := []string{"picture/picture.go:Shut", "picture/none.go", "picture.go"}; !slices.Equal(all, want) {
		t.Errorf("found missing %v, want %v", all, want)
	}
}

// anchors returns the names by which links lead to headings of a page.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(fence.ReplaceAllString(page, "")) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			title = regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			all[strings.ReplaceAll(title, " ", "-")] = true
		}
	}
	return all
}

// Links between documents lead to a file, and to a heading where they name one.
func TestLinksOfDocuments(t *testing.T) {
	pages := map[string]string{}
	sources(t, func(_, path string, _ bool) {
		if filepath.Ext(path) == ".md" {
			pages[path] = string(must.Get(os.ReadFile(path)))
		}
	})
	n := 0
	for name, page := range pages {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
			u, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if u.Scheme != "" {
				continue
			}
			n++
			to := name
			if u.Path != "" {
				to = filepath.Join(filepath.Dir(name), filepath.FromSlash(u.Path))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: the link %s leads to no file", name, m[1])
			} else if u.Fragment != "" && !anchors(pages[to])[u.Fragment] {
				t.Errorf("%s: the link %s leads to no heading", name, m[1])
			}
		}
	}
	if n < 50 {
		t.Errorf("%d links, want those of all documents", n)
	}
}

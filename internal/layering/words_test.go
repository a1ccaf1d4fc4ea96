package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// bannedIn are words that no declared identifier may contain, as camel-case words.
var bannedIn = map[string]string{
	"most": "max", "least": "min", "behind": "second or following", "wrongly": "falsely",
}

// allowed are identifiers that contain one of them, with the reason.
var allowed = map[string]string{
	"atMost":  "says what it checks",
	"atLeast": "says what it checks",

	"LeastSquares": "the criterion of that name", "leastSquares": "the criterion of that name",
	"LeastSquaresLoss": "the loss of that name", "leastSquaresLoss": "the loss of that name",
	"TestAlignIsLeastSquares": "the method of that name",
}

// bannedPhrases may stand in no string, comment or document.
var bannedPhrases = []string{
	"stands behind", "stand behind", "standing behind", "nothing to tell it from", "nothing to tell them from",
	"is the least", "are the least", "is the most", "are the most", "at the most", "behind each other",
	"right detections", "wrong detections", "right boxes", "wrong boxes", "takes every detection seriously",
	"who is slow gets",
}

var camel = regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z]+`)

// banned returns the banned word in an identifier, or "".
func banned(name string) string {
	if allowed[name] != "" {
		return ""
	}
	for _, w := range camel.FindAllString(name, -1) {
		if w := strings.ToLower(w); bannedIn[w] != "" {
			return w
		}
	}
	return ""
}

// declaredNames returns the identifiers that a file declares, and where.
func declaredNames(file *ast.File) map[string]token.Pos {
	all := map[string]token.Pos{}
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			all[id.Name] = id.Pos()
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.Field:
			add(n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						add(id)
					}
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok && n.Tok == token.DEFINE {
					add(id)
				}
			}
		}
		return true
	})
	return all
}

var blanks = regexp.MustCompile(`(\n\s*(//|\*)?\s*|\s+)`)

// phrases returns the banned phrases of a text, whatever its line breaks.
func phrases(text string) (found []string) {
	flat := strings.ToLower(blanks.ReplaceAllString(text, " "))
	for _, p := range bannedPhrases {
		if strings.Contains(flat, p) {
			found = append(found, p)
		}
	}
	return found
}

// recorded is what trainings of former days noted in the models.
var recorded = regexp.MustCompile(`(?m)^Verifier trained on .*$`)

// Code and documents use the words of the field: max and min for limits, and no phrase
// that has to be read twice.
func TestWords(t *testing.T) {
	lookAtSources(t)
	out, err := exec.Command("git", "-C", "../..", "ls-files", "*.go", "*.md").Output()
	if err != nil {
		t.Skip("no git checkout: ", err) // a release archive
	}
	seen := 0
	for _, path := range strings.Fields(string(out)) {
		if path == "internal/layering/words_test.go" {
			continue
		}
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			continue // deleted in the work tree
		}
		seen++
		var bad []string
		for _, p := range phrases(recorded.ReplaceAllString(string(text), "")) {
			bad = append(bad, "the phrase "+p)
		}
		if strings.HasSuffix(path, ".go") {
			fset := token.NewFileSet()
			file := must.Get(parser.ParseFile(fset, path, text, parser.SkipObjectResolution))
			for name, pos := range declaredNames(file) {
				if w := banned(name); w != "" {
					bad = append(bad, "line "+fset.Position(pos).String()[len(path)+1:]+": the identifier "+name+", want "+bannedIn[w])
				}
			}
		}
		if len(bad) > 0 {
			slices.Sort(bad)
			t.Errorf("%s:\n\t%s", path, strings.Join(bad, "\n\t"))
		}
	}
	if seen < 500 {
		t.Errorf("only %d files were read", seen)
	}
}

// The test can fail.
func TestBannedWordsAreFound(t *testing.T) {
	for name, want := range map[string]string{"mostBytes": "most", "MaxLeast": "least", "almost": "", "atMost": "", "leastSquared": "least", "ghost": ""} {
		if got := banned(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := phrases("a cascade that a verifier stands\n// behind"); !slices.Equal(got, []string{"stands behind"}) {
		t.Errorf("found %q", got)
	}
}

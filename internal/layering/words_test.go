package layering

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// bannedIn are words that no identifier may contain, as camel-case words.
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
	seen := 0
	sources(t, func(file, path string, _ bool) {
		if file == "internal/layering/words_test.go" {
			return
		}
		text := must.Get(os.ReadFile(path))
		seen++
		var bad []string
		for _, p := range phrases(recorded.ReplaceAllString(string(text), "")) {
			bad = append(bad, "the phrase "+p)
		}
		if strings.HasSuffix(file, ".go") {
			names := map[string]token.Pos{}
			fset := token.NewFileSet()
			ast.Inspect(must.Get(parser.ParseFile(fset, file, text, parser.SkipObjectResolution)), func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && !names[id.Name].IsValid() {
					names[id.Name] = id.Pos()
				}
				return true
			})
			for name, pos := range names {
				if w := banned(name); w != "" {
					bad = append(bad, fmt.Sprintf("line %d: the identifier %s, want %s", fset.Position(pos).Line, name, bannedIn[w]))
				}
			}
		}
		if len(bad) > 0 {
			slices.Sort(bad)
			t.Errorf("%s:\n\t%s", file, strings.Join(bad, "\n\t"))
		}
	})
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

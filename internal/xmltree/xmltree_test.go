package xmltree

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

var roomy = Limits{Elements: 1000, Depth: 20}

// outline writes a tree as name[words](children).
func outline(e Elem) string {
	var b strings.Builder
	b.WriteString(e.Name())
	if w := words(e); len(w) > 0 {
		b.WriteString("[" + strings.Join(w, " ") + "]")
	}
	if k, ok := e.First(); ok {
		b.WriteString("(")
		for ; ok; k, ok = k.Next() {
			b.WriteString(outline(k))
		}
		b.WriteString(")")
	}
	return b.String()
}

func words(e Elem) []string {
	var all []string
	f := e.Fields()
	for w := f.Next(); w != nil; w = f.Next() {
		all = append(all, string(w))
	}
	return all
}

func TestParse(t *testing.T) {
	for file, want := range map[string]string{
		"<a/>":                                    "a",
		"<a></a >\n":                              "a",
		"\xef\xbb\xbf<a />":                       "a",
		"<?xml?><a/>":                             "a",
		"<a>1 2\r\n\t3 </a>":                      "a[1 2 3]",
		"<a><b>1</b><b/><c>2<!-- 3 -->4</c></a>":  "a(b[1]bc[2 4])",
		"<a><!-- <b> & --> -->x</a>":              "a[-->x]",
		"<a><b><c><d/></c></b></a><!-- x -->":     "a(b(c(d)))",
		"<a x='1' y = \"<'>\"/>":                  "",
		"<a x='1>' y = \"'>\"/>":                  "a",
		"<_a-1_><_/><_/></_a-1_>":                 "_a-1_(__)",
		"<?xml version='1.0' encoding='x'?><a/>":  "a",
		"<?xml version='1.0' encoding=\"ucs2\"?>": "",
		"":                     "",
		" \n":                  "",
		"<!-- -->":             "",
		"<!-->":                "",
		"a<a/>":                "",
		"<a/><a/>":             "",
		"<a>":                  "",
		"<a":                   "",
		"<":                    "",
		"<a></b>":              "",
		"<a></a":               "",
		"<a>x<b/></a>":         "",
		"<a><b/>x</a>":         "",
		"<a>&lt;</a>":          "",
		"<a><![CDATA[x]]></a>": "",
		"<!DOCTYPE a><a/>":     "",
		"<a><?php?></a>":       "",
		"<a b/>":               "",
		"<a b=c/>":             "",
		"<a b='c/>":            "",
		"<a b='&c;'/>":         "",
		"<a b='c'd='e'/>":      "",
		"< a/>":                "",
		"<1/>":                 "",
		"<a.b/>":               "",
		"<a>\x01</a>":          "",
		"</a>":                 "",
	} {
		tree, err := Parse([]byte(file), roomy)
		switch {
		case err == nil && want == "":
			t.Errorf("%q: no error", file)
		case err != nil && want != "":
			t.Errorf("%q: %v", file, err)
		case err == nil && outline(tree.Root()) != want:
			t.Errorf("%q is %s, want %s", file, outline(tree.Root()), want)
		}
		var over *LimitError
		if errors.As(err, &over) {
			t.Errorf("%q: %v is about a limit", file, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	const file = "<a>\n<_>\n</_>\n<_><b>1\n2<!--\n--> 3</b>\n<c/><_/></_></a>"
	tree := must.Get(Parse([]byte(file), roomy))
	list, _ := tree.Root().First()
	list, _ = list.Next()
	b, _ := list.First()
	c, _ := b.Next()
	last, _ := c.Next()
	for _, test := range []struct {
		got  error
		want string
	}{
		{tree.Root().Errorf("x %d", 1), "line 1, /a: x 1"},
		{list.Errorf("x"), "line 4, /a/_[1]: x"},
		{b.Errorf("x"), "line 4, /a/_[1]/b: x"},
		{c.Errorf("x"), "line 7, /a/_[1]/c: x"},
		{last.Errorf("%w", io.EOF), "line 7, /a/_[1]/_[2]: EOF"},
	} {
		if test.got.Error() != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	if !errors.Is(last.Errorf("%w", io.EOF), io.EOF) {
		t.Error("Wrap loses the error")
	}
	f := b.Fields()
	for _, want := range []string{
		"line 4, /a/_[1]/b: EOF", "line 5, /a/_[1]/b: EOF", "line 6, /a/_[1]/b: EOF", "line 6, /a/_[1]/b: EOF",
	} {
		f.Next()
		if err := f.Errorf("%w", io.EOF); err.Error() != want || !errors.Is(err, io.EOF) {
			t.Errorf("%q, want %q", err, want)
		}
	}
	if n := tree.Root().Len(); n != 2 {
		t.Errorf("%d children, want 2", n)
	}
}

func TestLimits(t *testing.T) {
	const file = "<a><b><c/></b><!-- < < --><b/></a>"
	if _, err := Parse([]byte(file), Limits{Elements: 4, Depth: 3}); err != nil {
		t.Error(err)
	}
	for _, lim := range []Limits{{Elements: 3, Depth: 3}, {Elements: 4, Depth: 2}} {
		_, err := Parse([]byte(file), lim)
		var over *LimitError
		if !errors.As(err, &over) || !strings.HasPrefix(err.Error(), "line 1, in /a") {
			t.Errorf("%v: %v, want a LimitError", lim, err)
		}
	}
}

// FuzzParse compares with encoding/xml: wherever both accept a document, they
// see the same elements and words.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"<?xml version=\"1.0\"?>\n<a x='1'><b>1 2<!-- 3 --></b><_/><_>4</_></a>\n",
		"<a><b/><b></b>", "<a>&lt;</a>", "<!DOCTYPE a><a/>", "<a\n/>", "<a>]]></a>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := Parse(data, roomy)
		if err != nil {
			return
		}
		var ours, theirs []string
		var walk func(e Elem)
		walk = func(e Elem) {
			ours = append(append(ours, "<"+e.Name()), words(e)...)
			for k, ok := e.First(); ok; k, ok = k.Next() {
				walk(k)
			}
		}
		walk(tree.Root())
		d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(string(data), "\xef\xbb\xbf")))
		d.Strict = false // it knows rules for comments and bytes that do not matter here
		d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Skip() // of what it refuses there is much that OpenCV takes
			}
			switch token := token.(type) {
			case xml.StartElement:
				theirs = append(theirs, "<"+token.Name.Local)
			case xml.CharData:
				theirs = append(theirs, strings.FieldsFunc(string(token), func(r rune) bool {
					return r < 0x80 && isSpace(byte(r))
				})...)
			}
		}
		if !slices.Equal(ours, theirs) {
			t.Errorf("%q:\n we see %q\nthey see %q", data, ours, theirs)
		}
	})
}

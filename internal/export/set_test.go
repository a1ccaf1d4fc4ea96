//go:build exporttargets

package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"haarlem/internal/export"
	"haarlem/internal/must"
)

// Cascades in one file find what each finds alone, to the bit, and have one group
// function where all group in the same way.
func TestSet(t *testing.T) {
	all := map[string]golden{}
	for _, g := range goldens(t, true) {
		all[g.name] = g
	}
	// One, two and three group functions: scores of the router have 64 bits, if not rounded.
	for k, names := range [][]string{{"upright-stumps", "tilted-deep-trees", "small-window"}, {"face-fast-router-small", "face-fast-router"}, {"lbp-trees", "wide-window-padded", "frontalface-tiny"}} {
		var exports []*export.Export
		for _, name := range names {
			g := all[name]
			g.cascade = g.cascade.Clone()
			g.cascade.Name = name
			e := must.Get(export.New(g.cascade, &g.settings))
			exports = append(exports, e)
		}
		set := must.Get(export.NewSet("some", exports))
		dir := t.TempDir()
		for _, format := range []string{"c", "js"} {
			files, err := set.Files(format)
			if err != nil {
				t.Fatal(files, err)
			}
			write(t, filepath.Join(dir, files[0].Path), files[0].Write)
		}
		text := must.Get(os.ReadFile(filepath.Join(dir, "some.h")))
		groups := len(regexp.MustCompile(`(?m)^static inline int32_t \w+_group\(`).FindAll(text, -1))
		if groups != k+1 {
			t.Errorf("%q: %d group functions, want %d", names, groups, k+1)
		}
		for i, name := range names {
			g := all[name]
			prefix := strings.ReplaceAll(name, "-", "_")
			var shim strings.Builder
			shim.WriteString("#include \"some.h\"\n")
			for _, word := range []string{"find", "group", "window", "object", "SCRATCH"} {
				of := prefix
				if !regexp.MustCompile(`\b(?i:` + prefix + `)_` + word + `\b`).Match(text) {
					of = "some"
				}
				from, to := "cascade_"+word, of+"_"+word
				if word == "SCRATCH" {
					from, to = strings.ToUpper(from), strings.ToUpper(to)
				}
				fmt.Fprintf(&shim, "#define %s %s\n", from, to)
			}
			for _, other := range names { // which would be unused
				if p := strings.ReplaceAll(other, "-", "_"); p != prefix {
					fmt.Fprintf(&shim, "int32_t use_%s(void);\nint32_t use_%s(void) { return %s_find(0, 0, 30000, 30000, 0, 0, 0); }\n", p, p, p)
				}
			}
			module := fmt.Sprintf("import { %s } from \"./some.mjs\";\nexport const { find, group } = %s;\n", prefix, prefix)
			for file, text := range map[string]string{"cascade.h": shim.String(), "pictures.h": string(picturesHeader(&g)), "cascade.mjs": module} {
				must.Do(os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666))
			}
			for _, target := range []string{"gcc", "node"} {
				got, objects, _ := strings.Cut(runTarget(t, target, dir, &g, exports[i]), "end\n")
				g.groups(t, exports[i], objects, target == "node")
				if diff := difference(got+"end\n", g.want(t, exports[i])); diff != "" {
					t.Errorf("%s of %q, %s: %s", name, names, target, diff)
				}
			}
		}
	}
}

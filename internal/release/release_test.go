package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// An archive of programs has the licences of Go and of every module in them.
func TestLicences(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	for _, c := range []struct{ packages, want []string }{
		{programPackages(), []string{"licences/go/LICENSE", "licences/golang.org/x/image/LICENSE", "licences/gonum.org/v1/plot/LICENSE"}},
		{[]string{"./capi"}, []string{"licences/go/LICENSE"}},
	} {
		members := must.Get(licences(platform{"linux", "amd64"}, c.packages...))
		for _, want := range c.want {
			if i := slices.IndexFunc(members, func(m member) bool { return m.name == want }); i < 0 || len(members[i].data) < 500 {
				t.Errorf("no %s among %d licences of %v", want, len(members), c.packages)
			}
		}
	}
}

func TestReleaseRefuses(t *testing.T) {
	full := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(full, "x"), nil, 0o666))
	for _, c := range []struct{ version, out, only, want string }{
		{"1.0", t.TempDir(), "", "want something like v1.0.0"},
		{"v1.0.0", full, "", "is not empty"},
		{"v1.0.0", t.TempDir(), "plan9/mips", "none of the platforms"},
	} {
		if err := release(c.version, c.out, c.only, "", false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

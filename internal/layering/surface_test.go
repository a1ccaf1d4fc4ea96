package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// Limits of what there is to read and to keep. A change that needs more deletes
// something, or raises a limit with its reason in the commit.
const (
	// maxNames bounds the exported names of public packages: types, functions,
	// methods, fields, constants and variables.
	maxNames = 1103

	// maxLines and maxTestLines bound the lines of Go in all modules, without
	// assembly, without tests and of tests.
	maxLines     = 123_498
	maxTestLines = 59_744
)

// shown leaves of a file what other packages see: exported declarations, without bodies
// and values.
func shown(f *ast.File) *ast.File {
	ast.FileExports(f)
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Body = nil
			return d.Recv != nil && !ast.IsExported(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*"))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.ValueSpec); ok {
					s.Values = nil
				}
			}
		}
		return false
	})
	return f
}

// exportedNames counts the exported names that a file of a package declares.
func exportedNames(f *ast.File) (n int) {
	fields := func(list *ast.FieldList) {
		for _, field := range list.List {
			n += len(field.Names)
		}
	}
	for _, d := range shown(f).Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			n++
			continue
		}
		for _, spec := range g.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				n += len(s.Names)
			case *ast.TypeSpec:
				n++
				switch t := s.Type.(type) {
				case *ast.StructType:
					fields(t.Fields)
				case *ast.InterfaceType:
					fields(t.Methods)
				}
			}
		}
	}
	return n
}

// sources calls do with each Go file and each document of the repository, by its path
// from the root. own says that it is in a module of its own.
func sources(t *testing.T, do func(file, path string, own bool)) {
	t.Helper()
	root := filepath.Join("..", "..")
	modules := map[string]bool{} // folders in modules of their own
	must.Do(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		switch ext := filepath.Ext(file); {
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "shared"):
			return fs.SkipDir
		case d.IsDir():
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			modules[path] = file != "." && (err == nil || modules[filepath.Dir(path)])
		case ext == ".go" || ext == ".md":
			do(file, path, modules[filepath.Dir(path)])
		}
		return nil
	}))
}

// publicFiles calls do with each file of the packages that other modules can import.
func publicFiles(t *testing.T, do func(file string, f *ast.File)) {
	t.Helper()
	sources(t, func(file, path string, own bool) {
		if own || !public(file) || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return
		}
		if f := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)); f.Name.Name != "main" {
			do(file, f)
		}
	})
}

// public reports whether other modules are to import the package of a file.
func public(file string) bool {
	return !slices.ContainsFunc(strings.Split(file, "/"), func(folder string) bool {
		return folder == "internal" || folder == "cmd" || folder == "examples" || folder == "testdata" || strings.HasPrefix(folder, "_")
	})
}

// What a user of the library has to know is bounded.
func TestSurface(t *testing.T) {
	names := map[string]int{} // by folder
	sum := 0
	publicFiles(t, func(file string, f *ast.File) {
		if n := exportedNames(f); n > 0 {
			names[path.Dir(file)] += n
			sum += n
		}
	})
	for _, folder := range slices.SortedFunc(maps.Keys(names), func(a, b string) int { return names[b] - names[a] }) {
		t.Logf("%5d %s", names[folder], folder)
	}
	t.Logf("%5d in all", sum)
	if sum > maxNames || sum == 0 {
		t.Errorf("public packages export %d names, want 1 to %d; -v lists the packages", sum, maxNames)
	}
}

// So is what a reader of the source has before him.
func TestLines(t *testing.T) {
	var lines, testLines int
	sources(t, func(file, path string, _ bool) {
		if !strings.HasSuffix(file, ".go") {
			return
		}
		text := must.Get(os.ReadFile(path))
		if n := strings.Count(string(text), "\n"); strings.HasSuffix(file, "_test.go") {
			testLines += n
		} else {
			lines += n
		}
	})
	t.Logf("%d lines of Go, and %d of tests", lines, testLines)
	if lines > maxLines || lines == 0 {
		t.Errorf("%d lines of Go without tests, want at most %d", lines, maxLines)
	}
	if testLines > maxTestLines || testLines == 0 {
		t.Errorf("%d lines of tests, want at most %d", testLines, maxTestLines)
	}
}

// internalIn returns the types of internal packages that the exported signatures, fields
// and names of a file use.
func internalIn(f *ast.File) (found []string) {
	names := map[string]bool{} // of internal packages
	for _, i := range f.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		if !strings.HasPrefix(path, module+"/internal/") {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = true
	}
	ast.Inspect(shown(f), func(n ast.Node) bool {
		if n, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := n.X.(*ast.Ident); ok && names[id.Name] {
				found = append(found, id.Name+"."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}

// A user of the library can name every type that it shows.
func TestNoInternalTypes(t *testing.T) {
	publicFiles(t, func(file string, f *ast.File) {
		for _, name := range internalIn(f) {
			t.Errorf("%s shows %s, which users cannot name", file, name)
		}
	})
	f := must.Get(parser.ParseFile(token.NewFileSet(), "", `package p
import "`+module+`/internal/luma"
type A struct { P luma.Plane; q luma.Plane }
func F(g luma.Plane) (_ *luma.Plane) { return nil }
func f(luma.Plane) {}
`, parser.SkipObjectResolution))
	if got := internalIn(f); len(got) != 3 {
		t.Errorf("found %v, want three", got)
	}
}

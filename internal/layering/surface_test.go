package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
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
	maxNames = 1114

	// maxLines and maxTestLines bound the lines of Go in all modules, without
	// assembly, without tests and of tests.
	maxLines     = 124_348
	maxTestLines = 60_639
)

// exportedNames counts the exported names that a file of a package declares.
func exportedNames(f *ast.File) (n int) {
	count := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				n++
			}
		}
	}
	fields := func(list *ast.FieldList) {
		for _, field := range list.List {
			count(field.Names...)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				count(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					count(s.Names...)
				case *ast.TypeSpec:
					count(s.Name)
					switch t := s.Type.(type) {
					case *ast.StructType:
						if s.Name.IsExported() {
							fields(t.Fields)
						}
					case *ast.InterfaceType:
						if s.Name.IsExported() {
							fields(t.Methods)
						}
					}
				}
			}
		}
	}
	return n
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// goFiles calls do with each Go file of the repository, by its path from the root. own
// says that it is in a module of its own.
func goFiles(t *testing.T, do func(file, path string, own bool)) {
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
		switch {
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "shared"):
			return fs.SkipDir
		case d.IsDir():
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			modules[path] = file != "." && (err == nil || modules[filepath.Dir(path)])
		case filepath.Ext(file) == ".go":
			do(file, path, modules[filepath.Dir(path)])
		}
		return nil
	}))
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
	goFiles(t, func(file, path string, own bool) {
		if own || !public(file) || strings.HasSuffix(file, "_test.go") {
			return
		}
		f := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))
		if n := exportedNames(f); f.Name.Name != "main" && n > 0 {
			names[strings.TrimSuffix(file, "/"+filepath.Base(file))] += n
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
	goFiles(t, func(file, path string, _ bool) {
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
	see := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				hidden := len(n.Names) > 0 && !slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return id.IsExported() })
				return !hidden
			case *ast.SelectorExpr:
				if id, ok := n.X.(*ast.Ident); ok && names[id.Name] {
					found = append(found, id.Name+"."+n.Sel.Name)
				}
			}
			return true
		})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() || d.Recv != nil && !ast.IsExported(receiver(d.Recv.List[0].Type)) {
				continue
			}
			for _, list := range []*ast.FieldList{d.Type.Params, d.Type.Results} {
				if list == nil {
					continue
				}
				for _, field := range list.List { // parameters have small names
					see(field.Type)
				}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						see(s.Type)
					}
				case *ast.ValueSpec:
					if s.Type != nil && slices.ContainsFunc(s.Names, func(id *ast.Ident) bool { return id.IsExported() }) {
						see(s.Type)
					}
				}
			}
		}
	}
	return found
}

// A user of the library can name every type that it shows.
func TestNoInternalTypes(t *testing.T) {
	goFiles(t, func(file, path string, own bool) {
		if own || !public(file) || strings.HasSuffix(file, "_test.go") {
			return
		}
		f := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))
		if f.Name.Name == "main" {
			return
		}
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

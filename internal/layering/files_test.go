package layering

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// fileOrder is the order of the files of a package: what a file uses is
// declared in itself or in an earlier one.
var fileOrder = map[string][]string{
	"cascade": {
		"doc", "number", "limits", "object", "weak", "boxes", "search", "verifier", "network", "model", "work", "check", "framing", "cut",
		"fail", "opencv_read", "opencv_write", "native_words", "native_lines", "native_network", "native_read", "native_write", "open",
	},
	"cascade/detector": {"doc", "points", "options", "grey", "rotate", "detection", "group", "suppress", "trees", "boxes", "verifier", "network", "prepared", "route", "verify", "detector", "opencv"},
	"opencv":           {"grey", "group", "opencv"},
	"internal/export":  {"doc", "settings", "profile", "exact", "levels", "packed", "export", "c", "javascript", "tables", "folder", "set"},
	"internal/program": {"doc", "layout", "feature", "lbp", "fixed", "program", "exact", "place", "records", "trees", "compile"},
	"internal/engine": {
		"doc", "options", "budget", "lazy", "prefilter", "pyramid", "frame", "probe", "plan", "band", "contrast", "candidates",
		"judge", "strip", "compact", "visitor", "funnel", "refine", "interlevel", "worker", "order", "engine",
		"quarter", "cost", "outputs", "search", "places", "windows", "tune",
	},

	"internal/train":           {"doc", "names", "origin", "result", "shape", "spare", "state", "orientation", "weak", "booster", "settings", "columns", "data", "windowsearch", "hooks", "mine", "scores", "trainer", "memory", "negatives", "model", "earlystopping", "checkpoint", "boosting", "thresholds", "step", "loop"},
	"internal/train/report":    {"chart", "doc", "scores", "run", "curve", "charts", "write"},
	"internal/train/verify":    {"doc", "settings", "table", "search", "augment", "boxes", "chain", "grow", "folds", "apart", "fits", "verify"},
	"internal/train/points":    {"basis", "mirror68", "random", "settings", "trainer", "degrade", "sample", "tree", "train"},
	"internal/app/label":       {"doc", "folder", "importing", "model", "page", "review", "scale", "working", "learning", "export", "pictures", "state", "api", "server"},
	"internal/app/watch":       {"doc", "state", "handler"},
	"internal/app/filelock":    {"doc", "held", "lock_unix", "lock"},
	"internal/app/inspecting":  {"doc", "report", "text", "inspect"},
	"internal/app/sampling":    {"doc", "flags", "mosaic", "destination", "scenes", "samples"},
	"internal/app/measuring":   {"doc", "match", "pagetext", "plots", "truth", "evalflags", "shards", "precision", "pico", "pageresults", "pagefacts", "page", "misses", "suspects", "eval"},
	"internal/app/automatic":   {"doc", "health", "divide", "check", "run", "settings", "opencv", "steps", "shots", "report", "classes", "auto"},
	"internal/app/training":    {"doc", "folder", "memory", "mining", "pace", "table", "watchstate", "flags", "log", "data", "training", "repeat", "settings", "report", "results", "train"},
	"internal/app/refining":    {"change", "doc", "prune", "verifier", "calibrate", "network", "crossvalidate"},
	"internal/app/landmarking": {"doc", "truth", "boxes", "eval", "train"},
	"internal/app/input":       {"conditions", "doc", "doubts", "json", "model", "photographs", "search", "windows"},
	"internal/app/output":      {"commandline", "count", "doc", "folders", "progress", "sheet"},
	"internal/app/opencv":      {"arguments", "doc"},

	"internal/app/console":   {"words", "streams", "progress"},
	"internal/app/wholefile": {"paths", "write", "staged"},
	"internal/app/search":    {"models", "flags", "open", "pico", "finder"},
	"internal/app/find":      {"inputs", "pictureflags", "points", "unread", "result", "reporter_text", "reporter_json", "reporter_csv", "reporter", "outputs", "batch", "shard", "merge", "command"},
	"internal/app/frames":    {"footage", "frame", "flags", "backend", "procgroup_unix", "ffmpeg", "native", "sequence", "ffmpegread", "ffmpegwrite", "movie", "camera", "open", "black"},
	"internal/app/video":     {"lines", "journal", "follow", "pipeline", "run", "command", "evaltracks"},
	"internal/app/hide":      {"flags", "doubtsheet", "hiding", "sinks", "films", "command"},
	"internal/app/camera":    {"screen", "terminalinput", "terminal", "pagescreen", "latest", "pace", "searcher", "live", "command"},
	"internal/app/modelfile": {"describe", "model", "convert"},
}

// oneInTen are packages of which one arrow in ten may run back.
var oneInTen = []string{"internal/train"}

// backArrows are allowed uses of later files, with reasons.
var backArrows = map[string]string{}

// A source is what go list tells of a package and where its compiled form is.
type source struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	ImportMap               map[string]string
}

// compiled returns the packages of fileOrder and all that they import.
func compiled(t *testing.T) map[string]source {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,ImportMap"}
	for folder := range fileOrder {
		args = append(args, module+"/"+folder)
	}
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	all := map[string]source{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var s source
		if err := d.Decode(&s); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[s.ImportPath] = s
	}
}

// arrows returns which file of a package uses which other, each with an
// example.
func arrows(fset *token.FileSet, path string, files []*ast.File, imports types.Importer) (map[[2]string]string, error) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: imports}).Check(path, fset, files, info)
	if err != nil {
		return nil, err
	}
	name := func(p token.Pos) string {
		return strings.TrimSuffix(filepath.Base(fset.Position(p).Filename), ".go")
	}
	all := map[[2]string]string{}
	for use, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		if pair := [2]string{name(use.Pos()), name(object.Pos())}; pair[0] != pair[1] {
			if have, ok := all[pair]; !ok || use.Name < have {
				all[pair] = use.Name
			}
		}
	}
	return all, nil
}

// back returns those arrows of a package that point to a later file, or involve
// a file without a place in the order.
func back(folder string, order []string, arrows map[[2]string]string) []string {
	var found []string
	for pair, example := range arrows {
		from, to := slices.Index(order, pair[0]), slices.Index(order, pair[1])
		if from < 0 || to < 0 || to > from {
			found = append(found, fmt.Sprintf("%s: %s.go uses %s of %s.go", folder, pair[0], example, pair[1]))
		}
	}
	slices.Sort(found)
	return found
}

// A file uses only what it or an earlier one declares.
func TestFilesPointOneWay(t *testing.T) {
	lookAtSources(t)
	all := compiled(t)
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		s, ok := all[path]
		if !ok {
			return nil, fmt.Errorf("go list does not know %s", path)
		}
		return os.Open(s.Export)
	})
	seen := map[string]bool{}
	for folder, order := range fileOrder {
		s := all[module+"/"+folder]
		var files []*ast.File
		var names []string
		for _, f := range s.GoFiles {
			parsed := must.Get(parser.ParseFile(fset, filepath.Join(s.Dir, f), nil, parser.SkipObjectResolution))
			files, names = append(files, parsed), append(names, strings.TrimSuffix(f, ".go"))
		}
		if have, want := slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(order)); !slices.Equal(have, want) {
			t.Errorf("%s has the files %v, and fileOrder %v", folder, have, want)
			continue
		}
		found := must.Get(arrows(fset, s.ImportPath, files, imports))
		wrong := back(folder, order, found)
		t.Logf("%s: %d arrows, %d back", folder, len(found), len(wrong))
		if slices.Contains(oneInTen, folder) && 10*len(wrong) <= len(found) {
			continue
		}
		for _, b := range wrong {
			if seen[b] = true; backArrows[b] == "" {
				t.Error(b, "which is later in fileOrder")
			}
		}
	}
	for b := range backArrows {
		if !seen[b] {
			t.Errorf("backArrows has %q, which does not occur", b)
		}
	}
}

// The test can fail.
func TestBackArrowsAreFound(t *testing.T) {
	fset := token.NewFileSet()
	var files []*ast.File
	for name, text := range map[string]string{
		"low.go":  "package p\ntype T struct{ f int }\nfunc (t *T) down() int { return t.up() }\n",
		"high.go": "package p\nfunc (t *T) up() int { return t.f }\n",
	} {
		f := must.Get(parser.ParseFile(fset, name, text, 0))
		files = append(files, f)
	}
	found := must.Get(arrows(fset, "p", files, nil))
	want := []string{"p: low.go uses up of high.go"}
	if got := back("p", []string{"low", "high"}, found); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

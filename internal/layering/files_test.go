package layering

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
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
	"internal/app/training":    {"doc", "folder", "memory", "mining", "pace", "table", "flags", "log", "data", "training", "repeat", "settings", "report", "results", "train"},
	"internal/app/refining":    {"change", "doc", "prune", "verifier", "calibrate", "network", "crossvalidate"},
	"internal/app/landmarking": {"doc", "truth", "boxes", "eval", "train"},
	"internal/app/input":       {"conditions", "doc", "doubts", "json", "model", "photographs", "search", "windows"},
	"internal/app/output":      {"commandline", "count", "doc", "folders", "progress", "sheet"},
	"internal/app/opencv":      {"arguments", "doc"},

	"internal/app/console":   {"words", "streams", "progress"},
	"internal/app/wholefile": {"paths", "write", "staged"},
	"internal/app/search":    {"models", "points", "flags", "open", "pico", "finder"},
	"internal/app/find":      {"inputs", "pictureflags", "unread", "result", "reporter_text", "reporter_json", "reporter_csv", "reporter", "outputs", "batch", "shard", "merge", "command"},
	"internal/app/frames":    {"footage", "frame", "flags", "backend", "procgroup_unix", "ffmpeg", "native", "sequence", "ffmpegread", "ffmpegwrite", "movie", "camera", "open", "black"},
	"internal/app/video":     {"lines", "journal", "follow", "pipeline", "run", "command", "evaltracks"},
	"internal/app/hide":      {"flags", "doubtsheet", "hiding", "sinks", "films", "command"},
	"internal/app/camera":    {"screen", "terminalinput", "terminal", "pagescreen", "latest", "pace", "searcher", "live", "command"},
	"internal/app/modelfile": {"describe", "model", "convert"},
}

// oneInTen are packages of which one arrow in ten may run back.
var oneInTen = []string{"internal/train"}

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
	args := []string{"-export", "-json=ImportPath,Dir,Export,GoFiles"}
	for folder := range fileOrder {
		args = append(args, module+"/"+folder)
	}
	packages, all := list(t, args...), 0
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		s, ok := packages[path]
		if !ok {
			return nil, fmt.Errorf("go list does not know %s", path)
		}
		return os.Open(s.Export)
	})
	for folder, order := range fileOrder {
		s := packages[module+"/"+folder]
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
		if !slices.Contains(oneInTen, folder) || 10*len(wrong) > len(found) {
			for _, b := range wrong {
				t.Error(b, "which is later in fileOrder")
			}
		}
		// The test can fail: in the opposite order all other arrows point back.
		order = slices.Clone(order)
		slices.Reverse(order)
		if n := len(back(folder, order, found)); n+len(wrong) != len(found) {
			t.Errorf("%s: in the opposite order %d of %d arrows point back", folder, n, len(found))
		}
		all += len(found)
	}
	if all < 500 {
		t.Errorf("only %d arrows", all)
	}
}

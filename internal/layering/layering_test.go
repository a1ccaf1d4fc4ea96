package layering

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

const module = "haarlem"

// mayImport says for each folder which folders its packages may import
// directly. What those may import is allowed with them. A folder stands for
// itself and all folders in it that have no line of their own.
//
// It is the drawing in ARCHITECTURE.md: change both or none.
var mayImport = map[string][]string{
	"internal/app/cli":             {},
	"internal/cpu":                 {},
	"internal/kernel":              {"internal/cpu"},
	"internal/xmltree":             {},
	"internal/luma":                {"internal/kernel"},
	"internal/webguard":            {},
	"internal/app/watch":           {"internal/train/report"},
	"internal/orient":              {},
	"internal/longsort":            {},
	"internal/boxtree":             {"internal/longsort"},
	"internal/nms":                 {"internal/boxtree"},
	"integral":                     {"internal/kernel", "internal/luma"},
	"haar":                         {},
	"internal/tiles":               {"haar", "integral"},
	"internal/par":                 {},
	"internal/app/shard":           {"internal/par"},
	"internal/channels":            {"internal/luma", "internal/channels/columns"},
	"cascade":                      {"haar", "internal/channels/columns", "internal/xmltree"},
	"internal/program":             {"cascade", "internal/kernel", "internal/longsort"},
	"internal/engine":              {"internal/program", "internal/luma", "internal/par"},
	"internal/export":              {"cascade/detector", "internal/drawn"},
	"internal/drawn":               {},
	"internal/must":                {},
	"internal/picturetest":         {"internal/must"},
	"cascade/pico":                 {},
	"internal/network":             {"cascade", "internal/kernel"},
	"internal/objects":             {"cascade/detector"},
	"cascade/detector":             {"integral", "internal/engine", "internal/channels", "internal/nms", "internal/network"},
	"models":                       {"cascade"},
	"internal/numeric":             {},
	"internal/quote":               {},
	"boost":                        {"internal/kernel", "internal/par", "internal/numeric", "internal/quote"},
	"boost/dataset":                {"boost"},
	"internal/boost":               {"boost", "internal/cputime"},
	"internal/boost/plot":          {},
	"boost/explain":                {"boost"},
	"boost/interop":                {"boost"},
	"picture":                      {"internal/orient", "internal/annotate", "internal/obscure"},
	"internal/annotate":            {},
	"internal/obscure":             {},
	"internal/unread":              {"picture"},
	"internal/splitmix":            {},
	"internal/resample":            {},
	"internal/copies":              {"integral", "internal/resample", "internal/par"},
	"internal/samples":             {"integral", "internal/unread", "internal/copies", "internal/splitmix"},
	"internal/samples/augment":     {"internal/samples", "internal/kernel", "internal/numeric"},
	"internal/samples/mosaic":      {"internal/samples/augment", "internal/resample"},
	"internal/train":               {"boost", "haar", "internal/tiles", "internal/engine", "internal/orient"},
	"internal/eval":                {"cascade/detector", "internal/samples", "internal/resample", "internal/numeric"},
	"internal/train/prune":         {"internal/eval", "internal/train"},
	"internal/train/network":       {"internal/network", "internal/nms", "internal/numeric", "internal/par", "internal/splitmix"},
	"internal/train/verify":        {"boost", "internal/eval"},
	"internal/video":               {},
	"internal/v4l2":                {"internal/video"},
	"internal/train/auto":          {"internal/samples"},
	"track":                        {"cascade/detector"},
	"internal/mot":                 {},
	"internal/jsonout":             {"cascade/detector"},
	"internal/app/shard/operation": {"internal/app/shard", "internal/jsonout", "internal/eval"},
	"internal/app/shard/mining":    {"internal/app/shard/operation", "internal/train"},
	"web":                          {"models", "cascade/detector", "models/face5", "models/facebox"},
	"serve":                        {"internal/searchopts", "internal/settings", "web", "internal/objects", "picture", "internal/jsonout", "internal/webguard", "models/face5", "models/face68", "models/facebox"},
	"cmd/detect":                   {"internal/app/find", "internal/app/video", "internal/app/hide", "internal/app/camera", "internal/app/modelfile", "internal/app/serving"},
	"internal/app/console":         {"internal/app/cli", "cascade"},
	"internal/app/wholefile":       {},
	"internal/app/search":          {"internal/searchopts", "internal/app/console", "internal/app/wholefile", "internal/objects", "cascade/detector", "cascade/pico", "models", "models/face5", "models/face68", "models/facebox"},
	"internal/app/find":            {"internal/app/search", "internal/app/wholefile", "internal/app/shard/operation", "internal/jsonout", "picture"},
	"internal/app/frames":          {"internal/app/console", "internal/app/wholefile", "internal/v4l2", "picture", "track"},
	"internal/app/broadcast":       {"internal/app/frames", "internal/webguard"},
	"internal/app/video":           {"internal/app/search", "internal/app/broadcast", "internal/jsonout", "internal/mot"},
	"internal/app/hide":            {"internal/app/find", "internal/app/video"},
	"internal/app/camera":          {"internal/app/hide"},
	"internal/app/modelfile":       {"internal/app/search", "internal/app/wholefile", "internal/inspect"},
	"internal/app/serving":         {"internal/app/search", "serve"},
	"internal/app/detecttest":      {"internal/app/frames", "internal/must"},
	"internal/app/label":           {"internal/eval", "picture", "internal/webguard", "internal/app/filelock"},
	"capi":                         {"models", "cascade/detector", "models/face5", "models/face68", "models/facebox", "track"},
	"opencv":                       {"cascade/detector"},
	"cmd/boost":                    {"internal/app/boosting"},
	"internal/app/boosting":        {"internal/app/cli", "internal/app/wholefile", "internal/boost", "internal/boost/plot", "boost/dataset", "boost/explain", "boost/interop"},
	"cmd/train-cascade":            {"internal/app/training", "internal/app/automatic", "internal/app/measuring", "internal/app/refining", "internal/app/sampling", "internal/app/landmarking", "internal/app/inspecting", "internal/app/exporting", "internal/app/labelling", "internal/app/demo", "internal/app/opencv"},
	"internal/app/filelock":        {},
	"internal/app/output":          {"internal/app/cli", "internal/samples"},
	"internal/app/input":           {"internal/settings", "internal/app/output", "internal/samples/augment", "models"},
	"internal/app/opencv":          {},
	"internal/app/training":        {"internal/app/input", "internal/app/output", "internal/app/filelock", "internal/app/watch", "internal/app/shard/mining", "internal/train", "internal/train/report"},
	"internal/app/automatic":       {"internal/app/training", "internal/app/refining", "internal/train/auto", "internal/train/verify"},
	"internal/app/measuring":       {"internal/app/input", "internal/app/output", "internal/app/search", "internal/app/shard/operation", "internal/train/verify", "internal/boost/plot", "internal/inspect", "internal/samples/synth/scene", "cascade/pico"},
	"internal/app/refining":        {"internal/app/measuring", "internal/app/wholefile", "internal/datasource", "internal/train/network", "internal/train/prune", "internal/train/verify"},
	"internal/app/sampling":        {"internal/app/input", "internal/app/output", "internal/samples/mosaic"},
	"internal/app/landmarking":     {"internal/app/input", "internal/app/search", "internal/train/points", "internal/eval/accuracy", "internal/datasource"},
	"internal/app/inspecting":      {"internal/app/input", "internal/engine", "internal/inspect"},
	"internal/app/exporting":       {"internal/app/input", "internal/app/output", "internal/app/wholefile", "internal/export"},
	"internal/app/labelling":       {"internal/app/input", "internal/app/output", "internal/app/label", "internal/app/watch", "internal/train/verify", "internal/webguard"},
	"internal/app/demo":            {"internal/app/output", "internal/train", "cascade/detector", "internal/samples/synth/scene", "picture"},
	"examples":                     {"serve", "picture", "landmarks", "models/face5", "models/facefast"},
	"internal/chromium":            {},
	"internal/layering":            {},
	"internal/datasource":          {},
	"internal/cputime":             {},
	"internal/release":             {"cascade"},

	"internal/channels/columns": {"internal/kernel"},

	"internal/samples/synth/facemodel": {"internal/samples"},
	"internal/samples/synth/texture":   {},
	"internal/samples/synth/clip/draw": {"internal/samples/synth/clip", "internal/video"},
	"internal/samples/synth/clip":      {"internal/samples/synth/facemodel", "internal/samples/synth/texture"},
	"internal/samples/synth/datasets":  {"internal/samples/synth/scene"},
	"internal/samples/synth/scene":     {"internal/samples/synth/facemodel", "internal/samples/synth/texture", "internal/kernel"},

	"internal/settings":     {"cascade"},
	"internal/searchopts":   {"cascade/detector"},
	"internal/inspect":      {"internal/settings"},
	"internal/train/report": {"internal/train", "internal/inspect", "internal/samples"},

	"landmarks":              {"integral", "internal/luma", "internal/numeric"},
	"internal/eval/accuracy": {"landmarks"},
	"internal/train/points":  {"landmarks", "internal/par", "internal/splitmix"},
	"models/face5":           {"landmarks"},
	"models/frontalfaceopen": {"models", "landmarks"},
	"models/face68":          {"landmarks"},
	"models/facebox":         {"cascade", "landmarks"},
}

// alone are the folders that need only the standard library and
// golang.org/x/sys from outside this module: the dependencies of the detector.
var alone = []string{"internal/numeric", "internal/quote", "internal/cpu", "internal/kernel", "internal/xmltree", "internal/orient", "internal/longsort", "internal/boxtree", "internal/nms", "internal/splitmix", "internal/luma", "integral", "haar", "internal/tiles", "internal/par", "internal/app/shard", "internal/channels", "internal/channels/columns", "internal/program", "internal/engine", "internal/network", "cascade", "cascade/detector", "cascade/pico", "models", "boost", "track", "opencv", "landmarks", "internal/eval/accuracy", "internal/train/points", "models/face5", "models/face68", "models/facebox"}

// A pkg is what `go list -json` tells about a package.
type pkg struct {
	ImportPath, Dir string
	Export          string // the file with its compiled form
	Standard        bool
	GoFiles         []string
	Deps            []string // imported, also through others
	Module          *struct{ Path string }
}

// list returns packages and all that they import, as go list has them with some flags.
func list(t *testing.T, args ...string) map[string]pkg {
	t.Helper()
	lookAtSources(t)
	cmd := exec.Command("go", append([]string{"list", "-deps"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	all := map[string]pkg{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
}

// lookAtSources stats every source file, so that the go command caches the test's result
// only while these are unchanged: it does not see what go list reads.
func lookAtSources(t *testing.T) {
	t.Helper()
	sources(t, func(_, path string, _ bool) { must.Get(os.Stat(path)) })
}

// folder returns the line of mayImport that is about a package of this module.
func folder(path string) (string, bool) {
	for f := strings.TrimPrefix(path, module+"/"); ; {
		if _, ok := mayImport[f]; ok {
			return f, true
		}
		cut := strings.LastIndexByte(f, '/')
		if cut < 0 {
			return "", false
		}
		f = f[:cut]
	}
}

// reach returns all folders that f may import directly or indirectly, itself
// included.
func reach(f string) map[string]bool {
	seen := map[string]bool{f: true}
	for todo := []string{f}; len(todo) > 0; {
		next := todo[0]
		todo = todo[1:]
		for _, g := range mayImport[next] {
			if !seen[g] {
				seen[g] = true
				todo = append(todo, g)
			}
		}
	}
	return seen
}

// violations names every import that mayImport and alone do not allow.
func violations(all map[string]pkg) []string {
	var bad []string
	for path, p := range all {
		if p.Module == nil || p.Module.Path != module {
			continue
		}
		f, ok := folder(path)
		if !ok {
			bad = append(bad, path+" has no line in mayImport; draw it in ARCHITECTURE.md too")
			continue
		}
		allowed := reach(f)
		for _, dep := range p.Deps {
			d, known := all[dep]
			switch {
			case !known || d.Standard:
			case d.Module != nil && d.Module.Path == module:
				if g, ok := folder(dep); ok && !allowed[g] {
					bad = append(bad, path+" depends on "+dep+", which it must not know")
				}
			case slices.Contains(alone, f) && d.Module != nil && d.Module.Path != "golang.org/x/sys":
				bad = append(bad, path+" depends on "+dep+", from outside this module")
			}
		}
	}
	slices.Sort(bad)
	return bad
}

func TestImportsRunOneWay(t *testing.T) {
	all := list(t, "-json=ImportPath,Standard,Deps,Module", module+"/...")
	for _, bad := range violations(all) {
		t.Error(bad)
	}

	// The test can fail: with fewer rules and a stricter one, violations are found.
	defer func(rules map[string][]string, strict []string) { mayImport, alone = rules, strict }(maps.Clone(mayImport), alone)
	delete(mayImport, "internal/xmltree")
	mayImport["internal/luma"] = nil
	alone = append(slices.Clip(alone), "picture")
	found := strings.Join(violations(all), "\n")
	for _, want := range []string{
		"haarlem/internal/xmltree has no line in mayImport",
		"haarlem/internal/luma depends on haarlem/internal/cpu, which it must not know",
		"haarlem/picture depends on golang.org/x/image/tiff, from outside this module",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("no %q in\n%s", want, found)
		}
	}
}

// The rules have no cycles.
func TestRulesHaveNoCircle(t *testing.T) {
	for f := range mayImport {
		for g := range reach(f) {
			if g != f && reach(g)[f] {
				t.Errorf("%s and %s may know each other", f, g)
			}
		}
	}
}

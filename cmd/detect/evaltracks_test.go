package main

import (
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/app/detecttest"
)

// What was worked out by hand: a face of four frames, the last of which nobody has to
// find, under number 1, then 2; and one box where nothing is. Three boxes of the truth,
// four found: no miss, one false alarm, one change: MOTA 1 - 2/3; the better number has
// two of three: IDF1 4/7.
func TestEvalTracks(t *testing.T) {
	dir := t.TempDir()
	truth := detecttest.WriteBytes(t, filepath.Join(dir, "t.csv"), []byte("frame,id,x,y,width,height,visible\n0,1,10,10,20,20,1\n1,1,10,10,20,20,1\n2,1,10,10,20,20,0.9\n3,1,10,10,20,20,0.1\n"))
	face := func(track, x string) string {
		return `{"track":` + track + `,"shown":{"x":` + x + `,"y":10,"width":20,"height":20}}`
	}
	lines := `{"frame":0,"faces":[` + face("1", "10") + `]}
{"frame":1,"faces":[` + face("1", "11") + `,` + face("3", "200") + `]}
{"frame":2,"faces":[` + face("2", "10") + `,` + face("0", "50") + `]}
{"frame":3,"faces":[` + face("2", "10") + `]}
`
	status, out, stderr := call(strings.NewReader(lines), "eval-tracks", "-truth", truth, "-")
	if status != statusOK || !strings.HasPrefix(out, "IDF1 0.571  MOTA 0.333  switches 1  objects 1  tracks 3\n") {
		t.Errorf("status %d, %s%s", status, out, stderr)
	}
	if _, out, _ = call(strings.NewReader(lines), "eval-tracks", "-truth", truth, "-format", "json", "-"); !strings.Contains(out, `"Switches":1`) {
		t.Errorf("%s", out)
	}
	for say, args := range map[string][]string{
		"-truth is missing": {"-"},
		"want one file":     {"-truth", truth},
		"-overlap 0":        {"-truth", truth, "-overlap", "0", "-"},
		"no such file":      {"-truth", filepath.Join(dir, "none.csv"), "-"},
		`no column "frame"`: {"-truth", detecttest.WriteBytes(t, filepath.Join(dir, "a.csv"), []byte("x,y\n1,2\n")), "-"},
		"want a whole number": {"-truth", detecttest.WriteBytes(t, filepath.Join(dir, "b.csv"),
			[]byte("frame,id,x,y,width,height\n0,1,1,1,1,-5\n")), "-"},
		"want 0 to 1": {"-truth", detecttest.WriteBytes(t, filepath.Join(dir, "c.csv"), []byte("frame,id,x,y,width,height,visible\n0,1,1,1,1,5,2\n")), "-"},
	} {
		if status, _, stderr := call(strings.NewReader(lines), append([]string{"eval-tracks"}, args...)...); status == statusOK || !strings.Contains(stderr, say) {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	if status, _, stderr := call(strings.NewReader("{"), "eval-tracks", "-truth", truth, "-"); status != statusFailed || !strings.Contains(stderr, "stdin: line 1") {
		t.Errorf("half a line: status %d, %s", status, stderr)
	}
}

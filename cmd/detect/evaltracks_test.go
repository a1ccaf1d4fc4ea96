package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/mot"
)

// What was worked out by hand: a face of four frames, the last of which nobody has to
// find, under number 1, then 2; and one box where nothing is. Three boxes of the truth,
// four found: no miss, one false alarm, one change: MOTA 1 - 2/3; the better number has
// two of three: IDF1 4/7.
func TestEvalTracks(t *testing.T) {
	dir := t.TempDir()
	truth := writeBytes(t, filepath.Join(dir, "t.csv"), []byte("frame,id,x,y,width,height,visible\n0,1,10,10,20,20,1\n1,1,10,10,20,20,1\n2,1,10,10,20,20,0.9\n3,1,10,10,20,20,0.1\n"))
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
		`no column "frame"`: {"-truth", writeBytes(t, filepath.Join(dir, "a.csv"), []byte("x,y\n1,2\n")), "-"},
		"want a whole number": {"-truth", writeBytes(t, filepath.Join(dir, "b.csv"),
			[]byte("frame,id,x,y,width,height\n0,1,1,1,1,-5\n")), "-"},
		"want 0 to 1": {"-truth", writeBytes(t, filepath.Join(dir, "c.csv"), []byte("frame,id,x,y,width,height,visible\n0,1,1,1,1,5,2\n")), "-"},
	} {
		if status, _, stderr := call(strings.NewReader(lines), append([]string{"eval-tracks"}, args...)...); status == statusOK || !strings.Contains(stderr, say) {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	if status, _, stderr := call(strings.NewReader("{"), "eval-tracks", "-truth", truth, "-"); status != statusFailed || !strings.Contains(stderr, "stdin: line 1") {
		t.Errorf("half a line: status %d, %s", status, stderr)
	}
}

// Whatever is in the files that eval-tracks and -resume read, they end with boxes or with
// an error.
func FuzzTracks(f *testing.F) {
	f.Add([]byte("frame,id,x,y,width,height,visible\n0,1,10,10,20,20,1\n"))
	f.Add([]byte(`{"frame":1,"faces":[{"track":2,"shown":{"x":1,"y":2,"width":3,"height":4}}]}`))
	f.Add([]byte(`{"haarlem-detections":"1","settings":""}` + "\n" + `{"f":0,"t":0,"ns":1,"d":[{"X":1,"Y":2,"W":3,"H":4,"N":5,"Score":0.5}]}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		truth, _ := readTruth(bytes.NewReader(data))
		found, _ := readTracks(bytes.NewReader(data))
		if len(truth)+len(found) < 100 {
			mot.Evaluate(truth, found, 0.5)
		}
		j := &journal{}
		if n, err := j.load(data, journalHead{journalVersion, ""}); err == nil && (n < 0 || n > int64(len(data))) {
			t.Fatalf("%d of %d bytes", n, len(data))
		}
	})
}

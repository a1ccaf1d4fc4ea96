package video

import (
	"bytes"
	"testing"

	"haarlem/internal/mot"
)

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

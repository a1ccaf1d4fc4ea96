package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The faces of the group picture are in the index, each with its eyes inside.
func TestIndex(t *testing.T) {
	folder := t.TempDir()
	data, err := os.ReadFile("../../samples/group.png")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "group.png"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := index(&out, folder); err != nil {
		t.Fatal(err)
	}
	n := 0
	for d := json.NewDecoder(&out); d.More(); n++ {
		var f face
		if err := d.Decode(&f); err != nil {
			t.Fatal(err)
		}
		half := f.Size / 2
		if f.Eyes[0] >= f.Eyes[2] || f.Eyes[0] < f.X-half || f.Eyes[2] > f.X+half || f.Quality < 0.5 || f.Eyes[1] > f.Y {
			t.Errorf("%+v", f)
		}
	}
	if n != 11 {
		t.Errorf("%d faces, want 11", n)
	}
}

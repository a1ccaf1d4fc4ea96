package face68

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"haarlem/landmarks"
)

// maxBytes is the largest size of the model.
const maxBytes = 2_000_000

// The model agrees with its page, and is written as it was read.
func TestModel(t *testing.T) {
	m, err := Model()
	if err != nil {
		t.Fatal(err)
	}
	if len(file) > maxBytes || m.Name != Name || len(m.Mean) != 68 || m.Eyes != [2]int{LeftEye, RightEye + 3} {
		t.Errorf("%d bytes, %q, %d points, eyes %v", len(file), m.Name, len(m.Mean), m.Eyes)
	}
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil || b.String() != file {
		t.Errorf("encoding the model gives %d bytes that are not the %d of the file, %v", b.Len(), len(file), err)
	}
	text, err := os.ReadFile("../face68.md")
	if err != nil {
		t.Fatal(err)
	}
	trees := 0
	for i := range m.Levels {
		trees += m.Levels[i].Trees()
	}
	for _, want := range []string{
		fmt.Sprintf("| SHA-256 | `%x` |", sha256.Sum256([]byte(file))),
		fmt.Sprintf("| bytes | %d |", len(file)),
		fmt.Sprintf("| levels | %d |", len(m.Levels)),
		fmt.Sprintf("| trees | %d of depth %d |", trees, m.Levels[0].Depth),
		fmt.Sprintf("| coarse levels | %d, with %d trees of depth %d |", len(m.Coarse), len(m.Coarse)*m.Coarse[0].Trees(), m.Coarse[0].Depth),
		fmt.Sprintf("| patch | %dx%d |", m.Side, m.Side),
		fmt.Sprintf("| boxes | %s: frame %g to the right, %g down, side %g |", m.Box.Name, m.Box.Right, m.Box.Down, m.Box.Side),
	} {
		if !strings.Contains(string(text), want+"\n") {
			t.Errorf("the page has no line %q", want)
		}
	}
	for _, note := range m.Notes {
		if source, _, _ := strings.Cut(note, ":"); !strings.Contains(string(text), source) {
			t.Errorf("the page does not speak of the data %q", source)
		}
	}
	if len(m.Notes) == 0 {
		t.Error("the model does not say what it was trained on")
	}
}

// What Model returns belongs to the caller.
func TestModelCopies(t *testing.T) {
	a, err := Model()
	if err != nil {
		t.Fatal(err)
	}
	a.Mean[0] = landmarks.Vec{}
	b, err := Model()
	if err != nil || b.Mean[0] == a.Mean[0] {
		t.Errorf("a second model sees the first one's changes, %v", err)
	}
}

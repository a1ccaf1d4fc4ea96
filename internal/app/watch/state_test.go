package watch

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func half() *State {
	validation := 0.98
	return &State{
		Name: "cup", Doing: "boosting", Goal: 15, Unit: "stages", Done: 0.13, Step: 3, Weak: 17, Round: 4, HitRate: 0.999, FalsePositiveRate: 0.61,
		Pictures: 12, Found: 1000, Seconds: 71.5, Left: [2]float64{300, 480}, Memory: 900 << 20, Peak: 1 << 30, Limit: 4 << 30,
		Steps: []Step{
			{Weak: 3, HitRate: 0.999, Validation: &validation, FalsePositiveRate: 0.45, Pictures: 3, Found: 1000, Negatives: 1000, Seconds: 12, Mining: 2,
				Curve: &Curve{Validation: true, HeldOut: true, AveragePrecision: 0.01, Points: [][2]float64{{1e-4, 0.5}, {1e-3, 1}}}},
			{Weak: 13, HitRate: 0.998, FalsePositiveRate: 0.42, Pictures: 40, Found: 560, Negatives: 1000},
		},
	}
}

func TestStateIsReadBack(t *testing.T) {
	want := half()
	var b bytes.Buffer
	must.Do(want.Write(&b))
	got, err := Read(&b)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// Before the first step there is an empty list, not null, whoever wrote the file.
func TestStateWithoutSteps(t *testing.T) {
	var b bytes.Buffer
	if err := new(State).Write(&b); err != nil || !strings.Contains(b.String(), `"steps":[]`) {
		t.Errorf("%s, %v", b.String(), err)
	}
	if s, err := Read(strings.NewReader(`{"steps":null}`)); err != nil || s.Steps == nil {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":             "unexpected end of JSON input",
		`{"steps":[{`:  "unexpected end of JSON input",
		`{"goal":"x"}`: "cannot unmarshal string",
		`{"steps":[{"curve":{"points":[` + strings.Repeat("[0,0],", maxPoints) + `[0,0]]}}]}`: "step 1 has a curve of 1001 points, want at most 1000",
		`{"steps":[` + strings.Repeat("{},", maxSteps) + `{}]}`:                               "100001 steps, want at most 100000",
		`{"name":"` + strings.Repeat("x", maxBytes) + `"}`:                                    "more than 16777216 bytes",
	} {
		if _, err := Read(strings.NewReader(text)); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	var b bytes.Buffer
	must.Do(half().Write(&b))
	whole := strings.TrimSpace(b.String())
	for n := range len(whole) {
		if _, err := Read(strings.NewReader(whole[:n])); err == nil {
			t.Fatalf("%d of %d bytes are read as a state", n, len(whole))
		}
	}
	if _, err := Read(failing{}); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, os.ErrClosed }

func FuzzState(f *testing.F) {
	var b bytes.Buffer
	must.Do(half().Write(&b))
	f.Add(b.String())
	f.Add(`{}`)
	f.Add(`{"steps":[{"curve":null,"validation":null}],"left":[1]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := s.Write(&again); err != nil {
			t.Fatalf("a state that was read cannot be written: %v", err)
		}
		must.Get(Read(&again))
	})
}

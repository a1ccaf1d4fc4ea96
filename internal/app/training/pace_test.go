package training

import (
	"testing"
	"time"
)

// The remaining time follows from the last steps, and never exceeds -time.
func TestPace(t *testing.T) {
	start := time.Unix(1e9, 0)
	at := func(s float64) time.Time { return start.Add(time.Duration(s * float64(time.Second))) }
	for name, test := range map[string]struct {
		pace pace
		now  float64
		want string
	}{
		"nothing is known":              {pace{goal: 10, start: start}, 5, ""},
		"all runs together have -time":  {pace{soft: true, goal: 1000, limit: time.Hour, earlier: 40 * time.Minute, start: start}, 600, "10m"},
		"-time, before anything":        {pace{goal: 10, limit: time.Minute, start: start}, 10, "50s"},
		"-time ends a growing training": {pace{goal: 40, limit: 10 * time.Minute, start: start, ends: []stepEnd{{at(100), 1}, {at(220), 2}}}, 220, "6m"},
		"stages alike":                  {pace{goal: 5, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 24, "25s"},
		"stages that grow by a fifth":   {pace{goal: 4, start: start, ends: []stepEnd{{at(100), 1}, {at(220), 2}}}, 220, "4m to 5m"},
		"longer than the last stage":    {pace{goal: 3, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 50, "0s"},
		"all stages are made":           {pace{goal: 2, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 20, "0s"},
		// 2 weak classifiers in 10 seconds; 2, 2, and 4 at the end.
		"a soft cascade's steps": {pace{soft: true, goal: 6, start: start, ends: []stepEnd{{at(10), 2}}}, 10, "20s"},
		"which grow":             {pace{soft: true, goal: 30, start: start, ends: []stepEnd{{at(10), 20}}}, 10, "20s"},
		"from small ones":        {pace{soft: true, goal: 50, first: 18, start: start, ends: []stepEnd{{at(60), 20}}}, 60, "5m to 15m"},
		"resumed":                {pace{soft: true, goal: 140, first: 100, start: start, ends: []stepEnd{{at(20), 125}}}, 20, "20s"},
	} {
		if got := leftText(test.pace.left(at(test.now))); got != test.want {
			t.Errorf("%s: %q left, want %q", name, got, test.want)
		}
	}
}

func TestAbout(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 3600 * time.Millisecond: "4s", 47 * time.Second: "45s", 119 * time.Second: "120s", 5*time.Minute + 40*time.Second: "6m", 134 * time.Minute: "2h15m", 24 * time.Hour: "24h00m"} {
		if got := about(d); got != want {
			t.Errorf("%v is written %q, want %q", d, got, want)
		}
	}
}

package main

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
		made int
		want string
	}{
		"nothing is known":              {pace{goal: 10, start: start}, 5, 0, ""},
		"all runs together have -time":  {pace{soft: true, goal: 1000, limit: time.Hour, earlier: 40 * time.Minute, start: start}, 600, 1, "10m"},
		"-time, before anything":        {pace{goal: 10, limit: time.Minute, start: start}, 10, 0, "50s"},
		"weak classifiers, no step yet": {pace{soft: true, goal: 100, start: start}, 10, 20, "40s"},
		"stages alike":                  {pace{goal: 5, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 24, 2, "25s"},
		"stages that grow by a fifth":   {pace{goal: 4, start: start, ends: []stepEnd{{at(100), 1}, {at(220), 2}}}, 220, 2, "4m to 5m"},
		"longer than the last stage":    {pace{goal: 3, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 50, 2, "0s"},
		"all stages are made":           {pace{goal: 2, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 20, 2, "0s"},
		"resumed":                       {pace{soft: true, goal: 140, first: 100, start: start, ends: []stepEnd{{at(20), 120}}}, 20, 120, "20s"},
	} {
		if got := leftText(test.pace.left(at(test.now), test.made)); got != test.want {
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

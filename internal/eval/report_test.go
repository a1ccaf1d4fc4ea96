package eval

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// Older reports have another name for false positives.
func TestOlderReport(t *testing.T) {
	const text = `{"contenders":[{"false_alarms":4,"rates":[{"false_alarms":10,"found":3}],"best":{"threshold":2,"found":3,"false_alarms":1},"curve":[{"false_alarms":2}]}]}`
	var r Report
	must.Do(json.Unmarshal([]byte(text), &r))
	l := r.Lines[0]
	if l.FalsePositives != 4 || l.Rates[0].FalsePositives != 10 || l.Best.FalsePositives != 1 || l.Best.Found != 3 || l.Curve[0].FalsePositives != 2 {
		t.Errorf("%+v", r)
	}
	now, err := json.Marshal(&r)
	if err != nil || strings.Contains(string(now), "false_alarms") || strings.Count(string(now), `"false_positives":`) != 4 {
		t.Errorf("%v: %s", err, now)
	}
}

// Wilson's interval is as tables have it, and within 0 and 1.
func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		found, of int
		low, high float64
	}{{45, 48, 0.8320, 0.9785}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {50, 100, 0.4038, 0.5962}} {
		low, high := wilson(test.found, test.of)
		if math.Abs(low-test.low) > 5e-4 || math.Abs(high-test.high) > 5e-4 {
			t.Errorf("%d of %d: %v to %v, want %v to %v", test.found, test.of, low, high, test.low, test.high)
		}
	}
	threshold := 1.0
	low, high := wilson(45, 48)
	l := Line{Rates: []Rate{{FalsePositives: 10, Recall: 45.0 / 48, Threshold: &threshold, Interval: &[2]float64{low, high}}}}
	if got := l.Estimate(); got != "94 per cent, between 83 and 98, at 10 false positives" {
		t.Error(got)
	}
	l.Rates[0].Interval = nil
	if got := l.Estimate(); got != "" {
		t.Error(got)
	}
}

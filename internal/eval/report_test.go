package eval

import (
	"encoding/json"
	"strings"
	"testing"
)

// Older reports have another name for false positives.
func TestOlderReport(t *testing.T) {
	const text = `{"contenders":[{"false_alarms":4,"rates":[{"false_alarms":10,"found":3}],"best":{"threshold":2,"found":3,"false_alarms":1},"curve":[{"false_alarms":2}]}]}`
	var r Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	l := r.Lines[0]
	if l.FalsePositives != 4 || l.Rates[0].FalsePositives != 10 || l.Best.FalsePositives != 1 || l.Best.Found != 3 || l.Curve[0].FalsePositives != 2 {
		t.Errorf("%+v", r)
	}
	now, err := json.Marshal(&r)
	if err != nil || strings.Contains(string(now), "false_alarms") || strings.Count(string(now), `"false_positives":`) != 4 {
		t.Errorf("%v: %s", err, now)
	}
}

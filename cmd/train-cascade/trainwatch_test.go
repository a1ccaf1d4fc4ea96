package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/watch"
	"haarlem/internal/must"
)

func stateOf(t *testing.T, path string) *watch.State {
	t.Helper()
	in := must.Get(os.Open(path))
	defer in.Close()
	s, err := watch.Read(in)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return s
}

// While a training runs its folder has a report and a state, from the first step on,
// which survive a kill. The resumed training's report has what was before.
func TestTrainWatched(t *testing.T) {
	crosses(t)
	args := strings.Fields("train -data out -truth truth.csv -template none -variants 4 -jitter shift=0.03,noise=5 -bg bg -w 16 -h 16 -shape chain -numStages 6 -maxFalseAlarmRate 0.2 " +
		"-acceptanceRatioBreakValue 1e-9 -features 1000 -numNeg 600 -turn-bg 4 -validation 0.2 -stop-early -workers 1 -name cross")
	cmd, stderr := start(t, nil, args...)
	waitFor(t, "out/log.jsonl", `"msg":"measured"`, 3) // the third step is made, and the reports of two
	must.Do(cmd.Process.Kill())
	if err := cmd.Wait(); err == nil {
		t.Fatalf("it ended before it was killed, stderr:\n%s", stderr)
	}
	s := stateOf(t, "out/progress.json")
	if len(s.Steps) < 2 || s.Ended != "" || s.Name != "cross" || s.Goal != 6 || s.Unit != "stages" || s.Memory <= 0 || s.Limit != 4<<30 || s.Seconds <= 0 {
		t.Errorf("killed: %+v", s)
	}
	page := contents(t, "out/report.html")
	clitest.Contains(t, page, "The training goes on.", "<h2>Hardest negatives</h2>", "<h2>Hardest negatives that are held out</h2>", "<b>Average precision</b>", `title="photo/`, `title="bg/`, "<span>object ", "<dt>Memory</dt>", "<dt>Time left, about</dt>")

	_, errs := trained(t, append(args, "-resume")...)
	clitest.Contains(t, errs, "msg=mined step=", " pictures=", " found=", "msg=measured step=", "averagePrecision=", "heldOut=true")
	end := stateOf(t, "out/progress.json")
	if len(end.Steps) == 0 || end.Ended == "" || end.Doing != "" || end.Left != [2]float64{} {
		t.Errorf("ended: %+v", end)
	}
	unknown := 0
	for i, step := range end.Steps {
		switch c := step.Curve; {
		case c == nil || step.Seconds == 0:
			unknown++ // the kill may have come between the checkpoint and the state
		case !c.Validation || !c.HeldOut || len(c.Points) == 0 || c.AveragePrecision <= 0:
			t.Errorf("step %d: %+v", i+1, c)
		}
		if step.Pictures == 0 || step.Found == 0 || step.Validation == nil {
			t.Errorf("step %d: %+v", i+1, step)
		}
	}
	if unknown > 1 {
		t.Errorf("%d steps have no curve or no time", unknown)
	}
	if page := contents(t, "out/report.html"); !strings.Contains(page, "The training ended because: "+end.Ended) || strings.Contains(page, "goes on") || !strings.Contains(page, "of validation backgrounds, which nothing was learned from") {
		t.Error("the report at the end is another one")
	}

	// Another training into the folder does not show what was there.
	cmd, _ = start(t, nil, append(args, "-overwrite", "-seed", "5")...)
	waitFor(t, "out/log.jsonl", `"msg":"begin"`, 3)
	for range 30000 {
		if s, err := os.Stat("out/result.json"); err != nil || s == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	must.Do(cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	if page, err := os.ReadFile("out/report.html"); err == nil && strings.Contains(string(page), "The training ended because") {
		t.Error("the report of an older training is there")
	}
}

// A state that cannot be read is no reason not to resume, and the note says what lacks.
func TestTrainResumeDamagedState(t *testing.T) {
	crosses(t)
	args := small("-data", "out", "-truth", "truth.csv", "-template", "none", "-bg", "bg")
	trained(t, args...)
	putFile(t, "out/progress.json", "{damaged")
	_, errs := trained(t, append(args, "-resume", "-numStages", "3")...)
	if !strings.Contains(errs, "out/progress.json cannot be read") || !strings.Contains(contents(t, "out/report.html"), "cannot be read") {
		t.Errorf("stderr:\n%s", errs)
	}
	if s := stateOf(t, "out/progress.json"); len(s.Steps) != 3 || s.Steps[0].Weak == 0 || s.Steps[2].Curve == nil {
		t.Errorf("%+v", s)
	}
}

// What a training is watched by is no reason to end it.
func TestTrainUnwatchable(t *testing.T) {
	crosses(t)
	must.Do(os.MkdirAll("out/progress.json/in the way", 0o777))
	_, errs := trained(t, small("-data", "out", "-truth", "truth.csv", "-template", "none", "-bg", "bg", "-resume")...)
	if n := strings.Count(errs, "progress.json: not saved"); n != 1 || !strings.Contains(errs, "; the training goes on\n") {
		t.Errorf("it is said %d times; stderr:\n%s", n, errs)
	}
}

package automatic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/training"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/internal/train/auto"
)

// A folder gets a model of each class, by the command for one; a class that fails does
// not end the others, and its error is told.
func TestTrainEach(t *testing.T) {
	dir := t.TempDir()
	truth, out := filepath.Join(dir, "truth.csv"), filepath.Join(dir, "models")
	text := "file,x,y,width,height,class\n"
	for i, class := range []string{"white cell", "red cell", "red/cell", ".hidden", "red cell"} {
		text += fmt.Sprintf("%d.png,1,1,20,20,%s\n", i, class)
		must.Do(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.png", i)), nil, 0o666))
	}
	must.Do(os.WriteFile(truth, []byte(text), 0o666))
	var got []string
	tooFew := errors.New("too few")
	program := cli.Program{Name: "t", Commands: []*cli.Command{Auto(func(_ context.Context, args []string, _ *cli.Streams) error {
		got = append(got, strings.Join(args, " "))
		if strings.Contains(got[len(got)-1], "hidden") {
			return tooFew
		}
		return nil
	})}}
	streams := &cli.Streams{Out: io.Discard, Err: io.Discard}
	err := program.Do(context.Background(), []string{"auto", "-truth", truth, "-seed", "7", "-opencv=false", "-time", "40m", "-out", out}, streams)
	if !errors.Is(err, tooFew) || !strings.Contains(err.Error(), "class .hidden: too few") {
		t.Errorf("%v", err)
	}
	for i, want := range []string{
		"-where class=.hidden -object .hidden -out " + out + "/_hidden.cascade -time 10m0s",
		"-where class=red cell -object red cell -out " + out + "/red_cell.cascade -time 10m0s",
		"-where class=red/cell -object red/cell -out " + out + "/red_cell-2.cascade -time 10m0s",
		"-where class=white cell -object white cell -out " + out + "/white_cell.cascade -time 10m0s",
	} {
		want = "auto -truth " + truth + " -seed 7 -opencv=false " + want
		if i >= len(got) || filepath.ToSlash(got[i]) != filepath.ToSlash(want) {
			t.Errorf("%d: %q\nwant %q", i, got, want)
		}
	}
	for _, more := range [][]string{{"-object", "cell"}, {"-where", "class=red cell"}} {
		if err := program.Do(context.Background(), append([]string{"auto", "-truth", truth, "-out", out}, more...), streams); err == nil {
			t.Errorf("%q: no error", more)
		}
	}
}

// A stage that the time cut off is dropped.
func TestWithoutCutOff(t *testing.T) {
	c := must.Get(cascade.Open("../../../internal/eval/testdata/hundred.cascade"))
	n := len(c.Exits)
	r := training.Result{Steps: make([]training.StepResult, n)}
	if got, err := withoutCutOff(c, &r); err != nil || len(got.Exits) != n {
		t.Errorf("%v, a finished last stage is dropped", err)
	}
	r.Steps[n-1].FalsePositiveRate = 0.9
	if got, err := withoutCutOff(c, &r); err != nil || len(got.Exits) != n-1 || len(got.Weak) != c.Exits[n-2].After {
		t.Errorf("%v, want %d stages", err, n-1)
	}
	r.Steps = r.Steps[:n-1]
	if _, err := withoutCutOff(c, &r); err == nil {
		t.Error("another training's report is taken")
	}
}

// A cascade that shows many more false positives than objects is not handed over.
func TestWorth(t *testing.T) {
	report := &eval.Report{Objects: 165, Photos: 165, Lines: []eval.Line{{Name: "c-opencv", Found: 131, FalsePositives: 15507}, {Name: "good", Found: 150, FalsePositives: 300}}}
	if text, useful := worth(report, "c-opencv"); useful || text != "it finds 131 of 165 objects, with 15507 false positives in 165 pictures" {
		t.Errorf("%v: %s", useful, text)
	}
	if _, useful := worth(report, "good"); !useful {
		t.Error("a good one is refused")
	}
	if _, useful := worth(report, "none"); useful {
		t.Error("one that was not measured is of use")
	}
}

// The training for OpenCV gets the time that the soft cascade left.
func TestUnspentTime(t *testing.T) {
	r := &autoRun{times: auto.NewTimes(100 * time.Minute), journal: &auto.Journal{}}
	r.journal.Add(auto.Done{Name: cascadeStep, Seconds: 600})
	step := auto.Step{Args: []string{"train", "-time", "12m0s"}}
	if r.addUnspent(&step); step.Args[2] != "42m0s" {
		t.Errorf("-time %s, want 42m0s", step.Args[2])
	}
}

// What is not handed over is still there to be measured again, with other baselines.
func TestHandOver(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(os.Mkdir("c.auto", 0o777))
	v := &autoFlags{opencv: true}
	v.skipUnreadable = true // lists what there is, and not the flags that were given
	r := &autoRun{v: v, stem: "c", work: "c.auto", journal: &auto.Journal{}, opencv: true}
	args := r.measureSteps()[0].Args
	var measured string
	for _, a := range args {
		if file, ok := strings.CutPrefix(a, "c-opencv="); ok {
			measured = file
		}
	}
	for _, c := range []struct {
		alarms int
		useful bool
	}{{3, true}, {1000, false}, {3, true}} {
		report := must.Get(json.Marshal(&eval.Report{Objects: 10, Lines: []eval.Line{{Name: "c-opencv", Found: 9, FalsePositives: c.alarms}}}))
		for name, text := range map[string]string{measured: "xml", "c.auto/test.json": string(report)} {
			must.Do(os.WriteFile(name, []byte(text), 0o666))
		}
		must.Do(r.handOver(t.Context()))
		if _, err := os.Lstat("c.xml"); (err == nil) != c.useful {
			t.Errorf("%d false positives: handed over: %v", c.alarms, err == nil)
		}
		if _, err := os.Lstat(measured); err != nil {
			t.Errorf("%d false positives: it cannot be measured again: %v", c.alarms, err)
		}
	}
}

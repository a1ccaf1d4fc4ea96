package training

import (
	"context"
	"io"
	"os"
	"time"

	"haarlem/cascade"
	"haarlem/internal/app/output"
	"haarlem/internal/app/watch"
	"haarlem/internal/samples"
	"haarlem/internal/train"
	"haarlem/internal/train/report"
)

// maxLive bounds the windows of a set that the report scores while the training runs.
const maxLive = 4000

// redraw is the shortest time between two reports of a training that runs: its pictures take
// longer than a step of a small one.
const redraw = time.Second / 4

// stepped renews what shows the training, after a step.
func (t *training) stepped(ctx context.Context, s *train.Snapshot) error {
	t.heldOut, t.heldOutRate = s.HeldOut, s.HeldOutRate
	run, err := t.run(s.Cascade, s.Steps)
	if err != nil {
		return err
	}
	run.Max = maxLive
	run.Negatives = mined(s.Negatives, t.data.backgrounds)
	run.HeldOut, run.HeldOutRate = mined(s.HeldOut, t.data.heldOut), s.HeldOutRate
	curve, err := run.Measure(ctx)
	if err != nil {
		return err
	}
	t.log.step(s.Steps[len(s.Steps)-1], curve)
	if time.Since(t.drawn) < redraw {
		return nil
	}
	t.timed(run)
	t.log.tell(t.folder.renew(ReportFile, func(w io.Writer) error { return report.Write(w, run) }))
	t.drawn = time.Now()
	return nil
}

// run is what the report shows, but for negatives and times.
func (t *training) run(c *cascade.Cascade, steps []train.Step) (*report.Run, error) {
	settings, err := t.allSettings()
	if err != nil {
		return nil, err
	}
	d := t.data
	r := &report.Run{
		Name: t.folder.name, Cascade: c, Steps: steps, Goal: t.log.goal(), Workers: t.settings.Workers,
		Positives: learned(d.positives), Validation: learned(d.validation),
		Program: output.Program(), Command: t.command(), Settings: settings, Notes: t.log.notes,
		Data: []report.Data{
			{Role: "positives", Names: t.v.dataNames, Count: len(d.positives), SHA256: d.sumPositives},
			{Role: "validation", Count: len(d.validation), SHA256: d.sumValidation},
			{Role: "backgrounds", Count: len(d.backgrounds), SHA256: d.sumBackgrounds},
		},
	}
	if len(d.heldOut) > 0 {
		r.Data = append(r.Data, report.Data{Role: "validation backgrounds", Count: len(d.heldOut), SHA256: d.sumHeldOut})
	}
	return r, nil
}

// timed fills in what the state knows: times, memory and the curves of all steps.
func (t *training) timed(r *report.Run) {
	s := &t.log.state
	r.Spent, r.Memory = t.log.pace.earlier+t.log.spent(), s.Peak
	if r.Ended == "" && s.Left != [2]float64{} {
		r.Left = leftText(Seconds(s.Left[0]), Seconds(s.Left[1]), true)
	}
	for i := range s.Steps[:min(len(s.Steps), len(r.Steps))] {
		one := &s.Steps[i]
		r.Times, r.Mining = append(r.Times, Seconds(one.Seconds)), append(r.Mining, Seconds(one.Mining))
		if c := one.Curve; c != nil {
			curve := *c
			curve.Step = i + 1
			r.Curves = append(r.Curves, curve)
		}
	}
}

// learned are windows of objects, and the photographs that they are from.
func learned(all []sample) report.Set {
	return report.Set{Windows: greys(all), From: func(i int) report.Origin {
		return report.Origin{File: all[i].from, Object: int(all[i].object)}
	}}
}

// mined are windows of backgrounds.
func mined(all []train.Negative, from []samples.Background) report.Set {
	set := report.Set{From: func(i int) report.Origin {
		o := all[i].Origin
		if o.Picture < 0 || o.Picture >= len(from) {
			return report.Origin{}
		}
		return report.Origin{File: from[o.Picture].File, Box: o.Box}
	}}
	for i := range all {
		set.Windows = append(set.Windows, all[i].Window)
	}
	return set
}

// earlierSteps are the steps of the training that is resumed. The state may lack the
// last of them, or have one that is made again.
func (t *training) earlierSteps() []watch.Step {
	if t.last == nil {
		return nil
	}
	var known []watch.Step
	if in, err := os.Open(t.folder.file(watch.StateFile)); err == nil {
		s, err := watch.Read(in)
		in.Close()
		if err == nil {
			known = s.Steps
		} else {
			t.log.note(t.folder.file(watch.StateFile) + " cannot be read (" + err.Error() + "): the report lacks curves and times of earlier steps")
		}
	}
	var all []watch.Step
	for i, s := range t.last.Steps() {
		one := stepState(s)
		if i < len(known) && known[i].Weak == s.Weak {
			one.Seconds, one.Mining, one.Curve = known[i].Seconds, known[i].Mining, known[i].Curve
		}
		all = append(all, one)
	}
	return all
}

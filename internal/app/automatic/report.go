package automatic

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"haarlem/internal/app/input"
	"haarlem/internal/app/measuring"
	"haarlem/internal/app/output"
	"haarlem/internal/app/refining"
	"haarlem/internal/app/training"
	"haarlem/internal/app/watch"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/internal/train/auto"
	"haarlem/internal/train/report"
)

//go:embed run.html
var runHTML string

var runTemplate = template.Must(template.New("run").Parse(runHTML))

// A named is a line of a table, or a figure.
type named struct{ Name, Value string }

// A section is a link at the top of the page.
type section struct{ ID, Title string }

// A cost is what a threshold costs, on what was held out.
type cost struct{ Name, Score, Found, Missed, False, EachPicture string }

// A runPage is what run.html shows.
type runPage struct {
	Style             template.CSS
	Name, Lead        string
	Sections          []section
	Objects, Pictures string
	Figures           []named
	Notes             []string
	Thresholds        []cost
	Recommended       string
	Curves            []report.Chart
	Small             []string
	Learning          []report.Chart
	Misses, False     shots
	Suspects          shots
	Shapes            []report.Chart
	Health            string
	Sheet             *shot
	Report            string
	Training          []report.Chart
	Files, Commands   []named
	Steps             []named
	Lines             []string
}

// The most pictures of each kind in the page.
const (
	maxErrors   = 9
	maxSuspects = 24
)

// writeReport writes the page about the run.
func (r *autoRun) writeReport(context.Context) error {
	measured, err := r.measuredReport()
	if err != nil {
		return err
	}
	p := &runPage{
		Style: template.CSS(report.Style()), Name: filepath.Base(r.stem), Report: r.near(cascadeStep + "/" + training.ReportFile),
		Lead:    fmt.Sprintf("Learned from %s in %s, and %s without.", output.Count(r.facts.Objects, "object"), output.Count(r.facts.Photos, "photograph"), output.Count(r.facts.Backgrounds, "picture")),
		Objects: output.Count(measured.Objects, "object"), Pictures: output.Count(measured.Photos, "picture"),
		Sections: []section{{"results", "Results"}, {"threshold", "Threshold"}, {"misses", "Misses"}, {"false", "False positives"}, {"suspects", "Suspect labels"}, {"data", "Data"}, {"training", "Training"}, {"files", "Files"}, {"on", "To go on"}, {"steps", "Steps"}},
	}
	r.results(p, measured)
	for _, fill := range []func(*runPage, *eval.Report) error{r.thresholds, r.small, r.errors, r.suspects, r.data, r.training} {
		if err := fill(p, measured); err != nil {
			return err
		}
	}
	r.ending(p)
	return samples.WriteAtomically(r.stem+".html", func(w io.Writer) error { return runTemplate.Execute(w, p) })
}

func percent(part, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(of))
}

// results are the main figures, and what there is to say about them.
func (r *autoRun) results(p *runPage, measured *eval.Report) {
	for i := range measured.Lines {
		l := &measured.Lines[i]
		if i == 0 {
			for _, rate := range l.Rates {
				if slices.Contains([]int{0, 10, 100}, rate.FalsePositives) {
					p.Figures = append(p.Figures, named{fmt.Sprintf("found at %d false positives", rate.FalsePositives), fmt.Sprintf("%.1f%%", 100*rate.Recall)})
				}
			}
			p.Figures = append(p.Figures, named{"average precision", fmt.Sprintf("%.1f%%", 100*l.AveragePrecision)})
		} else {
			p.Notes = append(p.Notes, fmt.Sprintf("%s beside it, with all of its detections: %s of the objects, %s; average precision %.1f%%.", l.Name, percent(l.Found, measured.Objects), output.Count(l.FalsePositives, "false positive"), 100*l.AveragePrecision))
		}
		if said := l.Estimate(); said != "" && i == 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("It finds %s (95 per cent confidence). More objects make this narrower.", said))
		}
	}
	if r.uncalibrated {
		p.Notes = append(p.Notes, "It made no mistake on the part to calibrate with, so that its scores could not be made probabilities: they are margins.")
	}
	said, useful := worth(measured, r.openCVName())
	switch {
	case r.opencv && useful:
		p.Notes = append(p.Notes, fmt.Sprintf("%s.xml is a cascade with stages of its own: OpenCV's format has no soft cascades, verifiers, corrected boxes or probabilities.", p.Name))
	case r.opencv:
		p.Notes = append(p.Notes, fmt.Sprintf("There is no cascade for OpenCV: the one that the time allowed is of no use. %s.", strings.ToUpper(said[:1])+said[1:]))
	case r.v.opencv:
		p.Notes = append(p.Notes, "There is no cascade for OpenCV: the time was too short for one.")
	default:
		p.Notes = append(p.Notes, "There is no cascade for OpenCV: its format has no soft cascades, verifiers, corrected boxes or probabilities, and -opencv=false said to train none beside.")
	}
}

// thresholds are what some thresholds cost. The recommended one was chosen on the part to
// calibrate with, and is measured on the part that was held out.
func (r *autoRun) thresholds(p *runPage, measured *eval.Report) error {
	var chosen eval.Report
	if err := input.ReadJSON(r.in(thresholdStep+".json"), &chosen); err != nil {
		return err
	}
	l := &measured.Lines[0]
	at := func(name string, threshold float64) {
		var c eval.Point
		for _, one := range l.Curve {
			if one.Threshold >= threshold {
				c = one
			}
		}
		p.Thresholds = append(p.Thresholds, cost{name, strconv.FormatFloat(threshold, 'f', 2, 64), percent(c.Found, measured.Objects), strconv.Itoa(measured.Objects - c.Found),
			strconv.Itoa(c.FalsePositives), fmt.Sprintf("%.2f", float64(c.FalsePositives)/float64(max(measured.Photos, 1)))})
	}
	p.Recommended = "There was nothing to choose a threshold by."
	if best := chosen.Lines[0].Best; best != nil {
		threshold := best.Threshold
		for i, c := range chosen.Lines[0].Curve { // half-way to the next detection, which is safest
			if c.Threshold == threshold && i+1 < len(chosen.Lines[0].Curve) {
				threshold = (threshold + chosen.Lines[0].Curve[i+1].Threshold) / 2
				break
			}
		}
		threshold = math.Floor(100*threshold) / 100
		at("recommended", threshold)
		p.Recommended = fmt.Sprintf("The recommended threshold has the largest F1 measure on the part to calibrate with (%s), and is measured here on the part that was held out. Take a lower one if a miss costs more than a false positive.", output.Count(chosen.Objects, "object"))
	}
	if !r.uncalibrated {
		at("built in", 0.5)
		for _, t := range []float64{0.2, 0.8} {
			at(fmt.Sprint("at ", t), t)
		}
	}
	var recall []report.Line
	for i := range measured.Lines {
		one := report.Line{Name: measured.Lines[i].Name}
		for _, c := range measured.Lines[i].Curve {
			if c.FalsePositives > 0 && c.FalsePositives <= 20*max(measured.Photos, 1) {
				one.Points = append(one.Points, [2]float64{float64(c.FalsePositives), float64(c.Found) / float64(measured.Objects)})
			}
		}
		recall = append(recall, one)
	}
	found, right := report.Line{Name: "found"}, report.Line{Name: "right among detections"}
	for _, c := range l.Curve {
		found.Points = append(found.Points, [2]float64{c.Threshold, float64(c.Found) / float64(measured.Objects)})
		right.Points = append(right.Points, [2]float64{c.Threshold, float64(c.Found) / float64(c.Found+c.FalsePositives)})
	}
	p.Curves = report.Drawn(report.Chart{Title: "Found, by false positives", Note: "In all pictures together.", X: "false positives", Y: "objects found", LogX: true, Percent: true, FromZero: true, Lines: recall},
		report.Chart{Title: "Found and right, by threshold", Note: "Of the finished model. Right among detections is the precision.", X: "threshold", Y: "share", Percent: true, FromZero: true, Lines: []report.Line{found, right}})
	return nil
}

// small says how sure the figures of a small set are, and what more data promise.
func (r *autoRun) small(p *runPage, _ *eval.Report) error {
	cross, err := r.crossvalidated()
	if cross == nil {
		return err
	}
	p.Sections = slices.Insert(p.Sections, 2, section{"more", "More data"})
	if cross.Estimate != "" {
		p.Small = append(p.Small, fmt.Sprintf("Of all %d objects in %d pictures, cross-validated: %s (95 per cent confidence).", cross.Objects, cross.Photographs, cross.Estimate))
	}
	p.Small = append(p.Small, cross.More(), fmt.Sprintf("Each photograph was measured by a verifier that learned from others, in %d parts. Only this step was trained again, the cheapest. The cascade has seen most of the photographs, which makes these figures a little too good; a second verifier and corrected boxes are left out, which makes them worse. Those at the top are of the finished model.", cross.Folds))
	precision, recall := report.Line{Name: "average precision"}, report.Line{Name: "found at 10 false positives"}
	for _, s := range cross.Curve {
		precision.Points = append(precision.Points, [2]float64{float64(s.Objects), s.AveragePrecision})
		recall.Points = append(recall.Points, [2]float64{float64(s.Objects), s.Recall})
	}
	p.Learning = report.Drawn(report.Chart{Title: "Learning curve", Note: "Of the verifier, the last step.", X: "objects to learn from", Y: "share", Percent: true, FromZero: true, Lines: []report.Line{precision, recall}})
	return nil
}

// crossvalidated reads what was measured of a small set; nil for another.
func (r *autoRun) crossvalidated() (*refining.Crossvalidated, error) {
	done := slices.ContainsFunc(r.journal.All, func(d auto.Done) bool { return d.Name == crossStep && d.Skipped == "" })
	if !done || r.facts.Objects >= fewObjects {
		return nil, nil
	}
	c := &refining.Crossvalidated{}
	return c, input.ReadJSON(r.in(crossStep+".json"), c)
}

// errors shows the hardest misses and false positives.
func (r *autoRun) errors(p *runPage, measured *eval.Report) error {
	all, err := readBoxed(r.in(missesFolder) + "/" + measuring.FileName(measured.Lines[0].Name) + "-errors.csv")
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b boxed) int { // large misses first
		if a.row["score"] != "" || b.row["score"] != "" {
			return 0
		}
		return b.box.Dx()*b.box.Dy() - a.box.Dx()*a.box.Dy()
	})
	p.Misses = shots{Note: fmt.Sprintf("Objects that no threshold with at most %d false positives finds, the largest first.", missesAt), Key: []key{{labelKey, "label"}}}
	p.False = shots{Note: "The highest scores first. One that is an object is a label to add.", Key: []key{{foundKey, "detection"}}}
	for _, b := range all {
		to, of := &p.False, foundColour
		score, _ := strconv.ParseFloat(b.row["score"], 64)
		title := fmt.Sprintf("%s, %.2f", b.row["error"], score)
		if b.row["score"] == "" {
			to, of, title = &p.Misses, labelColour, "missed"
		}
		if len(to.All) >= maxErrors {
			continue
		}
		s, err := shoot(b.file, false, outlined{b.box, of})
		if err != nil {
			return err
		}
		s.Title = title
		to.All = append(to.All, s)
	}
	for _, s := range []*shots{&p.Misses, &p.False} {
		if len(s.All) == 0 {
			s.Note, s.Key = "None.", nil
		}
	}
	return nil
}

// suspects shows the labels that are probably wrong.
func (r *autoRun) suspects(p *runPage, _ *eval.Report) error {
	all, err := readBoxed(r.in(suspectFile))
	if err != nil {
		return err
	}
	p.Suspects = shots{Crops: true, Key: []key{{labelKey, "label"}, {foundKey, "what the model finds"}}}
	p.Suspects.Note = fmt.Sprintf("%s probably wrong or missing by what the model finds, the surest of each kind first; here are %d. All are in %s, and in the labelling page: see below.", output.Count(len(all), "label"), min(len(all), maxSuspects), r.near(suspectFile))
	for _, b := range all[:min(len(all), maxSuspects)] {
		boxes := []outlined{{b.box, labelColour}}
		var x, y, w, h int
		if _, err := fmt.Sscan(b.row["found"], &x, &y, &w, &h); err == nil {
			found := outlined{image.Rect(x, y, x+w, y+h), foundColour}
			if boxes = append(boxes, found); b.row["why"] == eval.MissingBox.String() {
				boxes = boxes[1:]
			}
		}
		s, err := shoot(b.file, true, boxes...)
		if err != nil {
			return err
		}
		s.Title = b.row["why"]
		p.Suspects.All = append(p.Suspects.All, s)
	}
	return nil
}

// data shows what the check of the data found, and sizes and shapes of the boxes.
func (r *autoRun) data(p *runPage, _ *eval.Report) error {
	b, err := os.ReadFile(r.in(dataStep + "/" + checkFile))
	if err != nil {
		return err
	}
	p.Health = string(b)
	if b, err = os.ReadFile(r.in(dataStep + "/" + objectSheet)); err != nil {
		return err
	}
	c, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return err
	}
	p.Sheet = &shot{Source: template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b)), Width: c.Width, Height: c.Height}
	sides, shapes := map[float64]float64{}, map[float64]float64{}
	for _, part := range auto.PartNames {
		photos, err := input.ReadTruth([]string{r.in(dataStep + "/" + part + ".csv")}, "csv")
		if err != nil {
			return err
		}
		for i := range photos {
			for _, o := range photos[i].Objects {
				if w, h := float64(o.Box.Dx()), float64(o.Box.Dy()); !o.Ignore && !o.Box.Empty() {
					sides[math.Round(3*math.Log2(math.Sqrt(w*h)))]++
					shapes[math.Round(4*math.Log2(w/h))]++
				}
			}
		}
	}
	bins := func(of map[float64]float64, scale float64) report.Line {
		l := report.Line{Name: "objects", Bars: true}
		for _, k := range slices.Sorted(maps.Keys(of)) {
			l.Points = append(l.Points, [2]float64{k / scale, of[k]})
		}
		return l
	}
	p.Shapes = report.Drawn(report.Chart{Title: "Sizes", Note: "Each unit to the right is twice the size: 5 is 32 pixels, 7 is 128.", X: "side of the boxes, pixels, as a power of two", Y: "objects", FromZero: true, Lines: []report.Line{bins(sides, 3)}},
		report.Chart{Title: "Shapes", Note: "0 is a square, 1 is twice as wide as high, -1 twice as high as wide.", X: "width / height, as a power of two", Y: "objects", FromZero: true, Lines: []report.Line{bins(shapes, 4)}})
	return nil
}

// training shows how the first cascade grew.
func (r *autoRun) training(p *runPage, _ *eval.Report) error {
	in, err := os.Open(r.in(cascadeStep + "/" + watch.StateFile))
	if err != nil {
		return err
	}
	defer in.Close()
	state, err := watch.Read(in)
	if err != nil {
		return err
	}
	precision, hits, passed := report.Line{Name: "first cascade"}, report.Line{Name: "objects that pass"}, report.Line{Name: "negatives that pass"}
	for i, s := range state.Steps {
		x := float64(i + 1)
		if s.Curve != nil {
			precision.Points = append(precision.Points, [2]float64{x, s.Curve.AveragePrecision})
		}
		if s.Validation != nil {
			hits.Points = append(hits.Points, [2]float64{x, *s.Validation})
		}
		passed.Points = append(passed.Points, [2]float64{x, s.FalsePositiveRate})
	}
	p.Training = report.Drawn(report.Chart{Title: "Average precision of the first cascade", Note: "Of single windows, one in a million of them an object, on the part to calibrate with. The finished model's figures are at the top.", X: "step", Y: "average precision", Percent: true, FromZero: true, Lines: []report.Line{precision}},
		report.Chart{Title: "What passes the first cascade", Note: "Windows of the part to calibrate with, and of each step's negatives those that pass it.", X: "step", Y: "share", Percent: true, FromZero: true, Lines: []report.Line{hits, passed}})
	return nil
}

// ending lists files, commands to go on, and the steps.
func (r *autoRun) ending(p *runPage) {
	name := p.Name
	p.Files = []named{{filepath.Base(r.v.out), "the finished model, for detect, the library, and the page in the browser"}}
	if _, err := os.Stat(r.stem + ".xml"); err == nil {
		p.Files = append(p.Files, named{name + ".xml", "a cascade for OpenCV, trained on the same data; it finds less"})
	}
	p.Files = append(p.Files, named{name + ".md", "a page about the model, to publish with it: data, commands, figures"},
		named{r.near(suspectFile), "suspect labels, one a line"}, named{r.near(dataStep + "/" + checkFile), "what the check of the data found"},
		named{r.near(dataStep + "/" + copiesFile), "pictures that show the same"}, named{r.near(testStep + ".txt"), "all figures"},
		named{r.near(missesFolder), "all misses and false positives, and pictures of them"}, named{r.near(autoSettings), "what was given and chosen"},
		named{r.near(pruneStep + modelEnding), "the cascade without verifiers: faster, with more false positives; to train other verifiers from"})
	command := func(words ...string) string { return output.CommandLine(words) }
	review := []string{"ui", "photos/", "-truth", r.v.truth[0], "-cascade", r.v.out}
	if ext := strings.ToLower(filepath.Ext(r.v.truth[0])); ext != ".csv" && ext != ".tsv" {
		review[2] = "-import"
	}
	for _, w := range r.v.where {
		review = append(review, "-where", w)
	}
	p.Commands = []named{
		{"Find objects in pictures", "detect -model " + r.v.out + " photo.jpg"},
		{"Correct suspect labels, under Review; photos/ is the folder of the photographs", command(review...)},
		{"Train anew, with corrected labels", command("auto", "-overwrite", "-settings", r.in(autoSettings), "-out", r.v.out)},
		{"Train longer", command("auto", "-resume", "-out", r.v.out, "-time", (2 * r.v.time).String())},
		{"Measure on other photographs", command("eval", "-model", r.v.out, "-truth", "more.csv", "-bg", "more/")},
	}
	total := 0.0
	for _, d := range r.journal.All {
		said := training.Seconds(d.Seconds).String()
		if d.Skipped != "" {
			said = "skipped: " + d.Skipped
		}
		p.Steps = append(p.Steps, named{d.Name, said})
		p.Lines = append(p.Lines, output.CommandLine(d.Args))
		total += d.Seconds
	}
	p.Steps = append(p.Steps, named{"all", training.Seconds(total).String()})
}

// near is the path of a file in the working folder, from the report.
func (r *autoRun) near(name string) string {
	return filepath.Base(r.stem) + autoEnding + "/" + name
}

// sum says in a few lines what came out.
func (r *autoRun) sum(context.Context) error {
	measured, err := r.measuredReport()
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d objects in %d pictures that were held out; recall in per cent at a number of false positives:\n", measured.Objects, measured.Photos)
	for i := range measured.Lines {
		l := &measured.Lines[i]
		fmt.Fprintf(&b, "  %s:", l.Name)
		for _, rate := range l.Rates {
			fmt.Fprintf(&b, " %.1f at %d,", 100*rate.Recall, rate.FalsePositives)
		}
		fmt.Fprintf(&b, " average precision %.1f\n", 100*l.AveragePrecision)
		if said := l.Estimate(); said != "" {
			fmt.Fprintf(&b, "    %s (95 per cent confidence)\n", said)
		}
	}
	if cross, err := r.crossvalidated(); err != nil {
		return err
	} else if cross != nil {
		fmt.Fprintf(&b, "of all %d objects in %d pictures, by cross-validation without the last steps: %s\n%s\n", cross.Objects, cross.Photographs, cross.Estimate, cross.More())
	}
	fmt.Fprintf(&b, "see %s.html; the model is %s", r.stem, r.v.out)
	if r.opencv {
		said, useful := worth(measured, r.openCVName())
		if useful {
			fmt.Fprintf(&b, "\n%s.xml is for OpenCV: %s", r.stem, said)
		} else {
			fmt.Fprintf(&b, "\nthere is no cascade for OpenCV: the one that the time allowed is of no use (%s); a longer -time trains more stages", said)
		}
	}
	_, err = fmt.Fprintln(r.s.Out, b.String())
	return err
}

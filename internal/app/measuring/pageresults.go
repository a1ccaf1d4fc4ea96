package measuring

import (
	"bytes"
	"fmt"
	"strings"

	"haarlem/internal/app/input"
	"haarlem/internal/eval"
)

// results shows reports of eval, each with a table and a plot.
func (p *modelPage) results(reports []string, largest int) (string, error) {
	var b strings.Builder
	for i, s := range reports {
		title, path, ok := strings.Cut(s, "=")
		if !ok {
			title, path = "", s
		}
		var r eval.Report
		if err := input.ReadJSON(path, &r); err != nil {
			return "", err
		}
		if len(r.Lines) == 0 || r.Objects == 0 {
			return "", fmt.Errorf("%s: not a report of eval: it has no contenders or no objects", path)
		}
		if title != "" {
			fmt.Fprintf(&b, "### %s\n\n", title)
		}
		fmt.Fprintf(&b, "%d %s in %d pictures, %d of which have none; %.1f megapixels. Matched by %s. Recall in per cent at a number of false positives on all pictures together:\n\n",
			r.Objects, p.objects(), r.Photos, r.Empty, r.Megapixels, r.Matcher)
		if err := p.table(&b, &r); err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		suffix := "roc"
		if i > 0 {
			suffix = fmt.Sprintf("roc-%d", i+1)
		}
		name := p.picture(suffix, func(to string) error { return plotReport(&r, largest, []string{to}) })
		fmt.Fprintf(&b, "\n![recall against false positives](%s)\n\n", name)
	}
	return b.String(), nil
}

// table has a row a contender, the model's own in bold, and a sentence about
// what it misses at ten false positives.
func (p *modelPage) table(b *strings.Builder, r *eval.Report) error {
	b.WriteString("| detector |")
	for _, n := range eval.FalsePositives {
		fmt.Fprintf(b, " %d |", n)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(eval.FalsePositives)) + "\n")
	const at = 10 // false positives
	var own, best *eval.Rate
	var bestName string
	for i := range r.Lines {
		l := &r.Lines[i]
		name := l.Name
		if name == p.model.Name {
			name = "**" + name + "**"
		}
		if l.Sweep == eval.SweepNeighbors.String() {
			name += ", by neighbours"
		}
		fmt.Fprintf(b, "| %s |", name)
		for k := range l.Rates {
			v := &l.Rates[k]
			if v.Threshold == nil {
				b.WriteString(" - |")
				continue
			}
			fmt.Fprintf(b, " %.1f |", 100*v.Recall)
			switch {
			case v.FalsePositives != at:
			case l.Name == p.model.Name:
				own = v
			case best == nil || v.Found > best.Found:
				best, bestName = v, l.Name
			}
		}
		b.WriteString("\n")
	}
	switch {
	case own == nil:
		return fmt.Errorf("no contender is called %s at %d false positives, as the model calls itself", p.model.Name, at)
	case best != nil:
		fmt.Fprintf(b, "\nAt %d false positives (%.2g a megapixel) it misses %.1f per cent of the %s; of the others here %s misses fewest, %.1f.\n",
			at, own.PerMegapixel, 100-100*own.Recall, p.objects(), bestName, 100-100*best.Recall)
	}
	return nil
}

// reliability shows how well the scores are calibrated.
func (p *modelPage) reliability(path string) (string, error) {
	var k eval.Calibrated
	if err := input.ReadJSON(path, &k); err != nil {
		return "", err
	}
	if len(k.Bins) == 0 || k.Right+k.Wrong == 0 {
		return "", fmt.Errorf("%s: want what calibrate -check -output json prints", path)
	}
	var b bytes.Buffer
	said, found, wrong := "With default options", k.After.Found, k.After.FalsePositives
	if smallest := p.model.Search.MinScore; smallest > 0 {
		// A right detection is an object found: there is one for each.
		said, found, wrong = fmt.Sprintf("With default options (scores of %g and more)", smallest), 0, 0
		for _, b := range k.Bins {
			if b.From >= smallest {
				found += b.Right
				wrong += b.Detections - b.Right
			} else if b.To > smallest {
				return "", fmt.Errorf("%s: the model's minimum score is %g, want an end of a bin", path, smallest)
			}
		}
	}
	fmt.Fprintf(&b, "%s it detects %d of %d %s (%.1f per cent) in %d pictures, with %d false positives on %.1f megapixels.", said,
		found, k.Objects, p.objects(), 100*float64(found)/float64(max(k.Objects, 1)), k.Photos, wrong, k.Megapixels)
	if found != k.After.Found || wrong != k.After.FalsePositives {
		fmt.Fprintf(&b, " At any score it detects %d, with %d false positives.", k.After.Found, k.After.FalsePositives)
	}
	b.WriteString(" How often a score is right:\n\n")
	WriteBins(&b, k.Bins)
	fmt.Fprintf(&b, "\nOf those from 0.4 to 0.6, %d of %d are right.\n", k.Even.Right, k.Even.Detections)
	name := p.picture("reliability", func(to string) error { return PlotReliability(&k, []string{to}) })
	fmt.Fprintf(&b, "\n![reliability diagram](%s)\n", name)
	return b.String(), nil
}

package eval

import (
	"fmt"
	"math"
)

// FalsePositives are the numbers of false positives at which reports show
// recall.
var FalsePositives = []int{0, 1, 5, 10, 20, 50, 100, 200}

// A Report is the result with one matcher.
type Report struct {
	Matcher    string  `json:"matcher"`
	Photos     int     `json:"photographs"`
	Empty      int     `json:"without_objects"` // photographs, among Photos
	Objects    int     `json:"objects"`         // without ignored ones
	Ignored    int     `json:"ignored"`         // objects
	Megapixels float64 `json:"megapixels"`
	Lines      []Line  `json:"contenders"`

	Precision *PrecisionReport `json:"precision,omitempty"` // nil if not measured
}

// A Line is the result of one contender.
type Line struct {
	Name             string  `json:"name"`
	Sweep            string  `json:"sweep"`
	AveragePrecision float64 `json:"average_precision"`

	// Rates are at the numbers of [FalsePositives].
	Rates []Rate `json:"rates"`

	// Best is the threshold with the largest F1 measure; nil if nothing is found.
	Best *Best `json:"best,omitempty"`

	// At the lowest threshold:
	Found          int                `json:"found"`
	Duplicates     int                `json:"duplicates"` // among FalsePositives
	FalsePositives int                `json:"false_positives"`
	Kinds          FalsePositiveKinds `json:"kinds"` // of FalsePositives

	Curve []Point `json:"curve"`
}

// Best is the result at one threshold.
type Best struct {
	Point
	F1        float64            `json:"f1"` // the harmonic mean of precision and recall
	Precision float64            `json:"precision"`
	Recall    float64            `json:"recall"`
	Kinds     FalsePositiveKinds `json:"kinds"`
}

// A Rate is the best recall with at most the given number of false positives.
type Rate struct {
	FalsePositives int      `json:"false_positives"`
	PerMegapixel   float64  `json:"per_megapixel"` // false positives
	Found          int      `json:"found"`
	Recall         float64  `json:"detection_rate"`
	Threshold      *float64 `json:"threshold"` // null if every threshold gives more false positives

	// Interval is Wilson's of 95 per cent for Recall; nil with [fewObjects] or more.
	Interval *[2]float64 `json:"interval,omitempty"`
}

// fewObjects is how many objects make an interval needless: it is at most 12 per cent
// wide then.
const fewObjects = 300

// intervalAt is the number of false positives at which [Line.Estimate] gives recall.
const intervalAt = 10

// Estimate says in words how well recall is known, such as "94 per cent, between 82
// and 98"; nothing where there are enough objects.
func (l *Line) Estimate() string {
	for _, v := range l.Rates {
		if v.FalsePositives == intervalAt && v.Threshold != nil && v.Interval != nil {
			return fmt.Sprintf("%.0f per cent, between %.0f and %.0f, at %d false positives", 100*v.Recall, 100*v.Interval[0], 100*v.Interval[1], intervalAt)
		}
	}
	return ""
}

// Report matches all contenders' detections.
func (s *Set) Report(m Matcher) *Report {
	r := &Report{Matcher: m.String(), Photos: len(s.Photos), Objects: count(s.Photos, counts)}
	for _, p := range s.Photos {
		if len(p.Objects) == 0 {
			r.Empty++
		}
		r.Ignored += len(p.Objects)
	}
	r.Ignored -= r.Objects
	pixels := 0
	for _, z := range s.Sizes {
		pixels += z.X * z.Y
	}
	r.Megapixels = float64(pixels) / 1e6
	for c, contender := range s.Contenders {
		verdicts := s.Judge(c, m)
		l := Line{Name: contender.Name, Sweep: contender.Sweep.String(), Curve: curve(verdicts)}
		for _, v := range verdicts {
			switch v.Verdict {
			case Right:
				l.Found++
			case Duplicate:
				l.Duplicates++
				l.FalsePositives++
			case FalsePositive:
				l.FalsePositives++
			}
		}
		l.AveragePrecision = averagePrecision(l.Curve, r.Objects)
		l.Kinds = s.kinds(m, verdicts, math.Inf(-1))
		if p, f1, ok := best(l.Curve, r.Objects); ok {
			l.Best = &Best{
				Point: p, F1: f1, Precision: float64(p.Found) / float64(p.Found+p.FalsePositives),
				Recall: float64(p.Found) / float64(r.Objects), Kinds: s.kinds(m, verdicts, p.Threshold),
			}
		}
		for _, n := range FalsePositives {
			rate := Rate{FalsePositives: n}
			if r.Megapixels > 0 {
				rate.PerMegapixel = float64(n) / r.Megapixels
			}
			if p, ok := at(l.Curve, n); ok {
				rate.Found, rate.Threshold = p.Found, &p.Threshold
				if r.Objects > 0 && r.Objects < fewObjects {
					low, high := wilson(p.Found, r.Objects)
					rate.Interval = &[2]float64{low, high}
				}
				if r.Objects > 0 {
					rate.Recall = float64(p.Found) / float64(r.Objects)
				}
			}
			l.Rates = append(l.Rates, rate)
		}
		r.Lines = append(r.Lines, l)
	}
	return r
}

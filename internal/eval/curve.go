package eval

import "sort"

// A Point is the result of one threshold.
type Point struct {
	Threshold      float64 `json:"threshold"` // detections of this rank and above
	Found          int     `json:"found"`     // objects: true positives
	FalsePositives int     `json:"false_positives"`
}

// curve sweeps the threshold over verdicts, best first. It begins with the
// first threshold that any detection passes.
func curve(all []Judged) []Point {
	var points []Point
	var p Point
	for i, j := range all {
		switch j.Verdict {
		case Right:
			p.Found++
		case Duplicate, FalsePositive:
			p.FalsePositives++
		}
		if i+1 < len(all) && all[i+1].Rank == j.Rank {
			continue // detections of one rank enter together
		}
		p.Threshold = j.Rank
		if len(points) > 0 {
			if last := points[len(points)-1]; last.Found == p.Found && last.FalsePositives == p.FalsePositives {
				continue // only ignored ones
			}
		}
		points = append(points, p)
	}
	return points
}

// at returns the point with the most objects among those with at most n false
// positives. ok is false if there is none.
func at(points []Point, n int) (p Point, ok bool) {
	i := sort.Search(len(points), func(i int) bool { return points[i].FalsePositives > n })
	if i == 0 {
		return Point{}, false
	}
	return points[i-1], true
}

// averagePrecision is the area under the curve of precision over recall, where
// precision is the best at this recall or any higher one (PASCAL VOC's rule
// since 2010).
func averagePrecision(points []Point, objects int) float64 {
	if objects == 0 {
		return 0
	}
	sum, best, after := 0.0, 0.0, 0
	for i := len(points) - 1; i >= 0; i-- {
		p := points[i]
		if i < len(points)-1 {
			sum += float64(float64(after-p.Found) * best)
		}
		if n := p.Found + p.FalsePositives; n > 0 {
			best = max(best, float64(p.Found)/float64(n))
		}
		after = p.Found
	}
	sum += float64(float64(after) * best)
	return sum / float64(objects)
}

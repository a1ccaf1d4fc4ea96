package eval

import "sort"

// A Point is what one threshold gives.
type Point struct {
	Threshold   float64 `json:"threshold"` // detections of this rank and above
	Found       int     `json:"found"`     // objects
	FalseAlarms int     `json:"false_alarms"`
}

// curve sweeps the threshold over verdicts that stand best first. It begins
// with the first threshold that lets anything in.
func curve(all []Judged) []Point {
	var points []Point
	var p Point
	for i, j := range all {
		switch j.Verdict {
		case Right:
			p.Found++
		case Duplicate, FalseAlarm:
			p.FalseAlarms++
		}
		if i+1 < len(all) && all[i+1].Rank == j.Rank {
			continue // all of one rank enter together
		}
		p.Threshold = j.Rank
		if len(points) > 0 {
			if last := points[len(points)-1]; last.Found == p.Found && last.FalseAlarms == p.FalseAlarms {
				continue // nothing but ignored ones
			}
		}
		points = append(points, p)
	}
	return points
}

// at returns the point with the most objects among those with at most so many
// false alarms. ok is false if there is none.
func at(points []Point, alarms int) (p Point, ok bool) {
	n := sort.Search(len(points), func(i int) bool { return points[i].FalseAlarms > alarms })
	if n == 0 {
		return Point{}, false
	}
	return points[n-1], true
}

// averagePrecision is the area below precision as a function of the share of
// objects found, where precision is made to fall: at each share it is the best
// that any threshold with this share or more gives (PASCAL VOC's rule since
// 2010).
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
		if n := p.Found + p.FalseAlarms; n > 0 {
			best = max(best, float64(p.Found)/float64(n))
		}
		after = p.Found
	}
	sum += float64(float64(after) * best)
	return sum / float64(objects)
}

package main

import (
	"cmp"
	"fmt"
	"image"
	"slices"

	"gocv.io/x/gocv"
)

// maxNeighbors is the largest minNeighbors that is tried.
const maxNeighbors = 60

// opencv runs a cascade in OpenCV. gocv does not return the number of
// candidates of a detection, so OpenCV searches once for all candidates
// (minNeighbors 0) and groups them, with the function of detectMultiScale, for
// each minNeighbors. Each hundredth image is compared with detectMultiScale's
// own result.
func opencv(name, path string) detector {
	return detector{name, func() (finder, error) { return openOpenCV(path) }}
}

func openOpenCV(path string) (finder, error) {
	c := gocv.NewCascadeClassifier()
	if !c.Load(path) {
		return nil, fmt.Errorf("OpenCV %s cannot load %s", gocv.OpenCVVersion(), path)
	}
	calls := 0
	return func(g *image.Gray) ([]face, error) {
		m, err := gocv.NewMatFromBytes(g.Rect.Dy(), g.Rect.Dx(), gocv.MatTypeCV8U, g.Pix)
		if err != nil {
			return nil, err
		}
		defer m.Close()
		detect := func(neighbors int) []image.Rectangle {
			return c.DetectMultiScaleWithParams(m, scale, neighbors, 0, image.Pt(minimum, minimum), image.Point{})
		}
		candidates := detect(0)
		strength := map[image.Rectangle]int{} // the largest minNeighbors that keeps it
		for k := 1; k <= maxNeighbors; k++ {
			if len(candidates) == 0 {
				break // gocv's GroupRectangles refuses an empty list
			}
			groups := gocv.GroupRectangles(candidates, k, 0.2)
			if calls%100 == 0 && (k == 1 || k == 4) {
				if direct := detect(k); !slices.Equal(sorted(direct), sorted(groups)) {
					return nil, fmt.Errorf("OpenCV's detectMultiScale gives %v for minNeighbors %d, its groupRectangles %v", direct, k, groups)
				}
			}
			if len(groups) == 0 {
				break
			}
			for _, r := range groups {
				strength[r] = k
			}
		}
		calls++
		var all []face
		for r, k := range strength {
			// minNeighbors k keeps groups of more than k candidates.
			all = append(all, face{r.Min.X, r.Min.Y, r.Dx(), r.Dy(), float64(k + 1), k + 1})
		}
		slices.SortFunc(all, func(a, b face) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), a.Y-b.Y, a.X-b.X, a.Width-b.Width)
		})
		return all, nil
	}, nil
}

func sorted(v []image.Rectangle) []image.Rectangle {
	v = slices.Clone(v)
	slices.SortFunc(v, func(a, b image.Rectangle) int {
		return cmp.Or(a.Min.X-b.Min.X, a.Min.Y-b.Min.Y, a.Dx()-b.Dx(), a.Dy()-b.Dy())
	})
	return v
}

package main

import (
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	pigo "github.com/esimov/pigo/core"
)

// facefinder runs pigo with the model in its module. The score is pigo's
// quality, which its clusters sum over their members.
func facefinder() (finder, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/esimov/pigo").Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m github.com/esimov/pigo: %w (run this in bench/)", err)
	}
	model, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "cascade", "facefinder"))
	if err != nil {
		return nil, err
	}
	p, err := pigo.NewPigo().Unpack(model)
	if err != nil {
		return nil, err
	}
	return func(g *image.Gray) ([]face, error) {
		w, h := g.Rect.Dx(), g.Rect.Dy()
		found := p.ClusterDetections(p.RunCascade(pigo.CascadeParams{
			MinSize: minimum, MaxSize: min(w, h), ShiftFactor: 0.1, ScaleFactor: scale,
			ImageParams: pigo.ImageParams{Pixels: g.Pix, Rows: h, Cols: w, Dim: w},
		}, 0), 0.2)
		var all []face
		for _, f := range found {
			all = append(all, face{X: f.Col - f.Scale/2, Y: f.Row - f.Scale/2, Width: f.Scale, Height: f.Scale, Score: float64(f.Q)})
		}
		return all, nil
	}, nil
}

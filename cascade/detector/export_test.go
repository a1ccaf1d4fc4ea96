package detector

import (
	"context"
	"image"

	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// Engine returns the engine of a detector of one cascade.
func (d *Detector) Engine() *engine.Engine { return d.parts[0].engine }

// StopAfter is [engine.Engine.StopAfter] of all cascades.
func (d *Detector) StopAfter(weak ...int) {
	for i := range d.parts {
		d.parts[i].engine.StopAfter(weak...)
	}
}

// SweepThrough is [engine.Engine.SweepThrough] of all cascades.
func (d *Detector) SweepThrough(segments int) {
	for i := range d.parts {
		d.parts[i].engine.SweepThrough(segments)
	}
}

// Swept is [engine.Engine.Swept].
func (d *Detector) Swept(width, height int) int {
	return must.Get(d.Engine().Swept(context.Background(), width, height))
}

// GroupsOf is AppendGroups of windows.
func (d *Detector) GroupsOf(ws []engine.Window, g *image.Gray) []Detection {
	var all []Detection
	for i := range ws {
		all = append(all, Detection{Box: ws[i].Box, Score: ws[i].Margin})
	}
	return d.AppendGroups(nil, all, g)
}

package detector

import (
	"context"
	"image"

	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// Engine returns the engine of a detector.
func (d *Detector) Engine() *engine.Engine { return d.prepared.engine }

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

package train

import (
	"haarlem/cascade"
	"haarlem/internal/tiles"
)

// minFeatures are the fewest that a training makes do with when memory is scarce.
const minFeatures = 16

// Rough numbers of bytes, per window.
const (
	headerBytes = 130 // of its image.Gray, pointers to it, its origin
	rowBytes    = 100 // of boosting's weights and scores
)

// held is about how many bytes the windows of a step take, with all that is kept about
// each of them but its codes.
func (t *trainer) held(rows int) int64 {
	pixels := int64(t.s.Width*t.s.Height + headerBytes)
	positives := int64(t.train)
	negatives := int64(max(rows-t.train, 0))
	held := (positives + negatives) * (pixels + rowBytes)
	if t.s.Shape == Staged {
		held += negatives * pixels / 2 // some are mined while there are codes
	}
	if t.s.Shape == Soft {
		held += positives * int64(t.s.Soft.Rounds) // leaves
	}
	return held
}

// dropCodes frees the memory of codes while many negatives are mined, if those of the
// next step are others anyway. It is worth while where windows are most of the memory:
// without it, the collector looks through them again and again.
func (t *trainer) dropCodes() {
	if t.columns != nil && t.s.Shape != Staged && t.held(t.train+t.s.Negatives) > t.s.Memory/4 {
		t.columns.codes = nil
	}
}

// left is what the windows of a step leave of a memory. An eighth is for garbage.
func (t *trainer) left(memory int64, rows int) int64 { return memory/8*7 - t.held(rows) }

// room returns how many features a step may have: their codes take up to five eighths of
// the memory, if the windows leave as much.
func (t *trainer) room(memory int64, rows int) int {
	return max(int(min(memory/8*5, t.left(memory, rows))/int64(rows+2*tiles.Tile)), 0)
}

// cache is how much of the memory decoded backgrounds may take: a quarter, if codes and
// windows leave as much.
func (t *trainer) cache() int64 {
	rows := t.train + t.s.Negatives
	features := t.wanted()
	if t.s.Kind == cascade.Haar {
		features = min(features, t.room(t.s.Memory, rows))
	}
	return max(min(t.s.Memory/4, t.left(t.s.Memory, rows)-int64(rows)*int64(features)), 0)
}

// wanted is how many features a step has if there is memory for all.
func (t *trainer) wanted() int {
	s := &t.s
	if s.Kind == cascade.LBP {
		return len(allCells(s.Width, s.Height))
	}
	all := s.Set.Count(s.Width, s.Height)
	if s.Features == 0 || s.Features > all {
		return all
	}
	return s.Features
}

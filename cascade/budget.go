package cascade

import "context"

// A deadline is to be kept however dear a band of windows is: a cascade may have
// 131,072 weak learners, or windows of a million pixels. So scanners count what
// they do, in rectangles that weak learners ask for: of one window, or of sixteen
// in lanes. At every enough of them they look at the context.

// enough is how much is done between two looks at the context: about a
// millisecond's work. Behind the scan a box that is compared with another counts
// as much.
const enough = 1 << 18

// spend counts work.
func (s *scanner) spend(n int) {
	if s.spent += n; s.spent >= enough {
		s.account()
	}
}

// account looks at the context. What a scanner has begun is worth nothing once
// s.err is set: whoever is at it returns.
func (s *scanner) account() {
	s.spent = 0
	if s.err == nil {
		s.err = s.ctx.Err()
	}
}

// begun makes a scanner ready for work under ctx.
func (s *scanner) begun(ctx context.Context) error {
	s.ctx = ctx
	s.account()
	return s.err
}

// ended returns what came of it, and makes the scanner ready for the next work.
func (s *scanner) ended() error {
	err := s.err
	if err != nil && s.packs != nil {
		for i := range s.packs.queues {
			s.packs.queues[i].n = 0
		}
	}
	s.ctx, s.err = nil, nil
	return err
}

// piecesOf returns about how many pieces of at most maxPiece pixels there are in
// so many: what a general feature, or a wide one, is cut into.
func piecesOf(pixels int64) int { return int(pixels/maxPiece) + 1 }

// work returns about how dear the cascade is for a window that passes all exits:
// how many pieces of rectangles all its nodes and histograms ask for. Features
// that nobody asks for count once.
func (c *Cascade) work() int {
	of := make([]int, c.features())
	total := 0
	for i := range c.Features {
		f := &c.Features[i]
		for k := range f.Count() {
			of[i] += piecesOf(pixels(f.Rects[k], f.Tilted))
		}
		total += of[i]
	}
	for i, cell := range c.Cells {
		of[i] = 3 * piecesOf(int64(cell.Dx())*int64(cell.Dy())) // nine cells share their corners
		total += of[i]
	}
	for i := range c.Weak {
		w := &c.Weak[i]
		if w.Histogram() {
			total += of[w.Feature]
		}
		for k := range w.Nodes {
			total += of[w.Nodes[k].Feature]
		}
	}
	return total
}

package engine

import "context"

// A deadline is to be kept however dear a band of windows is: a cascade may have
// 131,072 weak learners, or windows of a million pixels. So workers count what
// they do, in rectangles that weak learners ask for: of one window, or of sixteen
// in lanes. At every checkEvery of them they look at the context.

// checkEvery is how much is done between two looks at the context: about a
// millisecond's work.
const checkEvery = 1 << 18

// A budget counts one worker's work. All parts of the worker share it.
type budget struct {
	ctx   context.Context // of the work at hand
	spent int             // since it was looked at
	err   error           // that ends the work
}

// spend counts work.
func (b *budget) spend(n int) {
	if b.spent += n; b.spent >= checkEvery {
		b.account()
	}
}

// account looks at the context. What a worker has begun is worth nothing once
// b.err is set: whoever is at it returns.
func (b *budget) account() {
	b.spent = 0
	if b.err == nil {
		b.err = b.ctx.Err()
	}
}

// begin makes ready for work under ctx.
func (b *budget) begin(ctx context.Context) error {
	b.ctx = ctx
	b.account()
	return b.err
}

// end returns what came of it, and makes ready for the next work.
func (b *budget) end() error {
	err := b.err
	b.ctx, b.err = nil, nil
	return err
}

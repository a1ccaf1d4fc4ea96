package engine

import "context"

// Deadlines must hold however slow a band is: a cascade may have 131,072 weak
// classifiers, or windows of a million pixels. So workers count their work, in
// rectangle sums, each for one window or for 16 in lanes. They check the context
// each time that the count reaches checkEvery.

// checkEvery is the work between two checks of the context: about a millisecond.
const checkEvery = 1 << 18

// A budget counts one worker's work. All parts of the worker share it.
type budget struct {
	ctx   context.Context // of the work at hand
	spent int             // since the last check
	err   error           // once it is set, the work stops
}

// spend counts work.
func (b *budget) spend(n int) {
	if b.spent += n; b.spent >= checkEvery {
		b.account()
	}
}

// account checks the context. Once b.err is set, results are discarded and every
// loop returns.
func (b *budget) account() {
	b.spent = 0
	if b.err == nil {
		b.err = b.ctx.Err()
	}
}

// begin prepares for work under ctx.
func (b *budget) begin(ctx context.Context) error {
	b.ctx = ctx
	b.account()
	return b.err
}

// end returns the error of the work, and prepares for the next.
func (b *budget) end() error {
	err := b.err
	b.ctx, b.err = nil, nil
	return err
}

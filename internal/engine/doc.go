// Package engine searches images for the windows that pass a cascade. It knows
// nothing of grouping, verifiers and detections: it gives candidates.
//
// # How it is fast
//
// Sixteen neighbouring windows are looked at side by side, one a vector lane,
// with AVX-512 or AVX2 where the processor has them and in plain Go elsewhere;
// the environment variable HAARLEM_CPU (avx512, avx2 or purego) forces a
// level. Lanes add scores in fixed point and only ever reject a window when it
// is certain that the exact sum is too low; whatever is left is decided by
// plain code that adds as OpenCV does. Pixel tables are kept in bands that fit
// the second-level cache, with 16-bit sums: differences of them are exact as
// long as the true sum fits, and larger rectangles are cut into pieces. A window
// has to pass all stages of a classical cascade, so lanes go through them in the
// order that takes the fewest steps on a drawn picture.
//
// A model of ours may be searched by a coarser grid than OpenCV's (Stride), and
// search between its windows only near survivors (RefineX, RefineY): that
// finds much of what only a search of all windows would find. So may levels of the
// pyramid that are close to others (InterLevel), which saves what scaling them and
// their tables cost.
//
// # The way of a window
//
// The files know each other in this order, from the first on.
//
//	options      which windows are searched
//	budget       how often a worker looks at its context
//	lazy         what is made when it is first needed
//	prefilter    the image, halved
//	pyramid      levels, and their grids of windows
//	probe        which windows pass so many exits
//	plan         what an image's size decides: compiled programs, units of work
//	band         a piece of a level: its pixels and tables of sums
//	contrast     what normalises its windows, and which have enough
//	candidates   what workers have found
//	judge        lanes, and the last word
//	strip        64 windows of a row through the first weak classifiers
//	compact      those that are left go on with others from anywhere
//	funnel       the way from strip to judge
//	refine       windows off the grid, near those that passed a probe
//	interlevel   windows of levels between, near those that passed a probe
//	worker       units of the plan, and cells of levels between
//	order        in which order lanes look at stages
//	engine       a cascade ready to search with
//	cost, answers, windows, search: what an engine is asked for
package engine

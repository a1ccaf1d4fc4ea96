// Package engine is the sliding-window search over an image pyramid. It finds the
// detection windows that pass a cascade, the candidates. It knows nothing of grouping,
// verifiers and detections.
//
// # How it is fast
//
// Sixteen neighbouring windows are evaluated side by side, one in each lane of a
// vector, and in plain Go where a processor has no vectors. Lanes add scores in fixed
// point. They reject a window only when the exact sum is certainly below the threshold.
// All others are decided by the exact evaluator, which adds as OpenCV does.
//
// Integral images are kept in bands that fit the second-level cache, with 16-bit sums.
// Differences of them are exact as long as the true sum fits. Larger rectangles are cut
// into pieces.
//
// A window has to pass all stages of a classical cascade. So lanes evaluate them in the
// order with the least work on a synthetic image.
//
// A model may have a coarser grid than OpenCV's (Stride of [cascade.Search]), and more
// windows searched only near survivors (RefineX, RefineY). The same goes for pyramid
// levels that are close to others (InterLevel).
//
// # The files
//
// Each file uses only those before it.
//
//	options      which windows are searched
//	budget       when a worker checks its context
//	lazy         values made when they are first needed
//	prefilter    the image, halved
//	pyramid      levels, and their grids of windows
//	frame        the part of a rotated picture that is searched
//	probe        survivors near which more windows are searched
//	plan         all that depends on an image's size: compiled programs, units of work
//	band         a piece of a level: pixels and integral images
//	contrast     normalisation and the contrast gate
//	candidates   results of the workers
//	judge        lanes, and the exact decision
//	strip        the first weak classifiers, on 64 windows of a row
//	compact      survivors, 16 at a time
//	visitor      what is done with windows
//	funnel       strips, probes, compaction and decision in order
//	refine       windows off the grid, near survivors
//	interlevel   windows of levels that are not dense, near survivors
//	worker       one goroutine: units of the plan and cells, for one cascade or several
//	order        the order of stages in lanes
//	engine       a cascade ready to search with
//	quarter      an engine for objects turned by quarter turns, on the same tables
//	cost         counts the work
//	outputs      outputs of weak classifiers on a window
//	search       the memory of a search, and its workers
//	places       a search near places only
//	windows      candidates with their place in the pyramid
//	tune         for tests
package engine

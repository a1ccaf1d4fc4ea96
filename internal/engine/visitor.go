package engine

// A visitor does something with detection windows: search, count or sample.
type visitor interface {
	// rows visits the windows of the grid in the rows from to to-1 of a band.
	rows(b *band, from, to int)

	// window visits one window off the grid, or on a level that is not dense. ok
	// says that it has enough contrast.
	window(b *band, w window, ok bool)

	// flush completes the band, before its tables change.
	flush(b *band)

	// drop discards what is incomplete.
	drop()
}

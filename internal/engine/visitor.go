package engine

// A visitor is what is done with windows: a search, a count, or a sample.
type visitor interface {
	// rows visits the windows of the grid in the rows from to to-1 of a band.
	rows(b *band, from, to int)

	// window visits one window off the grid, or of a level between. ok says that
	// it has enough contrast.
	window(b *band, w window, ok bool)

	// flush ends what is begun of the band, whose table is about to go.
	flush(b *band)

	// drop forgets what is begun.
	drop()
}

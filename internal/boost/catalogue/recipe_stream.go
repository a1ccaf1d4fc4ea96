package catalogue

// A recipe uses several streams of random numbers, one per purpose, so that
// noise does not change the examples, and irrelevant columns do not change the
// noise. The numbers are the second half of the PCG's state; any values do, as
// long as they differ and never change.
const (
	streamExamples uint64 = 0x9e3779b97f4a7c15 + iota
	streamClassNoise
	streamAttributeNoise
	streamIrrelevant
	streamFolds
	streamFormula
	streamOneSided
)

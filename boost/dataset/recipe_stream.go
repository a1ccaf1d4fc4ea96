package dataset

// A recipe draws from several streams of random numbers, one a purpose, so
// that asking for noise does not change the examples that the noise is laid
// over, and asking for irrelevant columns does not change the noise. The
// numbers are the second half of the PCG's state; any values do, as long as
// they differ and never change.
const (
	streamExamples uint64 = 0x9e3779b97f4a7c15 + iota
	streamClassNoise
	streamAttributeNoise
	streamIrrelevant
	streamFolds
	streamFormula
)

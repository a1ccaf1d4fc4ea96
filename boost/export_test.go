package boost

// WeightsOf returns a run's weights, for the conformance tests.
func WeightsOf(r *Run) []float64 { return r.st.Weights }

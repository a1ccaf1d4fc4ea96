package boost

// A majority3 is the majority vote of three weak learners, by the signs of
// their outputs; +1 for zero.
type majority3 struct {
	Of [3]Weak
}

// Value returns -1 or +1.
func (m *majority3) Value(x []float64) float64 {
	votes := int8(0)
	for _, w := range m.Of {
		votes += classOf(w.Value(x))
	}
	return float64(classOf(float64(votes)))
}

// Columns returns the columns of the three, or nil if one may use all.
func (m *majority3) Columns() []int {
	return columnsOf(len(m.Of), func(i int) []int { return m.Of[i].Columns() })
}

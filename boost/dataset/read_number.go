package dataset

import "strconv"

// parseNumber parses a finite decimal number. It is stricter than strconv,
// which accepts hexadecimal numbers, underscores, and infinity.
func parseNumber(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < '0' || c > '9') && c != '.' && c != '+' && c != '-' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// parseWeight reads a row's weight, a number as the file writes them.
func parseWeight(s string, number func(string) (float64, bool)) (float64, error) {
	w, ok := number(s)
	if !ok || !(w > 0) {
		return 0, syntax("weight %q, want a positive number", s)
	}
	return w, nil
}

// parseIndex reads a number without a sign.
func parseIndex(s string) (int, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

package dataset

import (
	"strconv"
	"strings"
)

// parseNumber parses a finite decimal number. It is stricter than strconv,
// which accepts hexadecimal numbers, underscores, and infinity.
func parseNumber(s string) (float64, bool) {
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, false
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
	n, err := strconv.ParseUint(s, 10, 30)
	return int(n), err == nil
}

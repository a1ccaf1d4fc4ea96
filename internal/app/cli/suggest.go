package cli

import "strings"

// suggest returns ", did you mean X?" for the most similar word, or "" if none
// is similar. Words may begin with dashes.
func suggest(wrong string, words []string) string {
	wrong = strings.TrimLeft(wrong, "-")
	best, smallest := "", len(wrong)/3+2
	for _, w := range words {
		bare := strings.TrimLeft(w, "-")
		d := distance(wrong, bare)
		if strings.HasPrefix(bare, wrong) && len(wrong) > 2 {
			d = 1
		}
		if d < smallest {
			best, smallest = w, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance counts the letters to insert, delete, change or swap to get from b
// to a.
func distance(a, b string) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			d := old[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, older[j-1]+1)
			}
			row[j+1] = d
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}

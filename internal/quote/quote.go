// Package quote writes lists of names for messages.
package quote

import (
	"fmt"
	"strconv"
	"strings"
)

// Some lists names in quotes, the first six where there are more.
func Some(names []string) string {
	const shown = 6
	var quoted []string
	for _, n := range names[:min(shown, len(names))] {
		quoted = append(quoted, strconv.Quote(n))
	}
	if more := len(names) - shown; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(quoted, ", "), more)
	}
	return strings.Join(quoted, ", ")
}

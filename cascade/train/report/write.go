package report

import "io"

// Write writes the report of r.
func Write(w io.Writer, r *Run) error {
	return r.check()
}

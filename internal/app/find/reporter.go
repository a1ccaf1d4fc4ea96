package find

import (
	"io"

	"haarlem/internal/app/cli"
)

// A reporter writes results in one format. Every call ends with a complete
// line, so that whoever reads can follow.
type reporter interface {
	begin() error
	picture(*result) error
	end(pictures, faces int) error
}

func newReporter(format string, w io.Writer) (reporter, error) {
	switch format {
	case "text":
		return &textReporter{w: w}, nil
	case "json":
		return &jsonReporter{w: w, array: true}, nil
	case "jsonl":
		return &jsonReporter{w: w}, nil
	case "csv":
		return newCSVReporter(w), nil
	}
	return nil, cli.Usagef("-format %q: want text, json, jsonl or csv", format)
}

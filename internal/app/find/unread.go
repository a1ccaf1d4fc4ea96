package find

import (
	"fmt"
	"io"

	"haarlem/internal/app/console"
	"haarlem/internal/unread"
	"haarlem/picture"
)

// tellUnread says what was found in folders and is not among the inputs, by
// kind, and how to go on with it. It reports whether something is missing from
// the results that belongs there: a video does not, but where faces are to be
// hidden, and everything does if there was nothing else.
func (s *selection) tellUnread(w io.Writer, hides bool) bool {
	done := "not searched"
	if hides {
		done = "not searched, and no copy written"
	}
	missing := len(s.Inputs) == 0
	var kinds unread.Files
	var closed []error
	for _, l := range s.left {
		var film *picture.KindError
		switch {
		case l.Kind.Name == "": // a folder
			closed = append(closed, l.Err)
		case l.Kind.Video():
			film = &picture.KindError{Kind: l.Kind}
			film.Kind.Convert = "" // another command takes it as it is
			kinds.Add(l.Path, film)
		default:
			kinds.Add(l.Path, l.Err)
		}
		missing = missing || film == nil || hides
	}
	for i := range kinds.Kinds {
		k := &kinds.Kinds[i]
		advice := ""
		switch {
		case k.Kind.Video() && hides:
			advice = "; give each alone: detect blur -out OUT.mp4 IN"
		case k.Kind.Video():
			advice = "; each is searched by: detect video IN"
		case converted(k.Kind):
			advice = "; -heic reads them"
		}
		fmt.Fprintf(w, "detect: %s: %v%s\n", done, k, advice)
	}
	for _, err := range closed {
		fmt.Fprintf(w, "detect: %v\n", err)
	}
	if s.inside > 0 {
		fmt.Fprintf(w, "detect: %s inside not looked into; -recursive does\n", console.Count(s.inside, "folder"))
	}
	return missing
}

// converted reports whether -heic is for pictures of a kind.
func converted(k picture.Kind) bool { return new(picture.Converter).Converts(k) }

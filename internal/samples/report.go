package samples

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"haarlem/internal/unread"
)

// A Kind is a kind of finding.
type Kind uint8

// Findings of the checks.
const (
	Unreadable     Kind = iota // a file that is no picture, is damaged or cannot be opened
	Tiny                       // a picture smaller than the window
	Blank                      // a picture without contrast
	Duplicate                  // the same picture as one before it
	Shared                     // a background with objects that it does not exclude
	SharedWhole                // a background that is an object and little else
	OutsideClipped             // a box that reaches over the edge of its picture
	OutsideIgnored             // a box of which less than half is inside
	OutsideDropped             // a box or landmarks outside the picture
	BlankObject                // a box without contrast
	SmallObject                // a box smaller than the window
	NoLabel                    // neither box nor landmarks
	SharedMoved                // a background that shows an object of a photograph, moved or changed
	Copy                       // a picture that shows the same as another, moved or changed
	CopyApart                  // the same, but the other is in another part of a division
	kinds
)

// kindTexts has for each kind what was found, what was done about it, what to do, and
// whether that must be done: the data are probably not what they are meant to be.
var kindTexts = [kinds]struct {
	found, done, do string
	mend            bool
}{
	Unreadable:     {"unreadable files", "left out", "convert or remove them", true},
	Tiny:           {"pictures smaller than the window", "left out", "use larger pictures", false},
	Blank:          {"blank pictures", "left out", "remove them", false},
	Duplicate:      {"duplicates", "left out", "remove them", false},
	Shared:         {"backgrounds that show objects", "the objects left out", "take them out of the backgrounds", false},
	SharedWhole:    {"backgrounds that are an object", "left out", "take them out of the backgrounds", false},
	OutsideClipped: {"boxes over the edge", "clipped", "nothing, if the edge cuts the object off", false},
	OutsideIgnored: {"boxes mostly outside", "ignored", "draw them anew; they may be of another size of the picture", true},
	OutsideDropped: {"labels outside the picture", "dropped", "draw them anew; they may be of another size of the picture", true},
	BlankObject:    {"blank boxes", "ignored", "check whether they show an object", false},
	SmallObject:    {"boxes smaller than the window", "kept; they are enlarged", "nothing, or train with a smaller window", false},
	NoLabel:        {"objects without box or landmarks", "dropped", "give them a box, or remove them", true},
	SharedMoved:    {"backgrounds that show an object, moved or changed", "left out", "take them out of the backgrounds", false},
	Copy:           {"moved or changed copies", "in one part", "nothing; keep them in one part", false},
	CopyApart:      {"moved or changed copies", "in two parts: what is measured is too good", "keep all copies of a picture in one part", true},
}

// String returns the name of the finding, in the plural.
func (k Kind) String() string {
	if k < kinds {
		return kindTexts[k].found
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A Finding is what a check found of one kind.
type Finding struct {
	Kind  Kind
	Count int
	Done  string   // what was done about each
	Do    string   // what to do
	Mend  bool     // that must be done
	Names []string // where: the first ten
}

// A Report lists what a check found and did.
type Report struct {
	What        string // what was checked: "photographs", "backgrounds", "windows"
	Given, Kept int

	// Objects to learn from in photographs, before and after.
	GivenObjects, KeptObjects int

	Findings []Finding // one for each kind that was found, in the order of Kind

	// Unread describes the files that Findings calls unreadable.
	Unread unread.Files
}

// add counts one finding.
func (r *Report) add(k Kind, place string) {
	i, there := slices.BinarySearchFunc(r.Findings, k, func(f Finding, k Kind) int { return cmp.Compare(f.Kind, k) })
	if !there {
		r.Findings = slices.Insert(r.Findings, i, Finding{Kind: k, Done: kindTexts[k].done, Do: kindTexts[k].do, Mend: kindTexts[k].mend})
	}
	f := &r.Findings[i]
	f.Count++
	if len(f.Names) < namesShown {
		f.Names = append(f.Names, shown(place))
	}
}

// String is a short table: what was found how often, what was done about it, the first
// three names, and what to do.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s, %d kept", r.Given, r.What, r.Kept)
	if r.GivenObjects > 0 {
		fmt.Fprintf(&b, "; %d objects to learn, %d kept", r.GivenObjects, r.KeptObjects)
	}
	b.WriteByte('\n')
	found, done := 0, 0
	for _, f := range r.Findings {
		found, done = max(found, len(f.Kind.String())), max(done, len(f.Done))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "  %7d %-*s  %-*s  ", f.Count, found, f.Kind, done, f.Done)
		names := f.Names[:min(len(f.Names), 3)]
		b.WriteString(strings.Join(names, ", "))
		if more := f.Count - len(names); more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		fmt.Fprintf(&b, "\n          %s\n", f.Do)
	}
	return b.String()
}

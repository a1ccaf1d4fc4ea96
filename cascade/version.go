package cascade

// Versions of the native format, and what each added; see models/FORMAT.md.
const (
	version1 = 1
	version2 = 2 // a verifier, nearby, around, between, pad
	version3 = 3 // object, head-start, halve, again
	version4 = 4 // a verifier's context, boxes and next verifier
	version5 = 5 // a verifier's mirror
)

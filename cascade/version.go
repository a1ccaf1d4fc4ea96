package cascade

// The versions of the native format, and what each has that those before have
// not; see models/FORMAT.md.
const (
	version1 = 1
	version2 = 2 // a verifier, nearby, around, between, pad
	version3 = 3 // object, head-start, halve, again
	version4 = 4 // a verifier's context and boxes, and one behind another
)

// Package copies finds pictures that show the same thing: moved, mirrored, cropped,
// stretched a little, brighter, or compressed again.
//
// A picture is kept as a [Sketch]. [Find] compares sketches in two steps. Patches
// around blobs have codes, and equal bits of codes lead to pictures that may be copies,
// with the place at which one lies in the other (Lowe, Distinctive Image Features, IJCV
// 60(2), 2004, is the model of this, with simpler patches). Then one picture is aligned
// with the other (Lucas and Kanade, IJCAI 1981), and their correlation decides.
package copies

// Package verify trains verifiers, which examine a cascade's detections more
// closely; see [cascade.Verifier].
//
//	res, err := verify.Train(ctx, c, photos, nil)
//
// The cascade searches labelled photographs. Its true positives are one class, its
// false positives the other; detections near an object are neither. A good cascade
// has too few false positives, especially on its own training data, so its second
// half is removed, repeatedly, until it has enough in the negative images. Then
// trees over the columns of package channels are boosted.
//
// With [Settings].BoxTrees more trees are fitted to the objects' edges by least
// squares, and correct the boxes of detections. With Second another verifier is
// trained after those of the cascade. It sees corrected boxes, which are easier,
// and learns from what the others pass, which is harder: hard-negative mining, one
// round per verifier.
//
// The verifier changes the scale of scores: calibrate the cascade again.
package verify

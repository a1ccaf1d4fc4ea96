// Package boost learns to tell two classes apart: boosting in all its
// classical forms, over tables of numbers.
//
// A [Booster] is an algorithm, a [Learner] is a set of weak learners, and any
// of the one goes with any of the other:
//
//	res, err := boost.Fit(ctx, data, &boost.Gentle{}, &boost.Stumps{}, nil)
//	class := res.Model.Class(row)
//
// Shrinkage, weight trimming, column sampling, early stopping, class priors
// and costs are [Settings] of the loop and work with every booster. [Start]
// gives a [Run] that goes round by round, for a caller with a goal of its own.
package boost

package boost

// Groups returns Schneiderman's classifier as a booster and a learner:
// [Real] over joint histograms of groups of quantised columns.
//
// Schneiderman, Learning a restricted Bayesian network for object detection,
// CVPR 2004; Schneiderman and Kanade, Object detection using the statistics of
// parts, IJCV 56 (2004).
func Groups(group, bins int) (*Real, *Joints) {
	return &Real{}, &Joints{Group: group, Bins: bins}
}

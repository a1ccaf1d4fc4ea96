// Package boost learns from tables: boosting in all its classical forms to separate
// two classes, and gradient boosting of trees on any convex loss, for two classes,
// several classes and regression.
//
// A [Booster] is an algorithm, a [Learner] is a set of weak learners (weak
// classifiers), and they can be combined freely, except where the table below says
// otherwise:
//
//	res, err := boost.Fit(ctx, data, &boost.Gentle{}, &boost.Stumps{}, nil)
//	class := res.Model.Class(row)
//
// [Recommended] returns a booster, a learner and settings by the size of a table.
// [CrossValidate] evaluates a choice by a [Metric], [Platt] and [Isotonic] calibrate
// probabilities, and a [Predictor] scores many rows fast. Package explain describes
// the effect of columns in a model, and package interop reads and writes the models
// of other libraries.
//
// Shrinkage, weight trimming, column sampling, early stopping, class priors and
// costs are [Settings] of the loop and work with every booster. [Start] gives a
// [Run] that proceeds round by round, for a caller with a goal of its own; a
// [Checkpoint] resumes a run, exact to the last bit.
//
// # Boosters
//
//	booster       loss or goal                   weak learners output     good for
//	Discrete      exponential                    -1 or +1                 the reference; clean data
//	Real          exponential                    half log ratio a block   histograms, small trees
//	RealNumeric   exponential                    any number               outputs that are not ratios
//	AdaBoostR     exponential, by a bound        any number, infinities   as RealNumeric, without a search
//	Gentle        exponential, Newton            mean label               noisy data, cascades
//	LogitBoost    logistic, Newton               least squares            probabilities
//	Float         as Discrete or Real            as there                 fewer weak learners in a model
//	KL            exponential                    half log density ratio   unequal priors
//	Star          largest margin, within Nu      numbers in [-1, +1]      separable data, theory
//	Marginal      largest margin, by halving     numbers in [-1, +1]      separable data, theory
//	WeightBoost   exponential, damped            -1 or +1                 label noise
//	Epsilon       exponential, L1 path           -1 or +1                 slow, regular models
//	Decay         exponential, soft margin       -1 or +1                 label noise
//	BrownBoost    error, in given time           numbers in [-1, +1]      label noise of known rate
//	ULS           any MarginLoss                 any number               choice of loss; few terms
//	Newton        any Loss, Newton               trees, L2                tables; accuracy, probabilities
//	Cyclic        any Loss, Newton               trees of one column      additive models that can be drawn
//	LambdaMART    pairs by NDCG, Newton          trees, L2                rankings of the rows of groups
//	Cox           partial likelihood, Newton     trees, L2                times until an event
//	AFT           likelihood, Newton             trees, L2                times known to lie in intervals
//	Bagging       none                           -1 or +1                 base line; deep trees
//	Filtering     none                           -1 or +1                 base line, history
//
// A [Loss] is logistic, squared, Matsushita, exponential, hinge, least squares,
// Huber, quantile, Poisson, gamma, Tweedie, that of a [Phi], which is any
// permissible function, or yours; [LearnPhi] chooses one by the data. Of several
// classes [FitMulti] learns one, by [OneVsRest] of any of these, [Softmax], [LogitBoostK],
// [AdaBoostMH] or [SAMME].
//
// Papers: Freund and Schapire 1997 (Discrete); Schapire and Singer 1999 (Real,
// RealNumeric); Nock and Nielsen 2007 (AdaBoostR) and 2008 (ULS); Friedman,
// Hastie and Tibshirani 2000 (Gentle, LogitBoost); Li and Zhang 2004 (Float);
// Liu and Shum 2003 (KL); Schneiderman 2004 (Real with Joints); Rätsch and Warmuth 2005
// (Star) and 2002 (Marginal); Jin and others 2003 (WeightBoost); Friedman 2001
// (Epsilon); Rätsch, Onoda and Müller 2001 (Decay); Freund 2001 (BrownBoost);
// Breiman 1996 (Bagging); Cox 1972 (Cox); Barnwal, Cho and Hocking 2022 (AFT); Schapire 1990 (Filtering); Chen and Guestrin 2016 (Newton); Lou, Caruana and Gehrke 2012
// (Cyclic). Each type's comment says where it departs from its paper.
//
// # Weak learners
//
//	Stumps         one threshold on a quantised column
//	SortedStumps   one threshold on an unquantised column
//	Histograms     an output for each bin of a column
//	Categories     two blocks of the categories of a column that has no order
//	Joints         an output for each combination of bins of a few columns
//	Trees          trees by leaves or depth: CART, C4.5, Kearns and Mansour
//	LinearTrees    trees with a value an edge, grown by boosting, for any MarginLoss
//	Monomials      conjunctions of a few thresholds
//	Boosted        votes that are boosted themselves
//	ObliqueTrees   trees whose nodes are votes: slanted cuts, found by ULS
//	Coordinates    the columns themselves; not for Discrete and its like
//	Functions      functions that you give
//
// Trees and Stumps split a column with levels, see [Schema], by a set of them;
// missing values go to the better side. Newton and Cyclic fit these two.
//
// All but the last three work on columns of at most 256 bins, through one search that
// adds up two sums per bin, and SortedStumps then search inside the promising bins.
// [Columns] allows columns of your own, computed on demand, with all but
// those and SortedStumps.
//
// # The same bytes
//
// A fit is a pure function of data, settings and seed. The search adds integers, so
// its result does not depend on the number of goroutines, nor on the order of rows,
// except in the last bits of outputs and weights. Exponentials, logarithms and the
// error function are our own, so that architectures agree.
package boost

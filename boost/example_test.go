package boost_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"haarlem/boost"
)

// disc is a table of points in a square; those near its middle are of class
// +1. No single threshold tells them apart.
func disc(rows int) *boost.Data {
	r := rand.New(rand.NewPCG(1, 2))
	d := &boost.Data{Schema: boost.Schema{Names: []string{"x", "y"}}, Columns: [][]float64{make([]float64, rows), make([]float64, rows)}, Labels: make([]int8, rows)}
	for i := range rows {
		x, y := 2*r.Float64()-1, 2*r.Float64()-1
		d.Columns[0][i], d.Columns[1][i] = x, y
		d.Labels[i] = -1
		if x*x+y*y < 0.6 {
			d.Labels[i] = 1
		}
	}
	return d
}

// show fits and prints the error, in per cent, on rows that were not seen.
func show(b boost.Booster, l boost.Learner, s *boost.Settings) *boost.Model {
	all := disc(3000)
	train, test := make([]int, 1000), make([]int, 2000)
	for i := range train {
		train[i] = i
	}
	for i := range test {
		test[i] = 1000 + i
	}
	res, err := boost.Fit(context.Background(), all.Subset(train), b, l, s)
	if err != nil {
		fmt.Println(err)
		return nil
	}
	wrong, err := res.Model.Error(all.Subset(test))
	if err != nil {
		fmt.Println(err)
		return nil
	}
	fmt.Printf("%s: %d terms, error below %.0f %%\n", b.Name(), len(res.Model.Terms), math.Ceil(100*wrong))
	return res.Model
}

func Example() {
	data := &boost.Data{
		Schema:  boost.Schema{Names: []string{"length", "width"}},
		Columns: [][]float64{{1, 2, 3, 4, 5, 6}, {2, 1, 2, 7, 1, 8}},
		Labels:  []int8{-1, -1, -1, 1, -1, 1},
	}
	res, err := boost.Fit(context.Background(), data, &boost.Discrete{}, &boost.Stumps{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Status)
	fmt.Println(res.Model.Class([]float64{3, 6}), res.Model.Class([]float64{6, 1}))
	// Output:
	// separated
	// 1 -1
}

func ExampleModel_Save() {
	data := &boost.Data{Columns: [][]float64{{1, 2, 3, 4}}, Labels: []int8{1, 1, -1, -1}}
	res, err := boost.Fit(context.Background(), data, &boost.Gentle{}, &boost.Stumps{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	res.Model.Save(os.Stdout)
	// Output:
	// haarlem-boost 1
	// booster gentle
	// link doublelogistic
	// bias 0
	// damping 0
	// linkscale 0
	// calibration none
	// threshold 0
	// columns 1
	// names 0
	// levels 0
	// classes 0
	// terms 1
	// term 1
	// tree 1
	// node 0 2.5 right 0 -1
	// leaf 1
	// leaf -1
	// end
}

// A run that is interrupted goes on from its checkpoint as if nothing had been.
func ExampleResume() {
	problem := &boost.Problem{Data: disc(300)}
	booster, learner, ctx := &boost.Gentle{}, &boost.Stumps{}, context.Background()
	run, _ := boost.Start(problem, booster, learner, nil)
	for range 10 {
		run.Next(ctx)
	}
	var file bytes.Buffer
	run.Checkpoint().Save(&file)

	checkpoint, err := boost.LoadCheckpoint(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	run, _ = boost.Resume(problem, booster, learner, nil, checkpoint)
	for run.Status() == boost.Going {
		run.Next(ctx)
	}
	fmt.Println(run.Status(), run.Result().Rounds)
	// Output: rounds done 100
}

// A recorder hears of the edge, the coefficient and the bound of every round.
func ExampleRound() {
	data := &boost.Data{Columns: [][]float64{{1, 2, 3, 4, 5, 6}}, Labels: []int8{1, 1, -1, -1, 1, 1}}
	boost.Fit(context.Background(), data, &boost.Discrete{}, &boost.Stumps{}, &boost.Settings{
		Rounds: 3,
		Recorder: func(r *boost.Round) error {
			fmt.Printf("%d: edge %.3f, coefficient %.3f, error %.3f <= %.3f\n", r.Number, r.Edge, r.Coef, r.TrainError, r.Bound)
			return nil
		},
	})
	// Output:
	// 1: edge 0.333, coefficient 0.347, error 0.333 <= 0.943
	// 2: edge 0.500, coefficient 0.549, error 0.333 <= 0.816
	// 3: edge 0.667, coefficient 0.805, error 0.000 <= 0.609
}

// The boosters, each with weak learners that suit it.
func ExampleFit() {
	stumps, trees, histograms, monomials := &boost.Stumps{}, &boost.Trees{}, &boost.Histograms{}, &boost.Monomials{}
	few := &boost.Settings{Rounds: 30}
	show(&boost.Discrete{}, stumps, nil)
	show(&boost.Real{}, histograms, few)
	show(&boost.Real{}, &boost.Joints{Group: 2, Bins: 6}, &boost.Settings{Rounds: 10})
	show(&boost.RealNumeric{}, monomials, nil)
	show(&boost.AdaBoostR{}, monomials, nil)
	m := show(&boost.Gentle{}, &boost.Trees{Leaves: 4}, &boost.Settings{Rounds: 50})
	fmt.Printf("in the middle, class +1 has probability %.1f\n", m.Probability([]float64{0, 0}))
	show(&boost.LogitBoost{}, &boost.Trees{Leaves: 4}, &boost.Settings{Rounds: 50, Shrinkage: 0.5})
	show(&boost.Float{}, stumps, nil)
	show(&boost.KL{}, histograms, few)
	show(&boost.Star{}, trees, nil)
	show(&boost.Marginal{}, trees, &boost.Settings{Rounds: 300})
	show(&boost.WeightBoost{}, trees, nil)
	show(&boost.Epsilon{Step: 0.05}, trees, nil)
	show(&boost.Decay{}, trees, nil)
	show(&boost.BrownBoost{Error: 0.02}, trees, nil)
	show(&boost.ULS{Loss: boost.MatsushitaLoss}, trees, nil)
	show(&boost.ULS{Corrective: true}, stumps, few)
	show(&boost.Bagging{Criterion: boost.Gini}, &boost.Trees{Leaves: 40}, few)
	show(&boost.Filtering{Depth: 3}, trees, nil)
	// Output:
	// discrete: 100 terms, error below 3 %
	// real: 30 terms, error below 5 %
	// real: 10 terms, error below 10 %
	// realnumeric: 100 terms, error below 3 %
	// adaboostr: 100 terms, error below 4 %
	// gentle: 50 terms, error below 3 %
	// in the middle, class +1 has probability 1.0
	// logit: 50 terms, error below 3 %
	// float: 46 terms, error below 5 %
	// kl: 30 terms, error below 5 %
	// star: 100 terms, error below 3 %
	// marginal: 62 terms, error below 3 %
	// weightboost: 100 terms, error below 4 %
	// epsilon: 100 terms, error below 3 %
	// decay: 100 terms, error below 4 %
	// brown: 12 terms, error below 3 %
	// uls: 100 terms, error below 3 %
	// uls: 30 terms, error below 3 %
	// bagging: 30 terms, error below 4 %
	// filtering: 1 terms, error below 4 %
}

func ExampleCategories() {
	// Colours by number: 0 red, 1 green, 2 blue, 3 white. Red and blue sell.
	data := &boost.Data{
		Schema:  boost.Schema{Names: []string{"colour"}},
		Columns: [][]float64{{0, 1, 2, 3, 0, 1, 2, 3, 2}},
		Labels:  []int8{1, -1, 1, -1, 1, -1, 1, -1, 1},
	}
	res, err := boost.Fit(context.Background(), data, &boost.Discrete{}, boost.Categories{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	t := res.Model.Terms[0].Weak.(*boost.Tree)
	fmt.Printf("left: %04b, outputs %v and %v\n", t.Nodes[0].In[0]&15, t.Leaves[0], t.Leaves[1])
	fmt.Println("blue:", res.Model.Class([]float64{2}))
	// Output:
	// left: 0101, outputs 1 and -1
	// blue: 1
}

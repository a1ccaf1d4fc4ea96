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
	// columns 1
	// names 0
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

func ExampleDiscrete() {
	show(&boost.Discrete{}, &boost.Stumps{}, nil)
	// Output:
	// discrete: 100 terms, error below 3 %
}

func ExampleReal() {
	show(&boost.Real{}, &boost.Histograms{}, &boost.Settings{Rounds: 30})
	// Output:
	// real: 30 terms, error below 5 %
}

func ExampleRealNumeric() {
	show(&boost.RealNumeric{}, &boost.Monomials{}, nil)
	// Output:
	// realnumeric: 100 terms, error below 3 %
}

func ExampleAdaBoostR() {
	show(&boost.AdaBoostR{}, &boost.Monomials{}, nil)
	// Output:
	// adaboostr: 100 terms, error below 4 %
}

func ExampleGentle() {
	m := show(&boost.Gentle{}, &boost.Trees{Leaves: 4}, &boost.Settings{Rounds: 50})
	fmt.Printf("in the middle, class +1 has probability %.1f\n", m.Probability([]float64{0, 0}))
	// Output:
	// gentle: 50 terms, error below 3 %
	// in the middle, class +1 has probability 1.0
}

func ExampleLogitBoost() {
	show(&boost.LogitBoost{}, &boost.Trees{Leaves: 4}, &boost.Settings{Rounds: 50, Shrinkage: 0.5})
	// Output:
	// logit: 50 terms, error below 3 %
}

func ExampleFloat() {
	show(&boost.Float{}, &boost.Stumps{}, nil)
	// Output:
	// float: 46 terms, error below 5 %
}

func ExampleKL() {
	show(&boost.KL{}, &boost.Histograms{}, &boost.Settings{Rounds: 30})
	// Output:
	// kl: 30 terms, error below 5 %
}

func ExampleJoints() {
	booster, learner := &boost.Real{}, &boost.Joints{Group: 2, Bins: 6}
	show(booster, learner, &boost.Settings{Rounds: 10})
	// Output:
	// real: 10 terms, error below 10 %
}

func ExampleStar() {
	show(&boost.Star{}, &boost.Trees{}, nil)
	// Output:
	// star: 100 terms, error below 3 %
}

func ExampleMarginal() {
	show(&boost.Marginal{}, &boost.Trees{}, &boost.Settings{Rounds: 300})
	// Output:
	// marginal: 62 terms, error below 3 %
}

func ExampleWeightBoost() {
	show(&boost.WeightBoost{}, &boost.Trees{}, nil)
	// Output:
	// weightboost: 100 terms, error below 4 %
}

func ExampleEpsilon() {
	show(&boost.Epsilon{Step: 0.05}, &boost.Trees{}, nil)
	// Output:
	// epsilon: 100 terms, error below 3 %
}

func ExampleDecay() {
	show(&boost.Decay{}, &boost.Trees{}, nil)
	// Output:
	// decay: 100 terms, error below 4 %
}

func ExampleBrownBoost() {
	show(&boost.BrownBoost{Error: 0.02}, &boost.Trees{}, nil)
	// Output:
	// brown: 12 terms, error below 3 %
}

func ExampleULS() {
	show(&boost.ULS{Loss: boost.MatsushitaLoss}, &boost.Trees{}, nil)
	show(&boost.ULS{Corrective: true}, &boost.Stumps{}, &boost.Settings{Rounds: 30})
	// Output:
	// uls: 100 terms, error below 3 %
	// uls: 30 terms, error below 3 %
}

func ExampleBagging() {
	show(&boost.Bagging{Criterion: boost.Gini}, &boost.Trees{Leaves: 40}, &boost.Settings{Rounds: 30})
	// Output:
	// bagging: 30 terms, error below 4 %
}

func ExampleFiltering() {
	show(&boost.Filtering{Depth: 3}, &boost.Trees{}, nil)
	// Output:
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
	s := res.Model.Terms[0].Weak.(*boost.Subset)
	fmt.Printf("left: %04b, outputs %v and %v\n", s.In[0]&15, s.Left, s.Right)
	fmt.Println("blue:", res.Model.Class([]float64{2}))
	// Output:
	// left: 0101, outputs 1 and -1
	// blue: 1
}

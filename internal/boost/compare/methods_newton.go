package compare

import (
	"fmt"

	"haarlem/boost"
)

// newtonKeys are the settings of Newton and its like.
var newtonKeys = []string{"loss", "l1", "l2", "minweight", "mingain", "drop", "delta", "share", "smooth", "power"}

// newton parses the settings of Newton.
func (a *arguments) newton() boost.Newton {
	return boost.Newton{Loss: a.loss(), L1: a.number("l1"), Drop: a.number("drop"), L2: a.number("l2"), MinWeight: a.number("minweight"), MinGain: a.number("mingain")}
}

// loss parses a loss and its own settings; nil is the default.
func (a *arguments) loss() boost.Loss {
	delta, share, smooth := a.number("delta"), a.number("share"), a.number("smooth")
	if share < 0 || share >= 1 {
		a.fail("share", fmt.Sprint(share), "a number between 0 and 1")
	}
	if delta < 0 || smooth < 0 {
		a.fail("delta and smooth", fmt.Sprint(delta, " and ", smooth), "0 or more")
	}
	power := a.number("power")
	if power != 0 && !(power > 1 && power < 2) {
		a.fail("power", fmt.Sprint(power), "a number between 1 and 2")
	}
	losses := []boost.Loss{
		nil, boost.LogisticLoss, boost.SquaredLoss, boost.MatsushitaLoss, boost.ExponentialLoss, boost.HingeLoss(smooth),
		boost.LeastSquaresLoss, boost.HuberLoss(delta), boost.QuantileLoss(share), boost.PoissonLoss, boost.GammaLoss, boost.TweedieLoss(power),
	}
	names := []string{"default"}
	for _, l := range losses[1:] {
		names = append(names, l.Name())
	}
	return losses[a.choice("loss", names...)]
}

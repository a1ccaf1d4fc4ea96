package boost

import "fmt"

// Status is the state of a run, or the reason why it ended.
type Status uint8

const (
	// Going means that the run has not ended.
	Going Status = iota
	// RoundsDone means that Settings.Rounds rounds are done.
	RoundsDone
	// Separated means that a weak learner without error was found: there is
	// nothing left to learn. With Shrinkage, RowShare or ColumnShare below 1 a
	// run continues all the same, except that of a margin booster, which has
	// the largest margin.
	Separated
	// NoEdge means that no weak learner is better than chance under the
	// booster's weights. With no terms in the model the problem is unlearnable.
	NoEdge
	// Patience is early stopping: the metric on the validation data stopped
	// improving.
	Patience
	// GoalMet means that the booster's own goal is met: BrownBoost's time is
	// used up, a loss has converged.
	GoalMet
	// Stopped means that the context ended or an error occurred.
	Stopped
)

var statusNames = [...]string{"going", "rounds done", "separated", "no edge", "patience", "goal met", "stopped"}

// String returns s in words.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

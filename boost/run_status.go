package boost

import "fmt"

// Status says how a run stands.
type Status uint8

const (
	// Going means that the run has not ended.
	Going Status = iota
	// RoundsDone means that the last of Settings.Rounds was made.
	RoundsDone
	// Separated means that a weak learner without error was found: there is
	// nothing left to learn. With Shrinkage, RowShare or ColumnShare below 1 a run goes on
	// all the same, but that of a booster for margins, which has the largest.
	Separated
	// NoEdge means that no weak learner is better than chance under the
	// booster's weights. With no terms in the model the problem is hopeless.
	NoEdge
	// Patience means that the error on the validation data stopped falling.
	Patience
	// GoalMet means that the booster's own goal is met: BrownBoost's time has
	// run out, a loss has converged.
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

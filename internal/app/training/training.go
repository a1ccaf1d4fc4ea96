package training

import (
	"image"
	"time"

	"haarlem/internal/train"
)

// A training is one run of the command.
type training struct {
	v        *trainFlags
	settings *train.Settings
	data     *trainData
	folder   *folder
	log      *trainLog
	begun    bool         // the folder is this training's
	last     *train.State // the last checkpoint
	began    int64        // memory of the first run, in bytes, if it differs
	hardest  []*image.Gray

	// Of the last step.
	heldOut     []train.Negative
	heldOutRate float64

	drawn time.Time // when the report was
}

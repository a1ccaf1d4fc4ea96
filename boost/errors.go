package boost

import "errors"

// ErrData is what errors about impossible data wrap.
var ErrData = errors.New("boost: bad data")

// ErrSchema is what errors about data wrap whose columns or levels are not those
// that a model was fitted on.
var ErrSchema = errors.New("boost: not the model's columns")

// ErrSettings is what errors about impossible settings wrap.
var ErrSettings = errors.New("boost: bad settings")

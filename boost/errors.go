package boost

import "errors"

// ErrData is wrapped by errors about invalid data.
var ErrData = errors.New("boost: bad data")

// ErrSchema is wrapped by errors about data whose columns or levels are not
// those that a model was fitted on.
var ErrSchema = errors.New("boost: not the model's columns")

// ErrSettings is wrapped by errors about invalid settings.
var ErrSettings = errors.New("boost: bad settings")

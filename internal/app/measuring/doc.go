// Package measuring is the commands eval, which measures detectors, and page, which
// writes the measurements into the page of a model.
package measuring

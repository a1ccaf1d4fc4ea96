//go:build !unix && !windows

package cputime

import "time"

var began = time.Now()

// Used is a clock where there is no processor time to be had.
func Used() time.Duration { return time.Since(began) }

//go:build !unix

package main

import "time"

var began = time.Now()

// cpuTime is a clock where there is no processor time to be had.
func cpuTime() time.Duration { return time.Since(began) }

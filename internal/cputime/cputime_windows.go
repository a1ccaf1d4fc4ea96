package cputime

import (
	"syscall"
	"time"
)

// Used returns the processor time that this process has used.
func Used() time.Duration {
	p, err := syscall.GetCurrentProcess()
	var made, ended, kernel, user syscall.Filetime
	if err != nil || syscall.GetProcessTimes(p, &made, &ended, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) } // of 100 ns
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}

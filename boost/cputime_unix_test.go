//go:build unix

package boost

import "syscall"

// cpuSeconds is the processor time that this process has used: on a machine
// with other work it says more than the clock does.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

//go:build unix

package frames

import (
	"os/exec"
	"syscall"
)

// inOwnGroup keeps signals of the terminal from a process.
func inOwnGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

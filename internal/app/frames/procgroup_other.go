//go:build !unix

package frames

import (
	"os/exec"
)

func inOwnGroup(*exec.Cmd) {}

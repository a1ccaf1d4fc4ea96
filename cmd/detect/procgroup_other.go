//go:build !unix

package main

import "os/exec"

func inOwnGroup(*exec.Cmd) {}

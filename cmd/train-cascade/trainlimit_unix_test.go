//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// fileLimit is the variable that simulates a full disk by limiting the size of
// files.
const (
	fileLimit     = "HAARLEM_TEST_FILE_LIMIT"
	canLimitFiles = true
)

func limitFiles() {
	text := os.Getenv(fileLimit)
	if text == "" {
		return
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // so that writes only fail
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
	set(&limit.Cur, n)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
}

// set sets a limit, whose type differs between systems.
func set[T int64 | uint64](p *T, n int) { *p = T(n) }

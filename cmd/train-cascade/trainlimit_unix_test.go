//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"haarlem/internal/must"
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
	n := must.Get(strconv.Atoi(text))
	signal.Ignore(syscall.SIGXFSZ) // so that writes only fail
	var limit unix.Rlimit
	must.Do(unix.Getrlimit(unix.RLIMIT_FSIZE, &limit))
	set(&limit.Cur, n)
	must.Do(unix.Setrlimit(unix.RLIMIT_FSIZE, &limit))
}

// set sets a limit, whose type differs between systems.
func set[T int64 | uint64](p *T, n int) { *p = T(n) }

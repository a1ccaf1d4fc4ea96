//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

const (
	fileLimit     = "HAARLEM_TEST_FILE_LIMIT"
	canLimitFiles = false
)

func limitFiles() {}

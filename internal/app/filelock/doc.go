// Package filelock locks a file against other processes.
package filelock

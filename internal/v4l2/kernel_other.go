//go:build !(linux && (amd64 || arm64 || riscv64 || loong64))

package v4l2

import (
	"fmt"
	"image"
)

// Supported tells whether cameras can be opened on this machine.
const Supported = false

// Open opens a camera where that is possible: on 64-bit Linux.
func Open(path string, _ image.Point) (*Camera, error) {
	return nil, fmt.Errorf("%s: %w: cameras are read on 64-bit Linux only", path, ErrDevice)
}

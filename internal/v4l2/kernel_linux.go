//go:build linux && (amd64 || arm64 || riscv64 || loong64)

package v4l2

import (
	"errors"
	"fmt"
	"image"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Supported tells whether cameras can be opened on this machine.
const Supported = true

// Open opens a camera, such as /dev/video0. size is a wish; zero leaves it to the
// camera.
func Open(path string, size image.Point) (*Camera, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c, err := open(kernel{fd}, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// A kernel is a device of Linux.
type kernel struct{ fd int }

func (k kernel) ioctl(request uint32, arg []byte) error {
	for {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(k.fd), uintptr(request), uintptr(unsafe.Pointer(&arg[0])))
		runtime.KeepAlive(arg)
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
			continue
		}
		return errno
	}
}

func (k kernel) mmap(offset int64, length int) ([]byte, error) {
	return unix.Mmap(k.fd, offset, length, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func (k kernel) munmap(b []byte) error { return unix.Munmap(b) }

func (k kernel) wait(patience time.Duration) (bool, error) {
	end := time.Now().Add(patience)
	for {
		fds := []unix.PollFd{{Fd: int32(k.fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, max(0, int(time.Until(end).Milliseconds())))
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return false, err
		case n > 0 && fds[0].Revents&unix.POLLIN == 0: // unplugged
			return false, unix.ENODEV
		}
		return n > 0, nil
	}
}

func (k kernel) close() error { return unix.Close(k.fd) }

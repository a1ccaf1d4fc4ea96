//go:build !linux

package kerneltest

// pages reports whether walls end at an unreadable page here.
const pages = false

func allocate(size int) (mem []byte, free func(), err error) {
	// Multiples of eight, so that the end is aligned for every element.
	size = (size + 7) / 8 * 8
	return make([]byte, size), func() {}, nil
}

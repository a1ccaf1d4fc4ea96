package kerneltest

import (
	"os"
	"syscall"
)

// pages reports whether walls end at an unreadable page here.
const pages = true

func allocate(size int) (mem []byte, free func(), err error) {
	page := os.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	free = func() { _ = syscall.Munmap(all) }
	if err := syscall.Mprotect(all[size:], syscall.PROT_NONE); err != nil {
		free()
		return nil, nil, err
	}
	return all[:size:size], free, nil
}

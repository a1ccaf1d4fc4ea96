// Libhaarlem is the detector as a library for C, and for languages that can call C:
//
//	go build -buildmode=c-shared -o libhaarlem.so ./capi
//	go build -buildmode=c-archive -o libhaarlem.a ./capi
//
// haarlem.h beside this file says what is in it. The header that go build writes is
// not needed. The Makefile here builds and installs both libraries.
//
// Without cgo it is a program, which answers the same calls through pipes.
package main

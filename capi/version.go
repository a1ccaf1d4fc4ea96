package main

// version is the release, set by the linker: -ldflags '-X main.version=1.2.3'.
var version = "0.0.0"

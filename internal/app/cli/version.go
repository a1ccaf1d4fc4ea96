package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is the version of a released program; the linker sets it.
var release string

// Release returns the version that this program was built as, or "(devel)".
func Release() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// versionLine is what -version prints.
func versionLine(program string) string {
	return fmt.Sprintf("%s %s, %s %s/%s\n", program, Release(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

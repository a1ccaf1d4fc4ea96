package frames

import (
	"os/exec"
	"strings"

	"haarlem/internal/app/cli"
)

// FindFFmpeg is the path of ffmpeg, or empty if it is not installed.
func FindFFmpeg() string {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return ""
	}
	return path
}

// errNeedsFFmpeg says what can be done about a container that is not read or written
// here.
func errNeedsFFmpeg(name, verb string) error {
	return cli.Usagef("%s: cannot be %s without ffmpeg, which is not on the PATH (Debian: apt install ffmpeg). Without it there are Y4M, Motion JPEG, AVI with Motion JPEG (to read), and numbered pictures", Shown(name), verb)
}

// isURL tells whether a name is an address rather than that of a file.
func isURL(name string) bool { return strings.Contains(name, "://") }

// inputArgs name an input for ffmpeg. A file can make it open other files, but no
// addresses.
func inputArgs(name string) []string {
	switch {
	case name == "-":
		return []string{"-i", "pipe:0"}
	case isURL(name):
		return []string{"-i", name}
	}
	return []string{"-protocol_whitelist", "file,pipe,crypto,data", "-i", "file:" + name}
}

package opencv

import (
	"slices"
	"strings"
	"testing"
)

func TestOpenCVArgs(t *testing.T) {
	for line, want := range map[string]string{
		"":                              "",
		"inspect -h 24":                 "inspect -h 24",
		"samples -w 24 -h 32 -vec a":    "samples -w 24 -height=32 -vec a",
		"samples --h 32":                "samples -height=32",
		"samples -h=32":                 "samples -height=32",
		"train -data x -h 20":           "train -data x -height=20",
		"samples -h":                    "samples -h",
		"samples -h -w 24":              "samples -h -w 24",
		"samples --help":                "samples --help",
		"samples help":                  "samples help",
		"samples -show -vec a":          "samples -show=4 -vec a",
		"samples -vec a -show":          "samples -vec a -show=4",
		"samples -show 4.0 -vec a":      "samples -show=4.0 -vec a",
		"samples -show=2":               "samples -show=2",
		"samples -pngoutput -num 3":     "samples -pngoutput= -num 3",
		"samples -pngoutput pos -num 3": "samples -pngoutput=pos -num 3",
		"samples -pngoutput":            "samples -pngoutput=",
		"samples -vec a -- -h 24 -show": "samples -vec a -- -h 24 -show",
	} {
		args := strings.Fields(line)
		before := slices.Clone(args)
		if got := strings.Join(Rewrite(args), " "); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
		if !slices.Equal(args, before) {
			t.Errorf("%q: the caller's arguments changed", line)
		}
	}
}

// A command line of opencv_traincascade works unchanged.
func TestCommandLeftOut(t *testing.T) {
	for line, want := range map[string]string{
		"-data x -vec a -bg b -w 20 -h 24": "train -data x -vec a -bg b -w 20 -h 24",
		"-h 24 -w 20":                      "train -h 24 -w 20",
		"-h=24":                            "train -h=24",
		"-nonsense":                        "train -nonsense",
		"-h":                               "-h",
		"--help":                           "--help",
		"-version":                         "-version",
		"samples -h 24":                    "samples -h 24",
		"":                                 "",
	} {
		if got := strings.Join(WithCommand(strings.Fields(line)), " "); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
	}
}

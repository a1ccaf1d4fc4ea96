package opencv

import (
	"slices"
	"strconv"
	"strings"
)

// openCVFlags are the commands that also accept the command lines of OpenCV's
// programs for the same purpose.
var openCVFlags = []string{"samples", "train"}

// WithCommand inserts train before flags without a command: opencv_traincascade
// has no commands. Help and -version are unchanged.
func WithCommand(args []string) []string {
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return args
	}
	name, _, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(args[0], "-"), "-"), "=")
	height := name == "h" && (given || len(args) > 1 && isNumber(args[1]))
	if !height && slices.Contains([]string{"h", "help", "version"}, name) {
		return args
	}
	return append([]string{"train"}, args...)
}

// Rewrite rewrites what OpenCV's programs and ours parse differently, for the
// commands that accept both:
//
//   - -h followed by a number is the window's height. -h alone, --help and help
//     are help as everywhere.
//   - -show may stand alone, or be followed by a number.
//   - -pngoutput may stand alone, or be followed by a word, which OpenCV ignores.
func Rewrite(args []string) []string {
	if len(args) == 0 || !slices.Contains(openCVFlags, args[0]) {
		return args
	}
	out := args[:1:1]
	for i := 1; i < len(args); i++ {
		a := args[i]
		if a == "--" { // no flags follow
			return append(out, args[i:]...)
		}
		next := i+1 < len(args) && isNumber(args[i+1])
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-"), "=")
		switch {
		case !strings.HasPrefix(a, "-"):
			out = append(out, a)
		case name == "h" && given:
			out = append(out, "-height="+value)
		case name == "h" && next:
			i++
			out = append(out, "-height="+args[i])
		case name == "show" && !given && next:
			i++
			out = append(out, "-show="+args[i])
		case name == "show" && !given:
			out = append(out, "-show=4") // as in OpenCV
		case name == "pngoutput" && !given:
			if word := i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"); word {
				i++
				out = append(out, "-pngoutput="+args[i])
			} else {
				out = append(out, "-pngoutput=")
			}
		default:
			out = append(out, a)
		}
	}
	return out
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

package clitest

import (
	"fmt"
	"testing"
)

func TestCommandLines(t *testing.T) {
	const text = "A sentence with `seek -loud`, `see -k` and `seek`.\n" +
		"```sh\n$ seek -model 'a b' \\\n    -min-size 5 x.jpg > out.txt # all\ngo run ./cmd/seek show x | seek -\nother seek -x\nDIR=/x/seek\n```\n" +
		"The rest: `go run ./cmd/seek convert`.\n"
	const want = `["-model" "a b" "-min-size" "5" "x.jpg"] true, ["show" "x"] true, ["-"] true, ["-loud"] false, ["convert"] false, `
	got := ""
	for _, line := range commandLines(text, "seek") {
		got += fmt.Sprintf("%q %v, ", line.args, line.whole)
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

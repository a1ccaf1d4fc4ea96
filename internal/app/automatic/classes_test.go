package automatic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
	"haarlem/internal/must"
)

// A folder gets a model of each class, by the command for one; a class that fails does
// not end the others, and its error is told.
func TestTrainEach(t *testing.T) {
	dir := t.TempDir()
	truth, out := filepath.Join(dir, "truth.csv"), filepath.Join(dir, "models")
	text := "file,x,y,width,height,class\n"
	for i, class := range []string{"white cell", "red cell", "red/cell", ".hidden", "red cell"} {
		text += fmt.Sprintf("%d.png,1,1,20,20,%s\n", i, class)
		must.Do(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.png", i)), nil, 0o666))
	}
	must.Do(os.WriteFile(truth, []byte(text), 0o666))
	var got []string
	tooFew := errors.New("too few")
	program := cli.Program{Name: "t", Commands: []*cli.Command{Auto(func(_ context.Context, args []string, _ *cli.Streams) error {
		got = append(got, strings.Join(args, " "))
		if strings.Contains(got[len(got)-1], "hidden") {
			return tooFew
		}
		return nil
	})}}
	streams := &cli.Streams{Out: io.Discard, Err: io.Discard}
	err := program.Do(context.Background(), []string{"auto", "-truth", truth, "-seed", "7", "-opencv=false", "-time", "40m", "-out", out}, streams)
	if !errors.Is(err, tooFew) || !strings.Contains(err.Error(), "class .hidden: too few") {
		t.Errorf("%v", err)
	}
	for i, want := range []string{
		"-where class=.hidden -object .hidden -out " + out + "/_hidden.cascade -time 10m0s",
		"-where class=red cell -object red cell -out " + out + "/red_cell.cascade -time 10m0s",
		"-where class=red/cell -object red/cell -out " + out + "/red_cell-2.cascade -time 10m0s",
		"-where class=white cell -object white cell -out " + out + "/white_cell.cascade -time 10m0s",
	} {
		want = "auto -truth " + truth + " -seed 7 -opencv=false " + want
		if i >= len(got) || filepath.ToSlash(got[i]) != filepath.ToSlash(want) {
			t.Errorf("%d: %q\nwant %q", i, got, want)
		}
	}
	for _, more := range [][]string{{"-object", "cell"}, {"-where", "class=red cell"}} {
		if err := program.Do(context.Background(), append([]string{"auto", "-truth", truth, "-out", out}, more...), streams); err == nil {
			t.Errorf("%q: no error", more)
		}
	}
}

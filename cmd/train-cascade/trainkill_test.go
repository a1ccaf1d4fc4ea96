package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/must"
)

// With this variable in its environment, the test program is train-cascade: it
// holds the arguments as JSON.
const asProgram = "HAARLEM_TEST_TRAIN_CASCADE"

func init() {
	text := os.Getenv(asProgram)
	if text == "" {
		return
	}
	os.Args = os.Args[:1]
	must.Do(json.Unmarshal([]byte(text), &os.Args))
	main() // which does not return
}

// start starts train-cascade as a process of its own.
func start(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	text := must.Get(json.Marshal(append([]string{"train-cascade"}, args...)))
	self := must.Get(os.Executable())
	var stderr bytes.Buffer
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asProgram+"="+string(text))
	cmd.Stderr = &stderr
	must.Do(cmd.Start())
	return cmd, &stderr
}

// killed starts train-cascade, which must succeed, and kills it as soon as a condition
// holds. It reports whether that came before its end.
func killed(t *testing.T, args []string, when func() bool) bool {
	t.Helper()
	cmd, stderr := start(t, args...)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for range 30000 {
		select {
		case err := <-done:
			if err != nil {
				t.Fatalf("%v, stderr:\n%s", err, stderr)
			}
			return false
		case <-time.After(2 * time.Millisecond):
		}
		if when() {
			_ = cmd.Process.Kill() // unless it has ended
			return <-done != nil
		}
	}
	t.Fatalf("nothing to wait for comes, stderr:\n%s", stderr)
	return false
}

// waitFor waits until the log of a training has so many lines with a word.
func waitFor(t *testing.T, path, word string, n int) {
	t.Helper()
	for range 30000 {
		b, _ := os.ReadFile(path)
		if bytes.Count(b, []byte(word)) >= n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s never had %d times %q", path, n, word)
}

// A training that is killed and resumed repeatedly ends in the same bytes as an
// uninterrupted one.
func TestTrainKilled(t *testing.T) {
	for name, flags := range map[string][]string{
		"staged": {"-numStages", "3", "-maxFalseAlarmRate", "0.1", "-bt", "RAB", "-validation", "0.2"},
		"soft":   {"-shape", "soft", "-weak", "histogram", "-bt", "RAB", "-rounds", "24", "-share", "0.5"},
	} {
		t.Run(name, func(t *testing.T) {
			crosses(t)
			args := append([]string{"train", "-truth", "truth.csv", "-template", "none", "-bg", "bg", "-w", "16", "-h", "16", "-features", "200", "-numNeg", "300",
				"-acceptanceRatioBreakValue", "-1", "-checkpoint", "1ns", "-data"}, flags...)
			at := len(args) - len(flags)
			in := func(dir string, more ...string) []string {
				return append(append(append([]string{}, args[:at]...), append([]string{dir}, flags...)...), more...)
			}
			trained(t, in("peace")...)
			kills := 0
			for _, after := range []int{1, 2, 3, 6} {
				before := lines("war/log.jsonl")
				if killed(t, in("war", "-resume"), func() bool { return lines("war/log.jsonl") >= before+3+after }) {
					kills++ // some way into the run
				}
			}
			if kills < 2 {
				t.Fatalf("it was killed %d times, want 2 at least", kills)
			}
			trained(t, in("war", "-resume")...)
			for _, file := range []string{"cascade.cascade", "positives.png"} {
				if contents(t, "peace/"+file) != contents(t, "war/"+file) {
					t.Errorf("%s differs after %d kills", file, kills)
				}
			}
		})
	}
}

func lines(path string) int {
	b, _ := os.ReadFile(path)
	return bytes.Count(b, []byte("\n"))
}

// Ctrl-C ends a training with status 130 after the round, with a checkpoint.
func TestTrainInterrupted(t *testing.T) {
	crosses(t)
	args := strings.Fields("train -truth truth.csv -template none -bg bg -w 16 -h 16 -shape soft -rounds 40 -numNeg 200 -features 300 -data")
	trained(t, append(args, "peace")...)

	cmd, stderr := start(t, append(args, "war")...)
	waitFor(t, "war/log.jsonl", `"msg":"grown"`, 5)
	must.Do(cmd.Process.Signal(os.Interrupt))
	err := cmd.Wait()
	var exit *exec.ExitError
	if want := "train-cascade: interrupted, and saved in war: the same command with -resume goes on\n"; !errors.As(err, &exit) || exit.ExitCode() != 130 || !strings.HasSuffix(stderr.String(), want) {
		t.Fatalf("%v, stderr:\n%s", err, stderr)
	}
	if _, err := os.Stat("war/result.json"); err == nil {
		t.Error("it looks finished")
	}
	ends(t, statusFailed, "-data: war holds an unfinished training: continue it with -resume, or train anew over it with -overwrite", append(args, "war")...)
	trained(t, append(args, "war", "-resume")...)
	if contents(t, "peace/cascade.cascade") != contents(t, "war/cascade.cascade") {
		t.Error("the cascade differs from that of a training that was not interrupted")
	}
}

// A training whose pictures two other processes search, one of which is killed,
// gives the bytes of one that is alone.
func TestTrainMine(t *testing.T) {
	crosses(t)
	args := func(out string, more ...string) []string {
		return append([]string{"train", "-truth", "truth.csv", "-template", "none", "-bg", "bg", "-use-rest", "-w", "16", "-h", "16", "-features", "100", "-numNeg", "100",
			"-acceptanceRatioBreakValue", "-1", "-shape", "soft", "-weak", "histogram", "-bt", "RAB", "-rounds", "8", "-turn-bg", "2", "-validation", "0.2", "-stop-early", "-data", out}, more...)
	}
	trained(t, args("alone")...)
	want := contents(t, "alone/cascade.cascade")
	trained(t, args("folder", "-mine", "mine", "-workers", "1")...)
	if contents(t, "folder/cascade.cascade") != want {
		t.Error("a folder without workers gives another cascade")
	}
	must.Do(os.Remove(filepath.Join("mine", "done")))
	first, _ := start(t, "mine-worker", "-workers", "1", "mine")
	second, log := start(t, "mine-worker", "-workers", "1", "mine")
	trainer, errs := start(t, args("war", "-mine", "mine", "-workers", "1")...)
	for range 3000 { // until the first worker has claimed something
		if claims, _ := filepath.Glob("mine/wave-*/claim-*"); len(claims) > 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	must.Do(first.Process.Kill())
	_ = first.Wait() // it was killed
	if err := trainer.Wait(); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if err := second.Wait(); err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	if n := strings.Count(log.String(), "msg=searched"); n == 0 {
		t.Error("the second worker did nothing")
	}
	if contents(t, "war/cascade.cascade") != want {
		t.Error("with workers, one of which was killed, the cascade is another")
	}
}

func TestMine(t *testing.T) {
	crosses(t)
	pictures, err := filepath.Glob("bg/*")
	if err != nil || len(pictures) == 0 {
		t.Fatal(err)
	}
	must.Do(os.WriteFile("names.txt", []byte(strings.Join(append(pictures, "none.png"), "\n")), 0o666))
	for _, dir := range []string{"one", "two"} {
		for _, shard := range []string{"1/2", "0/2"} {
			clitest.Contains(t, works(t, "mine", "-model", "face-fast", "-list", "names.txt", "-shard", shard, "-out", dir, "-max", "5"), "of 7")
		}
	}
	for _, name := range []string{"part-00000-of-00002.jsonl", "part-00001-of-00002.jsonl", "part-00000-of-00002.json", "part-00001-of-00002.json"} {
		if contents(t, filepath.Join("one", name)) != contents(t, filepath.Join("two", name)) {
			t.Errorf("%s differs", name)
		}
	}
	for _, args := range [][]string{{"mine"}, {"mine", "-model", "face-fast", "-list", "names.txt", "-out", "x", "-shard", "2/2"}, {"mine-worker"}, {"mine", "-model", "face-fast", "-list", "names.txt", "-out", "x", "-max", "-1"}} {
		fails(t, statusUsage, "", args...)
	}
}

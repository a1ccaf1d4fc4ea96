package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/boost/compare"
)

func TestCompareText(t *testing.T) {
	out, errs, status := call(t, "compare", "-boosters", "discrete,gentle", "-learners", "stumps",
		"-rounds", "2,5", "-folds", "3", "-no-times", "monks1", "twonorm:rows=60,seed=4")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, stderr %q", status, errs)
	}
	for _, want := range []string{"3-fold", "After 2 rounds", "After 5 rounds", "discrete+stumps", "gentle+stumps", "twonorm:rows=60,seed=4"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// Flags may follow the tables, and the number of workers has no effect.
	again, _, status := call(t, "compare", "monks1", "twonorm:rows=60,seed=4", "--boosters", "discrete,gentle", "--learners=stumps",
		"--rounds=2,5", "--folds=3", "--no-times", "--workers=5")
	if status != 0 || again != out {
		t.Errorf("status %d, and another report:\n%s", status, again)
	}
}

func TestCompareFormats(t *testing.T) {
	args := []string{"compare", "-methods", "real(smooth=0.01)+trees(leaves=3),gentle+stumps", "-rounds", "3", "-folds", "2", "monks2", "-format"}
	out, _, status := call(t, append(args, "csv")...)
	if lines := strings.Count(out, "\n"); status != 0 || lines != 3 || !strings.HasPrefix(out, "table,rows") {
		t.Errorf("status %d, CSV:\n%s", status, out)
	}
	out, _, status = call(t, append(args, "json")...)
	var r compare.Report
	if err := json.Unmarshal([]byte(out), &r); status != 0 || err != nil {
		t.Fatalf("status %d, %v", status, err)
	}
	if !slices.Equal(r.Methods, []string{"real(smooth=0.01)+trees(leaves=3)", "gentle+stumps"}) || len(r.Cells[0][0].At[0].Errors) != 2 {
		t.Errorf("%+v", r)
	}
}

func TestCompareFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fruit.csv")
	var b strings.Builder
	b.WriteString("kind,grams,code\n")
	for i := range 30 {
		b.WriteString([]string{"apple,150,1\n", "pear,180,2\n", "plum,40,3\n"}[i%3])
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, status := call(t, "compare", "-boosters", "gentle", "-rounds", "4", "-folds", "5", "-class", "kind",
		"-positive", "apple,plum", "-nominal", "code", "-format", "csv", path)
	if status != 0 || !strings.Contains(out, "fruit,30,20,2,gentle+stumps,4,0,0,0,") {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	// Without a choice of classes three are too many.
	_, errs, status = call(t, "compare", "-class", "kind", path)
	if status != 2 || !strings.Contains(errs, "fruit.csv") || !strings.Contains(errs, "line 4") || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, %s", status, errs)
	}
}

func TestComparePlots(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "plots")
	_, errs, status := call(t, "compare", "-boosters", "discrete", "-learners", "stumps,trees(leaves=3)", "-rounds", "12",
		"-folds", "2", "-plots", dir, "monks1", "xor:rows=60")
	if status != 0 {
		t.Fatal(errs)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	want := []string{
		"errors-monks1.png", "errors-monks1.svg", "errors-xor-rows-60.png", "errors-xor-rows-60.svg",
		"margins-monks1-discrete-stumps.png", "margins-monks1-discrete-stumps.svg",
		"margins-monks1-discrete-trees-leaves-3.png", "margins-monks1-discrete-trees-leaves-3.svg",
		"margins-xor-rows-60-discrete-stumps.png", "margins-xor-rows-60-discrete-stumps.svg",
		"margins-xor-rows-60-discrete-trees-leaves-3.png", "margins-xor-rows-60-discrete-trees-leaves-3.svg",
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	// T = 100 and 200 are after the last round and are left out.
	svg, err := os.ReadFile(filepath.Join(dir, "margins-monks1-discrete-stumps.svg"))
	if err != nil || !bytes.Contains(svg, []byte("T = 10<")) || bytes.Contains(svg, []byte("T = 100")) {
		t.Errorf("%v, or the wrong rounds in the plot", err)
	}
}

func TestList(t *testing.T) {
	out, _, status := call(t, "compare", "-list")
	if status != 0 || strings.Count(out, "\n") < 40 {
		t.Errorf("status %d:\n%s", status, out)
	}
	for _, want := range []string{"SETS", "tictactoe", "BOOSTERS", "adaboostr", "LEARNERS", "monomials"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the list", want)
		}
	}
}

// A wrong command line is one clear line on stderr, nothing on stdout, and
// status 2.
func TestWrongCalls(t *testing.T) {
	for want, args := range map[string][]string{
		"no command given":                 {},
		`no command is called "frob"`:      {"frob"},
		"no table given":                   {"compare"},
		"-bogus":                           {"compare", "-bogus", "monks1"},
		`no built-in set is called "nope"`: {"compare", "nope"},
		"nosuch.csv":                       {"compare", "nosuch.csv"},
		`no booster is called "x"`:         {"compare", "-boosters", "x", "monks1"},
		`no learner is called "x"`:         {"compare", "-learners", "x", "monks1"},
		"-methods replaces":                {"compare", "-methods", "gentle+stumps", "-learners", "stumps", "monks1"},
		`-rounds is "5,x"`:                 {"compare", "-rounds", "5,x", "monks1"},
		`-rounds is "0"`:                   {"compare", "-rounds", "0", "monks1"},
		"rounds are [5 2]":                 {"compare", "-rounds", "5,2", "monks1"},
		"-folds is 1":                      {"compare", "-folds", "1", "monks1"},
		"500 folds":                        {"compare", "-folds", "500", "monks1"},
		`invalid value "xml" for flag -format: want text, csv or json`: {"compare", "-format", "xml", "monks1"},
		"-plot-formats is":      {"compare", "-plots", "x", "-plot-formats", "gif", "monks1"},
		"two tables are called": {"compare", "monks1", "monks1"},
		"complete domain":       {"compare", "all:rows=10"},
	} {
		out, errs, status := call(t, args...)
		if status != statusUsage || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, stdout %q, stderr %q, want one line with %q", args, status, out, errs, want)
		}
	}
}

// A failure is status 1: a booster that does not support its learner.
func TestFailedWork(t *testing.T) {
	out, errs, status := call(t, "compare", "-methods", "real(smooth=-1)+stumps", "monks1")
	if status != statusFailed || out != "" || !strings.Contains(errs, "real(smooth=-1)+stumps on monks1") {
		t.Errorf("status %d, stdout %q, stderr %q", status, out, errs)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if status := run(ctx, []string{"compare", "monks1"}, &out, &errs); status != statusInterrupted || out.Len() != 0 {
		t.Errorf("status %d, stdout %q, stderr %q", status, &out, &errs)
	}
}

func TestHelp(t *testing.T) {
	out, errs, status := call(t, "compare", "-help")
	if status != 0 || errs != "" || !strings.Contains(out, "TABLE...") || !strings.Contains(out, "ringnorm") {
		t.Errorf("status %d, stderr %q:\n%s", status, errs, out)
	}
}

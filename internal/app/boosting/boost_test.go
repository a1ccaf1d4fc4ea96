package boosting

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"haarlem/boost"
	"haarlem/boost/dataset"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/boost/catalogue"
	"haarlem/internal/boost/compare"
	"haarlem/internal/boost/margins"
	"haarlem/internal/must"
)

var program = clitest.Caller{Program: Program}

// run runs the program, and fails the test unless it ends with a status.
func run(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	got, stdout, stderr := program.Call(args...)
	if got != status {
		t.Fatalf("boost %s: status %d, want %d\n%s%s", strings.Join(args, " "), got, status, stdout, stderr)
	}
	return stdout, stderr
}

// temp returns the path of a file in a folder of its own, and write one with a text.
func temp(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(t.TempDir(), name)
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := temp(t, name)
	must.Do(os.WriteFile(path, []byte(text), 0o666))
	return path
}

// parsed is the number that a text is, and table the lines of a file of CSV.
func parsed(text string) float64 { return must.Get(strconv.ParseFloat(text, 64)) }

func table(path string) [][]string {
	return must.Get(csv.NewReader(bytes.NewReader(must.Get(os.ReadFile(path)))).ReadAll())
}

// full: a file is there, and not empty.
func full(t *testing.T, path string) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("%s: %v", path, err)
	}
}

// shop is a CSV of numbers, names and missing values; whether somebody buys depends
// on the colour and the price.
func shop(rows, from int) string {
	var b strings.Builder
	b.WriteString("price,colour,size,buys\n")
	for i := from; i < from+rows; i++ {
		price, colour, size := float64(i*7919%100)/10, []string{"red", "green", "blue", "white"}[i*31%4], fmt.Sprint(i%5)
		if i%11 == 0 {
			size = "?"
		}
		buys := "no"
		if price < 5 != (colour == "red" || colour == "white") || i%17 == 0 {
			buys = "yes"
		}
		fmt.Fprintf(&b, "%v,%s,%s,%s\n", price, colour, size, buys)
	}
	return b.String()
}

// TestSeeds: the scores of -seeds 2 are the means of those of two models.
func TestSeeds(t *testing.T) {
	train, model := write(t, "train.csv", shop(300, 0)), temp(t, "model.txt")
	scores := func(args ...string) (scores []float64) {
		run(t, 0, append([]string{"fit", "-o", model, "-method", "newton+trees", "-rows", "0.5", "-rounds", "20", "-patience", "0", train}, args...)...)
		out, _ := run(t, 0, "predict", "-model", model, train)
		for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			scores = append(scores, parsed(line[strings.LastIndex(line, ",")+1:]))
		}
		return scores
	}
	a, b, both := scores("-seed", "7"), scores("-seed", "8"), scores("-seed", "7", "-seeds", "2")
	if slices.Equal(a, b) {
		t.Error("another seed makes no difference")
	}
	for i, v := range both {
		if math.Abs(v-(a[i]+b[i])/2) > 1e-12 {
			t.Fatalf("row %d: score %v of %v and %v", i, v, a[i], b[i])
		}
	}
	for _, bad := range [][]string{{"-seeds", "0"}, {"-seeds", "2", "-target", "several"}} {
		run(t, 2, append([]string{"fit", "-o", model, train}, bad...)...)
	}
}

// TestFitPredictEvaluate: a model comes from a file, is applied to another with its
// columns in another order and without the class, and is evaluated.
func TestFitPredictEvaluate(t *testing.T) {
	train, model := write(t, "train.csv", shop(600, 0)), temp(t, "model.txt")
	test := write(t, "test.csv", shop(300, 1000))
	for _, args := range [][]string{
		nil, {"-method", "gentle+trees(leaves=6)"}, {"-method", "newton+trees", "-patience", "20", "-metric", "auc", "-rounds", "300"},
		{"-calibrate", "platt"}, {"-calibrate", "isotonic", "-hold-out", "0.3"},
	} {
		_, said := run(t, 0, append([]string{"fit", "-o", model, train}, args...)...)
		if !strings.Contains(said, "terms after") {
			t.Errorf("fit says %q", said)
		}
		out, _ := run(t, 0, "evaluate", "-model", model, test)
		if e := metric(t, out, "error"); e > 0.12 {
			t.Errorf("%v: error %v\n%s", args, e, out)
		}
		// The same columns in another order, one more, fewer levels, no class.
		whole, _ := run(t, 0, "predict", "-model", model, test)
		all := strings.SplitAfter(whole, "\n")
		other, want := "id,colour,size,price\n", all[0]
		for k, f := range table(test)[1:] {
			if f[1] != "green" {
				other += strings.Join([]string{fmt.Sprint(k), f[1], f[2], f[0]}, ",") + "\n"
				want += all[k+1]
			}
		}
		out, note := run(t, 0, "predict", "-model", model, write(t, "bare.csv", other))
		if !strings.Contains(note, "id") {
			t.Errorf("no note about the column that is not the model's: %q", note)
		}
		if out != want || !strings.HasPrefix(out, "class,p(yes),score") {
			t.Errorf("in the other order\n%swant\n%s", out, want)
		}
	}
}

// metric takes a number out of a report.
func metric(t *testing.T, report, name string) float64 {
	t.Helper()
	for line := range strings.SplitSeq(report, "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name {
			return parsed(f[1])
		}
	}
	t.Fatalf("no %s in\n%s", name, report)
	return 0
}

// TestErrorsSayWhatDiffers: a file that is not the model's is an error that says
// what differs.
func TestErrorsSayWhatDiffers(t *testing.T) {
	train, model := write(t, "train.csv", shop(300, 0)), temp(t, "model.txt")
	run(t, 0, "fit", "-o", model, train)
	for text, want := range map[string]string{
		"price,colour\n1,red\n2,blue\n":                 `no column is called "size"`,
		"price,colour,size\n1,red,2\n2,pink,3\n":        `"pink" in row 1`,
		"price,colour,size\ncheap,red,2\ndear,blue,3\n": `column "price"`,
	} {
		program.Says(t, 1, want, "predict", "-model", model, write(t, "bad.csv", text))
	}
	for _, args := range [][]string{
		{"fit"}, {"fit", "-method", "magic+stumps", train}, {"fit", "-shrinkage", "2", train}, {"fit", "-rounds", "0", train},
		{"fit", "-method", "newton+histograms", train}, {"predict", train}, {"evaluate", "-folds", "1", train}, {"explain", train}, {"compare"},
		{"compare", "-method", "gentle+what", train}, {"fit", "-target", "three", train},
	} {
		run(t, 2, args...)
	}
	run(t, 1, "fit", temp(t, "none.csv"))
	run(t, 1, "predict", "-model", train, train)
}

// TestOtherTargets: numbers and several classes, from CSV, ARFF and LIBSVM.
func TestOtherTargets(t *testing.T) {
	var numbers, several, sparse strings.Builder
	numbers.WriteString("@relation r\n@attribute x numeric\n@attribute k {a,b}\n@attribute y numeric\n@data\n")
	several.WriteString("x,k,class\n")
	for i := range 400 {
		x, k := float64(i*37%100)/10, i%2
		fmt.Fprintf(&numbers, "%v,%s,%v\n", x, []string{"a", "b"}[k], 2*x+float64(k))
		fmt.Fprintf(&several, "%v,%s,%s\n", x, []string{"a", "b"}[k], []string{"low", "mid", "high", "top"}[min(3, int(x/4)+k)])
		fmt.Fprintf(&sparse, "%v", x)
		if k == 1 {
			sparse.WriteString(" 2:1")
		}
		fmt.Fprintf(&sparse, " 5:%v\n", x+1)
	}
	model := temp(t, "model.txt")
	arff := write(t, "n.arff", numbers.String())
	run(t, 0, "fit", "-target", "numbers", "-method", "newton+trees(leaves=6)", "-o", model, arff)
	out, _ := run(t, 0, "evaluate", "-model", model, arff)
	if e := metric(t, out, "rmse"); e > 0.5 {
		t.Errorf("error %v", e)
	}
	svm := write(t, "n.svm", sparse.String())
	run(t, 0, "fit", "-target", "numbers", "-method", "newton+trees(leaves=6)", "-o", model, svm)
	// A file that does not mention the last columns has zeros there.
	short := write(t, "s.svm", "0 2:1\n0\n")
	out, _ = run(t, 0, "predict", "-model", model, short)
	if f := strings.Split(strings.TrimSpace(out), "\n"); len(f) != 3 {
		t.Errorf("predictions %q", out)
	}
	csv := write(t, "c.csv", several.String())
	for _, method := range []string{"softmax+trees", "samme+trees(depth=3)", "adaboost-mh+trees(depth=2)", "logit-k+trees(leaves=4)", "gentle+trees"} {
		run(t, 0, "fit", "-target", "several", "-method", method, "-rounds", "30", "-o", model, csv)
		out, _ = run(t, 0, "evaluate", "-model", model, csv)
		if e := metric(t, out, "error"); e > 0.1 {
			t.Errorf("%s: error %v", method, e)
		}
		out, _ = run(t, 0, "predict", "-model", model, csv)
		if !strings.HasPrefix(out, "class,p(high),p(low),p(mid),p(top)\nlow,") {
			t.Errorf("%s: predictions begin %q", method, out[:60])
		}
	}
	out, _ = run(t, 0, "evaluate", "-target", "several", "-folds", "4", csv)
	if e := metric(t, out, "error"); e > 0.1 {
		t.Errorf("cross-validated error %v", e)
	}
}

// TestCrossValidation: evaluate without a model; curves agree with the numbers, and
// the same seed gives the same bytes.
func TestCrossValidation(t *testing.T) {
	roc, bins, png := temp(t, "roc.csv"), temp(t, "bins.csv"), temp(t, "roc.png")
	args := []string{"evaluate", "-folds", "3", "-roc", roc, "-calibration", bins, "-plot", png, "ringnorm:rows=400,seed=1"}
	out, _ := run(t, 0, args...)
	again, _ := run(t, 0, append(args, "-workers", "1")...)
	if out != again {
		t.Errorf("one worker reports\n%s, more\n%s", again, out)
	}
	area, x0, y0 := 0.0, 0.0, 0.0
	for _, l := range table(roc)[1:] {
		x, y := parsed(l[1]), parsed(l[2])
		area += (x - x0) * (y + y0) / 2
		x0, y0 = x, y
	}
	if auc := metric(t, out, "auc"); math.Abs(auc-area) > 1e-4 || auc < 0.9 {
		t.Errorf("AUC %v, under the curve is %v", auc, area)
	}
	if b, err := os.ReadFile(bins); err != nil || strings.Count(string(b), "\n") != 11 {
		t.Errorf("calibration curve %q, %v", b, err)
	}
	full(t, png)
}

// explained returns the lines of explain's file of rows, whose values and mean
// must add up to the score.
func explained(t *testing.T, path string) [][]string {
	t.Helper()
	lines := table(path)
	for _, l := range lines[1:] {
		sum := 0.0
		values := l[len(l)-5:]
		for _, f := range values[:4] {
			sum += parsed(f)
		}
		if math.Abs(sum-parsed(values[4])) > 1e-9 {
			t.Errorf("values of %v add up to %v", l, sum)
		}
	}
	return lines
}

// TestExplain: the columns that decide matter, and rows are explained.
func TestExplain(t *testing.T) {
	train := write(t, "train.csv", shop(600, 0))
	model, rows, shapes := temp(t, "model.txt"), temp(t, "rows.csv"), temp(t, "shapes")
	run(t, 0, "fit", "-method", "newton+stumps", "-o", model, train)
	must.Do(os.Mkdir(shapes, 0o777))
	out, _ := run(t, 0, "explain", "-model", model, "-rows", rows, "-shapes", shapes, train)
	if !strings.Contains(out, "price") || !strings.Contains(out, "gain") {
		t.Errorf("explanation\n%s", out)
	}
	if lines := explained(t, rows); len(lines) != 601 {
		t.Errorf("%d lines", len(lines))
	}
	if files, _ := filepath.Glob(filepath.Join(shapes, "*.png")); len(files) == 0 {
		t.Error("no shapes drawn")
	}

	var amounts strings.Builder
	amounts.WriteString("a,b,paid\n")
	for i := range 300 {
		fmt.Fprintf(&amounts, "%d,%d,%v\n", i%10, i%7, math.Exp(float64(i%10)/3+float64(i%7)/4)*(0.2+float64(i%13)))
	}
	train = write(t, "amounts.csv", amounts.String())
	run(t, 0, "fit", "-target", "numbers", "-method", "newton(loss=gamma)+trees", "-rounds", "20", "-o", model, train)
	plain, _ := run(t, 0, "explain", "-model", model, train)
	gamma, _ := run(t, 0, "explain", "-model", model, "-loss", "gamma", train)
	if plain == gamma {
		t.Errorf("gain of the gamma loss is that of Poisson's:\n%s", gamma)
	}
	run(t, 2, "explain", "-model", model, "-loss", "none", train)

	for to, want := range map[string]string{"go": "package claims\n", "c": "double claims_predict(const double *row)"} {
		if out, _ := run(t, 0, "convert", "-to", to, "-name", "claims", model); !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out[:min(len(out), 500)])
		}
	}
	run(t, 2, "convert", "-to", "go", "-name", "a b", model)
}

// TestFewRows: rows of one class are evaluated; rows without the class, and a single one,
// are explained as they are with it, of two classes and of several.
func TestFewRows(t *testing.T) {
	text := shop(400, 0)
	train, model, rows := write(t, "train.csv", text), temp(t, "model.txt"), temp(t, "rows.csv")
	var one, bare strings.Builder
	for i, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if i == 0 || strings.HasSuffix(l, ",yes") {
			fmt.Fprintln(&one, l)
		}
		if i < 2 {
			fmt.Fprintln(&bare, l[:strings.LastIndexByte(l, ',')])
		}
	}
	yes, single := write(t, "one.csv", one.String()), write(t, "bare.csv", bare.String())
	for _, c := range []struct {
		target string
		scores int // a row
	}{{"two", 1}, {"several", 2}} {
		run(t, 0, "fit", "-target", c.target, "-rounds", "20", "-o", model, train)
		out, _ := run(t, 0, "evaluate", "-model", model, "-bootstrap", "20", yes)
		if e := metric(t, out, "error"); e > 0.3 || !strings.Contains(out, "95% interval") {
			t.Errorf("%s: one class\n%s", c.target, out)
		}
		run(t, 0, "explain", "-model", model, "-rows", rows, train)
		all := explained(t, rows)
		out, _ = run(t, 0, "explain", "-model", model, "-rows", rows, single)
		got := explained(t, rows)
		lines := strings.Split(text, "\n")
		run(t, 0, "explain", "-model", model, "-rows", rows, write(t, "blank.csv", lines[0]+"\n"+lines[1][:strings.LastIndexByte(lines[1], ',')]+",?\n"))
		if blank := explained(t, rows); !slices.EqualFunc(got, blank, slices.Equal[[]string]) {
			t.Errorf("%s: a row without its class is explained by %v, want %v", c.target, blank, got)
		}
		if len(got) != 1+c.scores || len(all) != 1+400*c.scores || !slices.EqualFunc(got, all[:len(got)], slices.Equal[[]string]) {
			t.Errorf("%s: a single row is explained by %v, beside others by %v", c.target, got, all[:len(got)])
		}
		if !strings.Contains(out, "price") {
			t.Errorf("%s: explanation\n%s", c.target, out)
		}
	}
	with := write(t, "id.csv", "price,colour,size,id\n1,red,2,17\n")
	program.Says(t, 1, `"id" is not what is predicted, -ignore it`, "explain", "-model", model, with)
	run(t, 0, "explain", "-model", model, "-ignore", "id", with)
	program.Says(t, 1, `"perhaps"`, "evaluate", "-model", model, write(t, "x.csv", strings.ReplaceAll(text, "yes", "perhaps")))
}

// TestExplainOthers: what models of others hold of their data gives their libraries' own
// Shapley values: pred_contrib of LightGBM 4.7.0, pred_contribs of XGBoost 3.2.0.
func TestExplainOthers(t *testing.T) {
	rows := write(t, "rows.csv", "a,b,c,kind\n0.346,0.822,0.33,1\n0.905,0.446,-0.537,0\n")
	for name, c := range map[string]struct {
		precision float64
		want      [2][5]float64
	}{
		"lgb-binary.txt": {1e-14, [2][5]float64{
			{0.042209784145041, 0.020920775114599, 0.206704206591928, 0.462576988120598, 0.106745208461809},
			{0.697515920738175, -0.055690975111847, -0.001178963863251, -0.257385421557587, 0.106745208461809},
		}},
		"xgb-binary.json": {2e-7, [2][5]float64{{0.123399034, 0.0803244, 0.22585309, 1.4158434, 0.09553933}, {1.4082209, 0.057075918, 0.22936824, -0.57124346, 0.09553933}}},
	} {
		out, said := run(t, 0, "explain", "-model", filepath.Join("..", "..", "..", "boost", "interop", "testdata", name), "-rows", "-", rows)
		lines := strings.Split(out, "\n")
		for i, values := range c.want {
			for j, f := range strings.Split(lines[i+1], ",")[:5] {
				if v := parsed(f); math.Abs(v-values[j]) > c.precision {
					t.Errorf("%s: row %d, column %d has %v, there %v", name, i, j, v, values[j])
				}
			}
		}
		if said != "" {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// TestModelThreshold: the threshold that fit chooses is the model's: predict goes by
// it, and evaluate shows what comes of it.
func TestModelThreshold(t *testing.T) {
	train, model, pr := write(t, "train.csv", shop(400, 0)), temp(t, "model.txt"), temp(t, "pr.csv")
	for _, more := range [][]string{nil, {"-hold-out", "0.3"}} {
		_, said := run(t, 0, append([]string{"fit", "-threshold", "cost=1:30", "-rounds", "20", "-o", model, train}, more...)...)
		if !strings.Contains(said, "threshold 0.") {
			t.Errorf("fit says %q", said)
		}
		out, _ := run(t, 0, "evaluate", "-model", model, "-pr", pr, train)
		at := metric(t, out, "threshold")
		mine, _ := run(t, 0, "predict", "-model", model, train)
		half, _ := run(t, 0, "predict", "-model", model, "-threshold", "0.5", train)
		given, _ := run(t, 0, "predict", "-model", model, "-threshold", fmt.Sprint(at), train)
		if at >= 0.5 || mine == half || mine != given {
			t.Errorf("threshold %v; with it as with 0.5: %v, as given: %v", at, mine == half, mine == given)
		}
		program.Says(t, 0, "threshold", "convert", "-to", "go", model)
		area, before := 0.0, 0.0 // as average precision adds it up
		for _, l := range table(pr)[1:] {
			recall, precision := parsed(l[1]), parsed(l[2])
			area, before = area+(recall-before)*precision, recall
		}
		if ap := metric(t, out, "ap"); math.Abs(area-ap) > 1e-3 || before != 1 {
			t.Errorf("area %v under the curve, ap %v", area, ap)
		}
	}
	run(t, 2, "fit", "-threshold", "f2", train)
	run(t, 2, "fit", "-threshold", "f1", "-target", "several", train)
}

// TestTablesAsPeopleHaveThem: semicolons, decimal commas, blanks, compressed files and
// standard input are read, or refused by name.
func TestTablesAsPeopleHaveThem(t *testing.T) {
	plain := shop(200, 0)
	want, _ := run(t, 0, "fit", write(t, "plain.csv", plain))
	european := strings.NewReplacer(",", "; ", ".", ",").Replace(plain)
	file := write(t, "european.csv", european)
	if got, _ := run(t, 0, "fit", "-separator", "semicolon", "-decimal-comma", file); got != want {
		t.Error("semicolons and decimal commas make another model")
	}
	program.Says(t, 1, "semicolons ... -separator", "fit", file)
	program.Says(t, 1, "decimal comma", "fit", "-separator", "semicolon", file)
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, strings.ReplaceAll(plain, ",", ", "))
	w.Close()
	packed := write(t, "p.csv.gz", b.String())
	if got, _ := run(t, 0, "fit", packed); got != want {
		t.Error("the compressed file, with blanks, makes another model")
	}
	for name, in := range map[string]string{"plain": plain, "compressed": b.String()} {
		if got := program.Given(strings.NewReader(in)).Works(t, "fit", "-"); got != want {
			t.Errorf("standard input, %s, makes another model", name)
		}
	}
	b.Reset()
	w.Reset(&b)
	io.WriteString(w, "+1 1:2\n-1 2:1\n+1 1:3\n-1 2:2\n")
	w.Close()
	run(t, 0, "fit", "-sparse", write(t, "s.svm.gz", b.String()))
	if out, _ := run(t, 0, "compare", "-method", "gentle+stumps", "-folds", "2", "-rounds", "1", packed); !strings.Contains(out, "p ") || strings.Contains(out, "p.csv") {
		t.Errorf("a table is called after its file, without extensions:\n%s", out)
	}
	program.Says(t, 0, `note: column "price" is one of names`, "fit", write(t, "n.csv", "price,class\n"+strings.Repeat("1 000,x\n2 500,y\n", 20)))
}

// TestCompareAndList: methods are ranked; what is listed can be parsed.
func TestCompareAndList(t *testing.T) {
	out, _ := run(t, 0, "compare", "-method", "discrete+stumps", "-method", "newton+trees(leaves=4)", "-rounds", "5,10", "-folds", "3", "-no-times", "monks1", "twonorm:rows=150")
	if !strings.Contains(out, "monks1") || !strings.Contains(out, "newton") {
		t.Errorf("report\n%s", out)
	}
	numbers := write(t, "n.csv", "a,b,y\n"+strings.Repeat("1,2,3.5\n2,1,4\n3,2,5.25\n4,4,1\n", 20))
	for kind, want := range map[string]string{"numbers": "mean squared", "several": "per cent"} {
		out, _ := run(t, 0, "compare", "-target", kind, "-rounds", "5", "-folds", "3", numbers)
		if !strings.Contains(out, want) || !strings.Contains(out, "mean rank") {
			t.Errorf("%s: report\n%s", kind, out)
		}
	}
	out, _ = run(t, 0, "list")
	clitest.Contains(t, out, "newton", "softmax", "trees", "ringnorm")
	run(t, 0, "help")
	run(t, 0, "fit", "-help")
	for want, args := range map[string][]string{
		"no table given":                   {},
		`no built-in set is called "nope"`: {"nope"},
		"no booster is called \"x\"":       {"-method", "x+stumps", "monks1"},
		"want numbers from 1":              {"-rounds", "5,x", "monks1"},
		"500 folds":                        {"-folds", "500", "monks1"},
		"want text, csv or json":           {"-format", "xml", "monks1"},
	} {
		program.Fails(t, 2, want, append([]string{"compare"}, args...)...)
	}
	program.Says(t, 1, "real(smooth=-1)+stumps on monks1", "compare", "-method", "real(smooth=-1)+stumps", "monks1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if status := Program().Run(ctx, []string{"compare", "monks1"}, &cli.Streams{Out: io.Discard, Err: io.Discard}); status != 130 {
		t.Errorf("interrupted: status %d, want 130", status)
	}
}

// TestComparePlots: curves of each table, and margins of each method after the
// rounds of -margins.
func TestComparePlots(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "plots")
	run(t, 0, "compare", "-method", "discrete+stumps", "-method", "discrete+trees(leaves=3)", "-rounds", "12", "-margins", "10",
		"-folds", "2", "-plots", dir, "monks1", "xor:rows=60")
	var names []string
	for _, f := range must.Get(os.ReadDir(dir)) {
		names = append(names, f.Name())
	}
	if want := []string{
		"errors-monks1.png", "errors-xor-rows-60.png", "margins-monks1-discrete-stumps.png", "margins-monks1-discrete-trees-leaves-3.png",
		"margins-xor-rows-60-discrete-stumps.png", "margins-xor-rows-60-discrete-trees-leaves-3.png",
	}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// TestConvert: a model predicts the same when it has been to the others and back.
func TestConvert(t *testing.T) {
	train := write(t, "train.csv", "a,b,class\n"+strings.Repeat("1,2,x\n2,1,y\n3,5,x\n4,1,y\n5,3,y\n1,7,x\n", 20))
	model, there, back := temp(t, "m.txt"), temp(t, "there"), temp(t, "back.txt")
	run(t, 0, "fit", "-o", model, train)
	want, _ := run(t, 0, "predict", "-model", model, train)
	for _, to := range []string{"xgboost", "xgboost-ubjson", "lightgbm", "onnx", "treelite"} {
		run(t, 0, "convert", "-to", to, "-o", there, model)
		run(t, 0, "convert", "-o", back, there)
		for _, m := range []string{there, back} {
			got, _ := run(t, 0, "predict", "-model", m, train)
			a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
			for k := 1; k < 7; k++ {
				if math.Abs(parsed(strings.Split(a[k], ",")[1])-parsed(strings.Split(b[k], ",")[1])) > 1e-6 {
					t.Errorf("%s: line %q, was %q", to, b[k], a[k])
				}
			}
		}
	}
	run(t, 2, "convert", "-to", "sklearn", model)
	run(t, 1, "convert", train)
}

// TestSparse: a sparse fit is the full one.
func TestSparse(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		y := 1 - 2*(i*7%3%2)
		fmt.Fprintf(&b, "%+d", y)
		if i*7%3 == 0 {
			b.WriteString(" 3:1.5")
		}
		if i%5 == 0 {
			fmt.Fprintf(&b, " 70:%d", i)
		}
		b.WriteString("\n")
	}
	file := write(t, "t.svm", b.String())
	full, thin := temp(t, "full.txt"), temp(t, "thin.txt")
	run(t, 0, "fit", "-o", full, file)
	run(t, 0, "fit", "-sparse", "-o", thin, file)
	if a, c := must.Get(os.ReadFile(full)), must.Get(os.ReadFile(thin)); !bytes.Equal(a, c) {
		t.Errorf("full\n%s\nsparse\n%s", a, c)
	}
	want, _ := run(t, 0, "predict", "-model", full, file)
	got, _ := run(t, 0, "predict", "-sparse", "-model", thin, file)
	if got != want {
		t.Error("other predictions")
	}
	run(t, 2, "fit", "-sparse", "-calibrate", "platt", file)
	run(t, 2, "fit", "-sparse", "twonorm")
}

// TestBudget: the flags that a search prints make the same model again.
func TestBudget(t *testing.T) {
	text := "x,y,class\n"
	for i := range 90 {
		text += fmt.Sprintf("%d,%d,c%d\n", i*7%13, i*5%11, i*7%13/5)
	}
	several := write(t, "three.csv", text)
	for _, kind := range [][]string{{"ringnorm:rows=200"}, {"-target", "numbers", "-class", "x1", "ringnorm:rows=200"}, {"-target", "several", several}} {
		first, second := temp(t, "a.txt"), temp(t, "b.txt")
		_, said := run(t, 0, append([]string{"fit", "-budget", "300ms", "-seed", "5", "-o", first}, kind...)...)
		_, flags, found := strings.Cut(strings.TrimSpace(said), "other flags: ")
		if !found {
			t.Fatalf("no flags in %q", said)
		}
		run(t, 0, append(append([]string{"fit", "-seed", "5", "-o", second}, strings.Fields(strings.ReplaceAll(flags, "'", ""))...), kind...)...)
		if a, b := must.Get(os.ReadFile(first)), must.Get(os.ReadFile(second)); len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%v: %s make another model", kind, flags)
		}
	}
	for _, args := range [][]string{{"-rounds", "9"}, {"-method", "newton+trees"}, {"-hold-out", "0.2"}, {"-calibrate", "platt"}} {
		run(t, 2, append(append([]string{"fit", "-budget", "1s"}, args...), "ringnorm:rows=200")...)
	}
}

// TestBounds: the table holds the library's bounds, and those that are near to them for
// many rows, and a figure is drawn.
func TestBounds(t *testing.T) {
	png := temp(t, "bounds.png")
	out, _ := run(t, 0, "bounds", "-plot", png)
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(lines) != 26 || strings.Join(lines[0], " ") != "rows vc margin_0.05 margin_0.125 margin_0.25 margin_0.5 near_0.05 near_0.125 near_0.25 near_0.5" {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := lines[21][4], fmt.Sprintf("%.4f", margins.Bound(1e6, 1e6, 0.01, 0.25)); lines[21][0] != "1000000" || got != want {
		t.Errorf("%v: margin 0.25 has %s, want %s", lines[21], got, want)
	}
	last := lines[25]
	for k := 2; k < 6; k++ {
		if math.Abs(parsed(last[k+4])/parsed(last[k])-1) > 0.15 {
			t.Errorf("of ten million rows the bound %v is said to be near to %v", last[k], last[k+4])
		}
	}
	full(t, png)
	for _, args := range [][]string{{"-delta", "2"}, {"-learners", "1"}, {"-vc", "-3"}, {"moons"}} {
		run(t, 2, append([]string{"bounds"}, args...)...)
	}
}

// TestMargins: shares grow with the margin and are below the bound, which is below 1
// somewhere; only the boosters that it is of are taken.
func TestMargins(t *testing.T) {
	png := temp(t, "margins.png")
	out, _ := run(t, 0, "margins", "-rounds", "5,40", "-plot", png, "ringnorm:rows=300")
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(lines) != 40 || strings.Join(lines[0], " ") != "margin share_5 bound_5 share_40 bound_40" {
		t.Fatalf("%v\n%s", err, out)
	}
	tight := false
	before := make([]float64, 5)
	for _, line := range lines[1:] {
		values := make([]float64, 5)
		for k, w := range line {
			if values[k] = parsed(w); k != 0 && values[k] < before[k] {
				t.Fatalf("%v after %v", line, before)
			}
		}
		if values[1] > values[2]+1e-3 || values[3] > values[4]+1e-3 {
			t.Errorf("%v: more than the bound", line)
		}
		tight = tight || values[4] < 1
		before = values
	}
	if full(t, png); !tight {
		t.Error("no bound is below 1")
	}
	run(t, 2, "margins", "-method", "gentle+stumps", "moons")

	// Margins of the same rows are the same; those of others are not.
	for test, equal := range map[string]bool{"ringnorm:rows=300": true, "ringnorm:rows=300,seed=9": false} {
		out, _ := run(t, 0, "margins", "-rounds", "40", "-test", test, "-plot", png, "ringnorm:rows=300")
		same := true
		for _, l := range must.Get(csv.NewReader(strings.NewReader(out)).ReadAll())[1:] {
			same = same && l[1] == l[3]
		}
		if same != equal || !strings.HasPrefix(out, "margin,share_40,bound_40,test_40\n") {
			t.Errorf("test rows %s\n%s", test, out)
		}
	}
}

// TestCompareMargins: the table of margins says what the library does, on a file with
// noise too.
func TestCompareMargins(t *testing.T) {
	file := write(t, "shop.csv", shop(200, 0))
	out, _ := run(t, 0, "compare", "-rounds", "60", "-margins", "5,50", "-train-rows", "150", "-method", "discrete+trees(leaves=6)", file+":onesided=0.2,seed=3")
	data := must.Get(dataset.ReadFile(file, nil))
	must.Do(catalogue.Disturb(data, "onesided=0.2,seed=3"))
	rows := make([]int, 150)
	for i := range rows {
		rows[i] = i
	}
	d := compare.Indicators(data).Subset(rows)
	res := must.Get(boost.Fit(context.Background(), d, &boost.Discrete{}, &boost.Trees{Leaves: 6}, &boost.Settings{Rounds: 50, Seed: 1}))
	training := must.Get(res.Model.Margins(d))
	want := fmt.Sprintf(" 50 %.3f %.2f\n", slices.Min(training), 100*margins.Cumulative(training, []float64{0.5})[0])
	if !strings.Contains(strings.Join(strings.FieldsFunc(out, func(r rune) bool { return r == ' ' }), " "), want) || !strings.Contains(out, "Training margins") {
		t.Errorf("no %q in\n%s", want, out)
	}
}

// TestEvaluateReport: the confusion matrix adds up to the error, the intervals
// contain the values and depend on the seed only, and several classes have an AUC.
func TestEvaluateReport(t *testing.T) {
	train := write(t, "train.csv", shop(300, 0))
	args := []string{"evaluate", "-folds", "3", "-rounds", "20", "-bootstrap", "100", train}
	out, _ := run(t, 0, args...)
	if again, _ := run(t, 0, args...); again != out {
		t.Errorf("another report for the same seed:\n%s%s", out, again)
	}
	var a, b, c, d int
	confusion := func(out string) {
		table := strings.Join(strings.Fields(out[strings.Index(out, "class "):]), " ")
		must.Get(fmt.Sscanf(table, "class predicted as no yes no %d %d yes %d %d", &a, &b, &c, &d))
	}
	confusion(out)
	if e := metric(t, out, "error"); a+b+c+d != 300 || math.Abs(float64(b+c)/300-e) > 1e-4 {
		t.Errorf("error %v in\n%s", e, out)
	}
	var low, v, high, deviation float64
	line := strings.Join(strings.Fields(out[strings.Index(out, "\nap "):]), " ")
	if _, err := fmt.Sscanf(line, "ap %f standard deviation of folds %f 95%% interval %f to %f", &v, &deviation, &low, &high); err != nil || !(low < v && v < high) {
		t.Errorf("%s: %v", line, err)
	}
	out, _ = run(t, 0, "evaluate", "-folds", "3", "-rounds", "10", "-target", "several", "-class", "colour", train)
	if v := metric(t, out, "auc"); !(v > 0.5 && v <= 1) || !strings.Contains(out, "predicted as") {
		t.Errorf("report of several classes:\n%s", out)
	}
	run(t, 2, "evaluate", "-bootstrap", "1", train)

	// The threshold of the training rows' F1 gives predict the matrix's counts.
	model := temp(t, "model.txt")
	run(t, 0, "fit", "-o", model, "-rounds", "20", train)
	out, _ = run(t, 0, "evaluate", "-model", model, "-threshold", "cost=1:9", train)
	out = out[strings.Index(out, "threshold"):]
	at := strings.Fields(out)[1]
	confusion(out)
	out, _ = run(t, 0, "predict", "-model", model, "-threshold", at, train)
	if got := strings.Count(out, "\nyes,"); got != b+d {
		t.Errorf("%d rows are positive from %s, want %d", got, at, b+d)
	}
	run(t, 2, "evaluate", "-model", model, "-threshold", "cost=1", train)
	run(t, 2, "predict", "-model", model, "-threshold", "2", train)
	// An unknown level is missing on request.
	odd := write(t, "odd.csv", "price,colour,size\n1,mauve,2\n")
	gap := write(t, "gap.csv", "price,colour,size\n1,?,2\n")
	run(t, 1, "predict", "-model", model, odd)
	got, note := run(t, 0, "predict", "-model", model, "-unknown-missing", odd)
	if want, _ := run(t, 0, "predict", "-model", model, gap); got != want || !strings.Contains(note, "1 values") {
		t.Errorf("unknown level: %q, missing one: %q, note %q", got, want, note)
	}
}

// TestConstraints: flags constrain the trees, and are refused where they have no
// meaning.
func TestConstraints(t *testing.T) {
	claims := func(per func(days int) int) string { // in all, or per day
		text := "a,b,id,days,claims\n"
		for i := range 300 {
			days := 1 + i%3
			text += fmt.Sprintf("%d,%d,x%d,%d,%d\n", i%10, i%7, i, days, days*((i%10)*(i%7)/9+i%2)/per(days))
		}
		return write(t, "train.csv", text)
	}
	train := claims(func(int) int { return 1 })
	flags := []string{"fit", "-target", "numbers", "-ignore", "id", "-ignore", "days", "-rounds", "30"}
	fit := func(more ...string) string {
		out, _ := run(t, 0, append(append(slices.Clone(flags), more...), train)...)
		return out
	}
	free := fit()
	for _, more := range [][]string{{"-decreasing", "a"}, {"-increasing", "b", "-decreasing", "a"}, {"-interact", "a"}, {"-l1", "20"}} {
		if fit(more...) == free {
			t.Errorf("%v changes nothing", more)
		}
	}
	if fit("-interact", "a, b") != free {
		t.Error("columns of one group do not interact")
	}
	for _, more := range [][]string{{"-increasing", "none"}, {"-l1", "1", "-method", "gentle+stumps"}, {"-exposure", "days", "-weight", "days"}, {"-l1", "-1"}} {
		run(t, 2, append(append(slices.Clone(flags), more...), train)...)
	}

	// Exposure is the rate weighted by it.
	flags = []string{"fit", "-target", "numbers", "-ignore", "id", "-method", "newton(loss=poisson)+trees", "-rounds", "20"}
	got := fit("-exposure", "days")
	train = claims(func(days int) int { return days })
	if fit("-weight", "days") != got {
		t.Error("exposure is not a weight of rates")
	}
}

// TestRanking: groups are ranked, by cross-validation and by a model.
func TestRanking(t *testing.T) {
	var b strings.Builder
	b.WriteString("query,a,b,grade\n")
	for i := range 400 {
		a, c := i*7919%100, i*104729%50
		fmt.Fprintf(&b, "q%d,%d,%d,%d\n", i/10, a, c, min(3, (a+c)/35))
	}
	train, model := write(t, "train.csv", b.String()), temp(t, "model.txt")
	out, _ := run(t, 0, "evaluate", "-folds", "3", "-target", "numbers", "-group", "query", "-bootstrap", "50", train)
	if v := metric(t, out, "ndcg@10"); v < 0.95 || strings.Contains(out, "rmse") {
		t.Errorf("cross-validated:\n%s", out)
	}
	run(t, 0, "fit", "-target", "numbers", "-group", "query", "-patience", "20", "-metric", "ndcg@10", "-o", model, train)
	out, _ = run(t, 0, "evaluate", "-model", model, "-group", "query", train)
	if v := metric(t, out, "ndcg@10"); v < 0.97 {
		t.Errorf("NDCG %v of the rows of training", v)
	}
	run(t, 2, "fit", "-target", "numbers", "-group", "query", temp(t, "train.libsvm"))
	out, _ = run(t, 0, "explain", "-model", model, "-group", "query", "-repeats", "40", train)
	if !strings.Contains(out, "ndcg@10 when shuffled") || strings.Count(out, "95% interval +0.") != 2 {
		t.Errorf("explanation of a ranking:\n%s", out)
	}
}

// TestTimes: times between bounds are learned, by cross-validation and by a model.
func TestTimes(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,until,time\n")
	for i := range 400 {
		a, c := i*7919%100, i*104729%50
		y := float64(1+a*(50-c)) * float64(9+i%3) / 10
		until := []string{fmt.Sprint(y), "", "inf", fmt.Sprint(2 * y)}[i%4]
		fmt.Fprintf(&b, "%d,%d,%s,%v\n", a, c, until, y)
	}
	train, model := write(t, "train.csv", b.String()), temp(t, "model.txt")
	out, _ := run(t, 0, "evaluate", "-folds", "3", "-target", "numbers", "-upper", "until", "-method", "aft(distribution=logistic,scale=0.5)+trees", "-shrinkage", "0.1", train)
	if v := metric(t, out, "concordance"); v < 0.9 || metric(t, out, "aft") <= 0 {
		t.Errorf("cross-validated:\n%s", out)
	}
	run(t, 0, "fit", "-target", "numbers", "-upper", "until", "-o", model, train)
	out, _ = run(t, 0, "evaluate", "-model", model, "-upper", "until", train)
	if v := metric(t, out, "concordance"); v < 0.9 {
		t.Errorf("concordance %v of the rows of training", v)
	}
	out, _ = run(t, 0, "explain", "-model", model, "-upper", "until", train)
	if !strings.Contains(out, "concordance when shuffled") {
		t.Errorf("explanation of times:\n%s", out)
	}
}

// TestDocsProgram: the program in docs/boosting.md runs as printed there: it fits a
// CSV file, and serves the probabilities of other rows.
func TestDocsProgram(t *testing.T) {
	page := must.Get(os.ReadFile("../../../docs/boosting.md"))
	_, rest, found := strings.Cut(string(page), "```go\npackage main\n")
	program, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/boosting.md has no program")
	}
	body := program[strings.Index(program, "func main"):]
	if n := strings.Count(body, "\n"); n > 30 {
		t.Errorf("the program has %d lines, want at most 30", n)
	}
	source, binary := write(t, "main.go", "package main\n"+program), temp(t, "program.exe")
	if out, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	free := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	address := free.Addr().String()
	free.Close()
	server := exec.Command(binary, write(t, "shop.csv", shop(300, 0)), address)
	must.Do(server.Start())
	defer server.Wait()
	defer server.Process.Kill()
	ask := func(csv string) (int, string) {
		for tries := 0; ; tries++ {
			r, err := http.Post("http://"+address, "text/csv", strings.NewReader(csv))
			if err != nil {
				if tries == 500 {
					t.Fatal(err)
				}
				time.Sleep(20 * time.Millisecond)
				continue
			}
			defer r.Body.Close()
			text := must.Get(io.ReadAll(r.Body))
			return r.StatusCode, string(text)
		}
	}
	status, text := ask("size,colour,price\n1,red,9\n,blue,9\n")
	var p []float64
	if err := json.Unmarshal([]byte(text), &p); err != nil || status != http.StatusOK || len(p) != 2 || !(p[0] > 0.6 && p[1] < 0.3) {
		t.Errorf("status %d: %s", status, text)
	}
	if status, text := ask("size,colour\n1,red\n"); status != http.StatusBadRequest || !strings.Contains(text, "price") {
		t.Errorf("without a column: status %d, %s", status, text)
	}
}

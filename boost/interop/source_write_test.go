package interop

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

// programs are a model of two classes, with categories, missing values, thresholds of
// missing values alone and a tree with branches, and one of three classes; and
// rows to predict.
func programs() (*Model, *Model, [][]float64) {
	r := rand.New(rand.NewPCG(3, 4))
	node := func(n *boost.Node) {
		n.In = nil
		switch n.MissingLeft = r.IntN(2) == 0; r.IntN(5) {
		case 0:
			n.Column, n.In = 3, &[8]uint32{r.Uint32(), r.Uint32(), 0, 0, 0, 0, 0, r.Uint32()}
		case 1:
			n.Column, n.Threshold = r.IntN(3), math.Inf(1)
		default:
			n.Column, n.Threshold = r.IntN(3), r.NormFloat64()
		}
	}
	one := func(link boost.Link) *boost.Model {
		m := &boost.Model{Columns: 4, Bias: r.NormFloat64(), Link: link, Schema: boost.Schema{Levels: [][]string{nil, nil, nil, {}}}}
		for k := range 52 { // two functions
			t := deep(r, append([]int{8, 20, 1, 2}, make([]int, 48)...)[k]+3*(min(k, 4)/4))
			for i := range t.Nodes {
				node(&t.Nodes[i])
			}
			for i := range t.Leaves {
				t.Leaves[i] = r.NormFloat64()
			}
			m.Terms = append(m.Terms, boost.Term{Coef: r.Float64() / 10, Weak: t})
		}
		return m
	}
	several := &boost.MultiModel{Columns: 4, Softmax: true}
	for range 3 {
		several.Models = append(several.Models, one(boost.NoLink))
	}
	var rows [][]float64
	for i := range 200 {
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), float64(r.IntN(256))}
		if i%3 == 0 {
			x[r.IntN(4)] = math.NaN()
		}
		rows = append(rows, x)
	}
	return &Model{One: one(boost.LogisticLink)}, &Model{Several: several}, rows
}

// TestPrograms: programs of Go and C predict the model's numbers to the bit.
func TestPrograms(t *testing.T) {
	one, several, rows := programs()
	var input, want strings.Builder
	for _, x := range rows {
		for _, v := range x {
			fmt.Fprintln(&input, strconv.FormatFloat(v, 'g', -1, 64))
		}
		for _, v := range append([]float64{one.One.Score(x), one.One.Mean(x)}, several.Several.Probabilities(nil, x)...) {
			fmt.Fprintf(&want, "%016x\n", math.Float64bits(v))
		}
	}
	dir := t.TempDir()
	file := func(name string, write func(b *bytes.Buffer) error) {
		t.Helper()
		var b bytes.Buffer
		must.Do(write(&b))
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		must.Do(os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666))
	}
	text := func(s string) func(b *bytes.Buffer) error {
		return func(b *bytes.Buffer) error { b.WriteString(s); return nil }
	}
	file("one/one.go", func(b *bytes.Buffer) error { return WriteGo(b, one, "one") })
	file("three/three.go", func(b *bytes.Buffer) error { return WriteGo(b, several, "three") })
	file("c/one.c", func(b *bytes.Buffer) error { return WriteC(b, one, "one") })
	file("c/three.c", func(b *bytes.Buffer) error { return WriteC(b, several, "three") })
	file("go.mod", text("module m\n\ngo 1.21\n"))
	file("main.go", text(`package main

import (
	"fmt"
	"math"
	"m/one"
	"m/three"
)

func main() {
	x, p := make([]float64, 4), [3]float64{}
	for {
		if n, _ := fmt.Scan(&x[0], &x[1], &x[2], &x[3]); n < 4 {
			return
		}
		three.Predict(x, &p)
		for _, v := range []float64{one.Score(x), one.Predict(x), p[0], p[1], p[2]} {
			fmt.Printf("%016x\n", math.Float64bits(v))
		}
	}
}
`))
	file("c/main.c", text(`#include <inttypes.h>
#include <stdio.h>
#include <string.h>
double one_score(const double *), one_predict(const double *);
void three_predict(const double *, double *);
int main(void) {
	double x[4], v[5];
	while (scanf("%lf %lf %lf %lf", x, x + 1, x + 2, x + 3) == 4) {
		v[0] = one_score(x), v[1] = one_predict(x), three_predict(x, v + 2);
		for (int i = 0; i < 5; i++) {
			uint64_t u;
			memcpy(&u, v + i, 8);
			printf("%016" PRIx64 "\n", u);
		}
	}
	return 0;
}
`))
	for name, build := range map[string][]string{
		"go.exe": {"go", "build", "-o", "go.exe", "."},
		"c.exe":  {"cc", "-std=c99", "-O1", "-Wall", "-Werror", "-o", "c.exe", "c/main.c", "c/one.c", "c/three.c", "-lm"},
	} {
		if _, err := exec.LookPath(build[0]); err != nil {
			t.Logf("no %s here", build[0])
			continue
		}
		run := func(args ...string) string {
			c := exec.Command(args[0], args[1:]...)
			c.Dir, c.Stdin = dir, strings.NewReader(input.String())
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
			return string(out)
		}
		run(build...)
		if got := run(filepath.Join(dir, name)); got != want.String() {
			t.Errorf("%s prints other numbers than the model", name)
		}
	}
	if err := WriteGo(&bytes.Buffer{}, &Model{One: &boost.Model{Columns: 1, Link: boost.LogisticLink, Terms: []boost.Term{{Coef: 1, Weak: &boost.Histogram{}}}}}, "m"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("error %v of a histogram", err)
	}
	if err := WriteC(&bytes.Buffer{}, &Model{One: &boost.Model{Columns: 1}}, "m"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("error %v without a link", err)
	}
}

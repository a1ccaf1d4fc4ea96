package cascade

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// nativeText is the "soft" of fileCascades in the native format, without the
// checksum. It was checked by hand against models/FORMAT.md: if Encode writes
// anything else, that is a new version of the format.
const nativeText = `haarlem-cascade 1
name "Gesicht, weich"
kind haar
window 24 20
min-std-dev 0.5
calibration 1.75 -3.0000000000000004
program "train-cascade 0.1"
command "train-cascade -seed 7 \"my data\""
seed 18446744073709551615
data "drawn faces, CC0"
data ""
note "zwei Zeilen:\n\u0009tab, \\ und \u0001\u007f äöü"
features 3
up 2 3 8 6 -1 2 5 8 2 3
tilt 10 1 6 3 -1 12 3 2 3 3
up 0 0 24 20 -1 0 0 12 10 2 12 10 12 10 2.25
grid 2^-4
weak 3 exits 3
hist 2 -0.25 32 -8 -6 -4 -2 0 2 4 6
exit -32
hist 0 -0.001 1234.5 8 7 6 5 4 3 2 1 0 -1 -2 -3 -4 -5 -6 -7
exit -17
stump 1 0.1 -24 32
exit 8
`

const nativeTextSum = "sha256 7cbdd69fb30143e74b0e850e4b255f317120ca349863e7532b10e7938fe35de6\n"

func TestEncodeIsStable(t *testing.T) {
	if got := string(encode(fileCascades()["soft"])); got != nativeText+nativeTextSum {
		t.Errorf("got\n%s\nwant\n%s", got, nativeText+nativeTextSum)
	}
}

// The example in models/FORMAT.md is valid.
func TestFormatPage(t *testing.T) {
	page := must.Get(os.ReadFile("../models/FORMAT.md"))
	_, example, _ := strings.Cut(string(page), "```\n")
	example, _, _ = strings.Cut(example, "```\n")
	c := must.Get(Read(strings.NewReader(example), nil))
	if got := string(encode(c)); got != example {
		t.Errorf("the example is written\n%s\nbut the page has\n%s", got, example)
	}
}

func TestNativeRoundTrip(t *testing.T) {
	for name, c := range fileCascades() {
		if err := c.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		data := encode(c)
		got, err := Read(bytes.NewReader(data), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(got, c) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, c)
		}
		if !bytes.Equal(encode(got), data) {
			t.Errorf("%s: other bytes the second time", name)
		}
	}
}

// Every truncated file, and every file with one bit flipped, is an error.
func TestReadDamagedNative(t *testing.T) {
	for name, c := range fileCascades() {
		data := encode(c)
		for n := range data {
			if _, err := Read(bytes.NewReader(data[:n]), nil); !errors.Is(err, ErrFormat) {
				t.Fatalf("%s: the first %d of %d bytes: error %v, want one of ErrFormat", name, n, len(data), err)
			}
			turned := bytes.Clone(data)
			turned[n] ^= 1 << (n % 8)
			if _, err := Read(bytes.NewReader(turned), nil); err == nil {
				t.Fatalf("%s: no error with byte %d turned from %q into %q", name, n, data[n], turned[n])
			}
		}
	}
}

var hostileNative = []hostile{
	{"haarlem-cascade 1", "haarlem-cascade 2", ErrVersion, "line 1|version 2, want 1"},
	{"haarlem-cascade 1", "haarlem-cascade 0", ErrVersion, "line 1|version 0, want 1"},
	{"kind haar", "kind haar\nobject face faces", ErrFormat, "line 4|\"object\", want \"window\""},
	{"haarlem-cascade 1", "haarlem-cascade x", ErrFormat, "line 1|version"},
	{"haarlem-cascade 1", "haarlem-cascade 1 ", ErrFormat, "line 1|end of the line"},
	{"haarlem-cascade 1", "haarlem-cascade 1\r", ErrFormat, "line 1|carriage return"},
	{"haarlem", "\xef\xbb\xbfhaarlem", ErrFormat, "byte order mark"},
	{`"Gesicht, weich"`, `Gesicht`, ErrFormat, "line 2|quotes"},
	{`"Gesicht, weich"`, `"Gesicht`, ErrFormat, "line 2|quotes"},
	{`"Gesicht, weich"`, `"`, ErrFormat, "line 2|quotes"},
	{`"Gesicht, weich"`, `""`, ErrFormat, "line 2|left out"},
	{`"Gesicht, weich"`, `"a"b"`, ErrFormat, "line 2|escaped"},
	{`"Gesicht, weich"`, `"\x41"`, ErrFormat, "line 2|not an escape"},
	{`"Gesicht, weich"`, `"\u00zz"`, ErrFormat, "line 2|not an escape"},
	{`"Gesicht, weich"`, `"\u00e4"`, ErrFormat, "line 2|not an escape"},
	{`"Gesicht, weich"`, `"\"`, ErrFormat, "line 2|not an escape"},
	{`"Gesicht, weich"`, "\"\xff\"", ErrFormat, "line 2|UTF-8"},
	{`"Gesicht, weich"`, `"\n"`, ErrFormat, "not printable"},
	{`Gesicht, weich`, strings.Repeat("x", 101), ErrFormat, "name: 101 bytes"},
	{"kind haar", "kind hog", ErrFormat, "line 3|haar or lbp"},
	{"kind haar", "kind lbp", ErrFormat, "line 5|\"min-std-dev\", want \"seed\""},
	{"kind haar\n", "", ErrFormat, "line 3|\"window\", want \"kind\""},
	{"window 24 20", "window 24 1025", ErrFormat, "line 4|height|1 to 1024"},
	{"window 24 20", "window 24", ErrFormat, "line 4|height|nothing"},
	{"window 24 20", "window  24 20", ErrFormat, "line 4|width|\"\""},
	{"window 24 20", "window 1024 1024", ErrFormat, "window 1024x1024"},
	{"min-std-dev 0.5", "min-std-dev nan", ErrFormat, "line 5|not a number"},
	{"min-std-dev 0.5", "min-std-dev -0.5", ErrFormat, "MinStdDev -0.5"},
	{"min-std-dev 0.5", "min-std-dev .5", ErrFormat, "line 5|not a number"},
	{"min-std-dev 0.5", "min-std-dev +0.5", ErrFormat, "line 5|not a number"},
	{"min-std-dev 0.5", "min-std-dev 00.5", ErrFormat, "line 5|not a number"},
	{"min-std-dev 0.5", "min-std-dev 5.", ErrFormat, "line 5|not a number"},
	{"min-std-dev 0.5", "min-std-dev 0x5", ErrFormat, "line 5|not a number"},
	{"calibration 1.75", "calibration 0", ErrFormat, "calibration"},
	{"calibration 1.75", "calibration 1e999", ErrFormat, "line 6|float64"},
	{"seed 18446744073709551615", "seed 18446744073709551616", ErrFormat, "line 9|64 bits"},
	{"seed 18446744073709551615", "seed 007", ErrFormat, "line 9|64 bits"},
	{"data \"\"", strings.Repeat("data \"\"\n", 1000), ErrFormat, "line 1010|more than 1000"},
	{"drawn faces", strings.Repeat("x", 1<<16), ErrFormat, "data set 0"},
	{"features 3", "features 4", ErrFormat, "line 17|\"grid\", want \"up\" or \"tilt\""},
	{"features 3", "features 2", ErrFormat, "line 16|\"up\", want \"weak\""},
	{"features 3", "features 100000", ErrFormat, "line 13|no room"},
	{"features 3", "features 2147483647", ErrLimit, "line 13|131072"},
	{"features 3", "features 99999999999999999999", ErrFormat, "line 13|features"},
	{"features 3", "features 0", ErrFormat, "line 13|features"},
	{"up 2 3 8 6 -1", "up 2 3 8 6 -1 2 5 8 2 1 2 5 8 2 1", ErrFormat, "line 14|end of the line"},
	{"up 2 3 8 6 -1", "up 2 3 8 6 0", ErrFormat, "line 14|rectangle 0: weight 0"},
	{"up 2 3 8 6 -1", "up 2 3 8 6 inf", ErrFormat, "line 14|rectangle 0: weight"},
	{"up 2 3 8 6 -1", "up 17 3 8 6 -1", ErrFormat, "line 14|feature 0: rectangle 0|not inside"},
	{"up 2 3 8 6 -1", "up 2 3 8 6 -1e6", ErrFormat, "line 14|weight -1e+06"},
	{"up 2 3 8 6 -1 ", "up ", ErrFormat, "line 14|rectangle 1: x"},
	{"tilt 10", "tilt 2", ErrFormat, "line 15|tilted"},
	{"grid 2^-4", "grid 2^-25", ErrFormat, "line 17|2^-24"},
	{"grid 2^-4", "grid 16", ErrFormat, "line 17|2^-24"},
	{"weak 3", "weak 100000", ErrFormat, "line 18|no room"},
	{"weak 3", "weak 1000000", ErrLimit, "line 18|131072"},
	{"weak 3", "weak 4", ErrFormat, "line 25|\"sha256\""},
	{"weak 3", "weak 2", ErrLimit, "exits, want at most 2"},
	{"exits 3", "exits 2", ErrFormat, "line 24|\"exit\", want \"sha256\""},
	{"exits 3", "exit 3", ErrFormat, "line 18|\"exits\""},
	{"exit -17\n", "", ErrFormat, "2 exits, want 3"},
	{"exit 8\n", "", ErrFormat, "2 exits, want 3"},
	{"exit -17", "exit -17.5", ErrFormat, "line 22|threshold: \"-17.5\" is not an integer"},
	{"exit -17", "exit 16777217", ErrFormat, "line 22|24 significant bits"},
	{"exit -17", "exit -17 restart ", ErrFormat, "line 22|end of the line"},
	{"exit -17", "exit -17 stop", ErrFormat, "line 22|restart"},
	{"hist 2", "hist 3", ErrFormat, "line 19|feature: \"3\", want 0 to 2"},
	{"hist 2", "hist -1", ErrFormat, "line 19|feature"},
	{"hist 2 -0.25 32", "hist 2 -0.25 0", ErrFormat, "line 19|Scale 0"},
	{"hist 2 -0.25 32", "hist 2 -0.25 -1", ErrFormat, "line 19|Scale -1"},
	{"hist 2 -0.25 32", "hist 2 1e39 32", ErrFormat, "line 19|low|float32"},
	{"hist 2 -0.25 32 -8", "hist 2 -0.25 32", ErrFormat, "line 19|7 leaves"},
	{"hist 2 -0.25 32 -8", "hist 2 -0.25 32 -8 -8", ErrFormat, "line 19|9 leaves"},
	{"stump 1 0.1", "stump 1 nan", ErrFormat, "line 23|node 0: threshold"},
	{"stump 1 0.1 -24 32", "stump 1 0.1 -24", ErrFormat, "line 23|leaf: nothing"},
	{"stump 1 0.1 -24 32", "stump 1 0.1 -24 32 1", ErrFormat, "line 23|end of the line"},
	{"stump 1 0.1", "stump 1 0.1 2147483648", ErrFormat, "line 23|leaf"},
	{"stump 1 0.1 -24", "stump 1 0.1 -2147483647", ErrFormat, "line 23|24 significant bits"},
	{"stump 1 0.1 -24", "branch 1 0.1 -24", ErrFormat, "line 23|\"branch\""},
	{"stump 1 0.1 -24 32", "tree 2 1 0.1 1 0 0 0.2 0 -1 7 8 9", ErrFormat, "line 23|node 1: child 0 has another parent"},
	{"stump 1 0.1 -24 32", "tree 2 1 0.1 1 0 0 0.2 1 -1 7 8 9", ErrFormat, "line 23|node 1: child 1 has another parent"},
	{"stump 1 0.1 -24 32", "tree 2 1 0.1 0 -1 0 0.2 1 -2 7 8 9", ErrFormat, "line 23|1 of 2 nodes cannot be reached"},
	{"stump 1 0.1 -24 32", "tree 2 1 0.1 1 -3 0 0.2 0 -1 7 8 9", ErrFormat, "line 23|node 0: child -3"},
	{"stump 1 0.1 -24 32", "tree 2 1 0.1 1 0 0 0.2 -1 -2 7 8", ErrFormat, "line 23|leaf: nothing"},
	{"stump 1 0.1 -24 32", "tree 2000000000 1 0.1 1 0 0 0.2 -1 -2 7 8", ErrFormat, "line 23|no room"},
	{"stump 1 0.1 -24 32", "tree 0 1", ErrFormat, "line 23|nodes"},
	{"exit 8\n", "exit 8\nmore\n", ErrFormat, "line 25|\"more\", want \"sha256\""},
}

func TestReadHostileNative(t *testing.T) {
	checkHostile(t, hostileNative, func(h hostile) string {
		return string(seal([]byte(h.edit(nativeText)))) // with the right checksum
	})
	checkHostile(t, []hostile{
		{"exit 8", "exit 9", ErrFormat, "line 25|changed or damaged"},
		{"sha256 7c", "sha256 7C", ErrFormat, "line 25|changed or damaged"},
		{"sha256 7c", "sha256  7c", ErrFormat, "line 25|changed or damaged"},
		{"35de6\n", "35de6", ErrFormat, "line 25|ends within this line"},
		{"35de6\n", "35de6 \n", ErrFormat, "line 25|end of the line"},
		{"35de6\n", "35de6\n\n", ErrFormat, "line 25|end of the file"},
		{"sha256 7c", "sha512 7c", ErrFormat, "line 25|sha256"},
	}, func(h hostile) string { return h.edit(nativeText + nativeTextSum) })
}

// What a file must say of each part of a model, and what it must not.
func TestReadHostileParts(t *testing.T) {
	const boxed = "verifier 1.5 2\ncontext 2.5\ngrid 2^-2\ntrees 1\nstump 3597 -12 1 -2\nboxes 2 0 0 1\ngrid 2^-4\nstump 1 5 2 -4\nstump 3000 6 8 4\nstump 2 7 0 1\n"
	for of, tests := range map[string][]hostile{
		"verified": {
			{"verifier 1.4 2.75", "verifier 0.4 2.75", ErrFormat, "a square of 0.4 sides"},
			{"verifier 1.4 2.75", "verifier 5 2.75", ErrFormat, "a square of 5 sides"},
			{"verifier 1.4 2.75", "verifier 1.4 0", ErrFormat, "weight 0"},
			{"verifier 1.4 2.75", "verifier 1.4 1e9", ErrFormat, "weight 1e+09"},
			{"verifier 1.4 2.75", "verifier 1.4", ErrFormat, "nothing"},
			{"verifier 1.4 2.75", "verifier 1.4 2.75 1", ErrFormat, "end of the line"},
			{"trees 2", "trees 0", ErrFormat, "1 to"},
			{"trees 2", "trees 3", ErrFormat, "\"sha256\", want \"stump\""},
			{"trees 2", "trees 1", ErrFormat, "\"tree\", want \"sha256\""},
			{"trees 2", "trees 1000000", ErrLimit, "1000000 trees"},
			{"trees 2", "trees 100000", ErrFormat, "no room"},
			{"stump 1798", "stump 1799", ErrFormat, "feature"},
			{"stump 1798 -12 2 -4", "hist 3 0 1 1 2 3 4 5 6 7 8", ErrFormat, "a histogram, want trees only"},
			{"0 3.5 0 -1", "0 3.5 0 0", ErrFormat, "not a tree"},
		},
		"boxed": {
			{"context 2.5", "context 0", ErrFormat, "context of nothing"},
			{"context 2.5", "context 4.5", ErrFormat, "a second square of 4.5 sides"},
			{"context 2.5\n", "context 2.5\nmulti-crop -2 1 0 0\n", ErrFormat, "\"multi-crop\", want \"trees\""},
			{"context 2.5", "multi-crop 0 0 0 0", ErrFormat, "multi-crop of nothing"},
			{"context 2.5", "context NaN", ErrFormat, "NaN"},
			{"context 2.5\n", "", ErrFormat, "feature"}, // which only the second square has
			{"boxes 2 0 0 1", "boxes 2 0 0 2", ErrFormat, "\"verifier\", want \"stump\""},
			{"boxes 2 0 0 1", "boxes 2 0 0 0", ErrFormat, "\"stump\", want \"sha256\""},
			{"boxes 2 0 0 1", "boxes 2 0 1", ErrFormat, "nothing"},
			{"boxes 2 0 0 1", "boxes 2 0 0 1 1", ErrFormat, "end of the line"},
			{"boxes 2 0 0 1", "boxes 2 0 0 1000000000", ErrLimit, "1000000000 trees"},
			{"boxes 2 0 0 1\ngrid 2^-4\nstump 1 5 2 -4\nstump 3000 6 8 4\nstump 2 7 0 1", "boxes 0 0 0 0", ErrFormat, "no trees"},
			{"stump 2 7 0 1", "stump 3598 7 0 1", ErrFormat, "feature"},
			{"stump 2 7 0 1", "hist 3 0 1 1 2 3 4 5 6 7 8", ErrFormat, "a histogram, want trees only"},
			{boxed, boxed + boxed + boxed + boxed, ErrFormat, "more than 4 verifiers"},
		},
		"mirrored": {
			{"mirror\n", "mirror 1\n", ErrFormat, "end of the line"},
			{"mirror\n", "mirror\nmirror\n", ErrFormat, "\"mirror\", want \"trees\""},
		},
		"ahead": {
			{"multi-crop -2 12.5 0 0.12", "multi-crop 0 0 0 0", ErrFormat, "line "},
			{"multi-crop -2 12.5 0 0.12", "multi-crop 14 -2.5 0 0", ErrFormat, "line "},
			{"multi-crop -2 12.5 0 0.12", "multi-crop 0 1 0.6 0", ErrFormat, "line "},
			{"multi-crop -2 12.5 0 0.12", "multi-crop 0 1 0 -0.1", ErrFormat, "line "},
			{"multi-crop -2 12.5 0 0.12", "multi-crop 0 1 0", ErrFormat, "line "},
			{"multi-crop -2 12.5 0 0.12", "multi-crop 0 1 0 0 0", ErrFormat, "line "},
			{"multi-crop -2 12.5 0 0.12", "multi-crop 0 1 x 0", ErrFormat, "line "},
			{"multi-crop -2 12.5 0 0.12", "multi-crop ", ErrFormat, "line "},
		},
		"network": {
			{"network 2 0.6", "network 3 0.6", ErrFormat, "steps|1 to 2"},
			{"network 2 0.6", "network 2 0", ErrFormat, "overlap 0"},
			{"network 2 0.6", "network 1 0.6", ErrFormat, "\"step\", want \"sha256\""},
			{"step 8 1 1 0", "step 7 1 1 0", ErrFormat, "step 0|side|8 to 64"},
			{"step 8 1 1 0", "step 8 33 1 0", ErrFormat, "layers|1 to 32"},
			{"step 8 1 1 0", "step 8 2 1 0", ErrFormat, "layer 0"},
			{"scales 1\n", "scales 0\n", ErrFormat, "scale 0 is 0"},
			{"scales 1\n", "scales" + strings.Repeat(" 1", 33) + "\n", ErrFormat, "more than 32 scales"},
			{"conv 3 1 0 8", "conv 3 1 0 257", ErrFormat, "layer|0 to 256"},
			{"conv 3 1 0 8", "conv 3 1 0 16", ErrFormat, "characters of weights"},
			{"conv 3 1 0 8", "gru 3 1 0 8", ErrFormat, "conv"},
			{"max 2\n", "max 4\n", ErrFormat, "layer 1"},
			{"weights ", "weights =", ErrFormat, "characters of weights"},
			{"biases 0", "biases x", ErrFormat, "bias"},
			{"shifts 0", "shifts 25", ErrFormat, "shift|0 to 24"},
		},
		"mixed": {
			{"object bus buses", "object bus", ErrFormat, "line 2|plural: \"\""},
			{"object bus buses", "object  buses", ErrFormat, "line 2|singular: \"\""},
			{"object bus buses", "object ", ErrFormat, "line 2|left out"},
			{"object bus buses", "object bus buses old", ErrFormat, "line 2|end of the line"},
			{"object bus buses", "object b/s buses", ErrFormat, "line 2|'/'"},
			{"object bus buses", "object bus ..", ErrFormat, "line 2|'.'"},
			{"object bus buses", "object -bus buses", ErrFormat, "line 2|a hyphen not first"},
			{"object bus buses", "object bus \xff", ErrFormat, "line 2|UTF-8"},
			{"object bus buses", "object bus \x1b[1m", ErrFormat, "line 2|a hyphen not first"},
			{"object bus buses", "object bus b" + strings.Repeat("u", 40), ErrFormat, "line 2|1 to 40 bytes"},
			{"object bus buses\n", "object bus buses\nobject bus buses\n", ErrFormat, "line 3|\"object\", want \"kind\""},
		},
	} {
		text := unsealed(fileCascades()[of])
		checkHostile(t, tests, func(h hostile) string { return string(seal([]byte(h.edit(text)))) })
	}
}

func TestGrid(t *testing.T) {
	for _, test := range []struct {
		leaf, threshold float32
		want            grid
	}{
		{0, 0, 0},
		{1, -3, 0},
		{6, 8, 0},
		{0.5, 1, 1},
		{1, -0.625, 3},
		{1 << 29, 0, 0},
		{1.0 / (1 << 24), 1, 24},
		{1.0 / (1 << 25), 1, -1},
		{0.1, 1, -1},
		{math.SmallestNonzeroFloat32, 0, -1},
		{1.0 / (1 << 24), 127.5, 24},
		{1.0 / (1 << 24), 128, -1}, // 2^31 does not fit
		{1, math.MaxFloat32, -1},
	} {
		k := gridOf([]Weak{{Leaves: []float32{test.leaf, 0}}}, []Exit{{Threshold: test.threshold}})
		if k != test.want {
			t.Errorf("grid of %v and %v is 2^-%d; want 2^-%d", test.leaf, test.threshold, k, test.want)
		}
	}
}

// A soft cascade of 2,000 histograms of 16 bins, with leaves on a grid.
func TestNativeSize(t *testing.T) {
	c := histograms(2000, 1.0/(1<<16))
	data := encode(c)
	if len(data) >= 400_000 {
		t.Errorf("%d bytes, want less than 400,000", len(data))
	}
	if got, err := Read(bytes.NewReader(data), nil); err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("not the same after reading: %v", err)
	}
}

func histograms(n int, grid float32) *Cascade {
	c := stumps(n)
	for i := range c.Weak {
		w := Weak{Feature: int32(i), Low: c.Weak[i].Leaves[0], Scale: 1 + c.Weak[i].Leaves[1]/2}
		for k := range 16 {
			leaf := c.Weak[i].Leaves[0] * float32(math.Cos(float64(k)))
			w.Leaves = append(w.Leaves, float32(math.Round(float64(leaf/grid)))*grid)
		}
		c.Weak[i] = w
	}
	c.Exits = c.Exits[:0]
	for i := range c.Weak {
		c.Exits = append(c.Exits, Exit{After: i + 1, Threshold: float32(math.Round(-float64(i)/100/float64(grid))) * grid})
	}
	return c
}

func TestEncodeRefuses(t *testing.T) {
	c := fileCascades()["soft"]
	c.Weak[0].Scale = 0
	var b bytes.Buffer
	if err := c.Encode(&b); !errors.Is(err, ErrModel) || b.Len() > 0 {
		t.Errorf("error %v and %d bytes, want one of ErrModel and none", err, b.Len())
	}
	c = fileCascades()["soft"]
	if err := c.Encode(brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want the writer's", err)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

// Every bit of a subset keeps its position.
func TestNativeSubset(t *testing.T) {
	c := fileCascades()["xml-lbp"]
	for bit := range 256 {
		s := [8]uint32{}
		s[bit/32] = 1 << (bit % 32)
		c.Weak[0].Nodes[0].Subset = s
		got, err := Read(bytes.NewReader(encode(c)), nil)
		if err != nil || got.Weak[0].Nodes[0].Subset != s {
			t.Fatalf("bit %d: %v", bit, err)
		}
	}
}

// The page that describes the format has exactly the reader's keys.
func TestFormatPageKeys(t *testing.T) {
	data := must.Get(os.ReadFile("../models/FORMAT.md"))
	page := string(data)
	described := map[string]string{} // by key
	_, body, _ := strings.Cut(page, "\n## Head\n")
	body, _, _ = strings.Cut(body, "\n## Reading hostile files\n")
	span := regexp.MustCompile("`([a-z][a-z0-9-]*)[^`]*`")
	for line := range strings.Lines(body) {
		subject := ""
		if row, ok := strings.CutPrefix(line, "| "); ok {
			subject, _, _ = strings.Cut(row, " | ")
		} else if subject = strings.TrimPrefix(line, "- "); strings.HasPrefix(subject, "`") {
			subject = subject[:strings.Index(subject[1:], "`")+2]
		} else {
			continue
		}
		for _, m := range span.FindAllStringSubmatch(subject, -1) {
			described[m[1]] += line
		}
	}
	known := knownKeys(t)
	for _, key := range known {
		if described[key] == "" {
			t.Errorf("the reader knows %q, and models/FORMAT.md does not describe it", key)
		}
	}
	for key := range described {
		if !slices.Contains(known, key) {
			t.Errorf("models/FORMAT.md describes %q, which the reader does not know", key)
		}
	}
}

// knownKeys are the first words of lines that the reader accepts: those of the
// tables, and the strings that its code passes to peek and want or compares a
// line's key with.
func knownKeys(t *testing.T) []string {
	t.Helper()
	var keys []string
	for _, l := range headLines {
		keys = append(keys, l.key)
	}
	for _, l := range verifierLines {
		keys = append(keys, l.key)
	}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			key := must.Get(strconv.Unquote(lit.Value))
			keys = append(keys, key)
		}
	}
	for _, name := range []string{"native_read.go", "native_network.go", "native_lines.go"} {
		file := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, 0))
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"peek", "want"}, f.Sel.Name) {
					add(n.Args[0])
				}
			case *ast.SwitchStmt: // switch string(r.key)
				call, ok := n.Tag.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					break
				}
				if arg, ok := call.Args[0].(*ast.SelectorExpr); ok && arg.Sel.Name == "key" {
					for _, c := range n.Body.List {
						for _, e := range c.(*ast.CaseClause).List {
							add(e)
						}
					}
				}
			}
			return true
		})
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func TestParseObject(t *testing.T) {
	for text, want := range map[string]Object{
		"face": {"face", "faces"}, "bus,buses": {"bus", "buses"}, "stop-sign": {"stop-sign", "stop-signs"}, "Gesicht,Gesichter": {"Gesicht", "Gesichter"}, "лицо,лица": {"лицо", "лица"}, "number plate": {"number-plate", "number-plates"},
		"  Bücherstapel (rot) , Bücherstapel": {"Bücherstapel-rot", "Bücherstapel"}, "../../etc/3D print\x1b[1m": {"etc-3D-print-1m", "etc-3D-print-1ms"}, "हिन्दी": {"हिन्दी", "हिन्दीs"}, "C:\\a": {"C-a", "C-as"}, "7": {"7", "7s"},
	} {
		if got, err := ParseObject(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", ",", "a,", ",b", "a,b,c", "../", "\xff", "\u0301", strings.Repeat("x", 41)} {
		if got, err := ParseObject(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

package cascade

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestAppendFloat32(t *testing.T) {
	// The shortest number for this one reads back differently by way of
	// float64.
	rare := math.Float32frombits(0x15ae43fd)
	short := strconv.FormatFloat(float64(rare), 'g', -1, 32)
	if by, err := strconv.ParseFloat(short, 64); err != nil || float32(by) == rare {
		t.Fatalf("%s is harmless: %v", short, err)
	}
	if got := string(appendFloat32(nil, float32(math.Copysign(0, -1)))); got != "0" {
		t.Errorf("negative zero is written %s", got)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 300_000 {
		v := math.Float32frombits(random.Uint32())
		if i == 0 {
			v = rare
		}
		if !isFinite(float64(v)) {
			continue
		}
		s := string(appendFloat32(nil, v))
		once, err1 := strconv.ParseFloat(s, 32)
		twice, err2 := strconv.ParseFloat(s, 64)
		if err1 != nil || err2 != nil || float32(once) != v || float32(twice) != v {
			t.Fatalf("%v is written %s, which is %v at once and %v by way of float64", v, s, once, float32(twice))
		}
		if got, err := parseReal([]byte(s)); err != nil || got != v {
			t.Fatalf("%s is read as %v, %v", s, got, err)
		}
	}
}

func TestParseReal(t *testing.T) {
	for word, want := range map[string]float32{
		"0": 0, "-0": 0, "7": 7, "-12": -12, "-1.": -1, ".5": 0.5, "-.5": -0.5, "1e-003": 0.001,
		"+1.5": 1.5, "1.0E+2": 100, "2147483647": 1 << 31, "1e-400": 0, "3.4028235e38": math.MaxFloat32,
		// Halfway in float64: to even, as a C++ cast of OpenCV's double does.
		"1.00000005960464477539062500001": 1,
	} {
		if got, err := parseReal([]byte(word)); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", word, got, err, want)
		}
	}
	for _, word := range []string{"", "-", "+", ".", "e", "-e5", "010", "0x10", "0x1p3", "1e", "1e5.", "1.2.3", "nan", "NaN.", "inf", "1_0.0", "1,5", "1E5", "+1", "2147483648", "3.5e38", "1e400", "--1", "1-", "1.5\x00"} {
		if got, err := parseReal([]byte(word)); err == nil {
			t.Errorf("%q is %v, want an error", word, got)
		}
	}
	if _, err := parseReal(nil); err == nil {
		t.Error("nothing is a number")
	}
}

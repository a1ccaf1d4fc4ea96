package cascade

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// parseInt reads an integer in its shortest decimal form, lo to hi. Leading
// zeros are refused because OpenCV reads 010 as eight.
func parseInt(word []byte, lo, hi int) (int, error) {
	digits := bytes.TrimPrefix(word, []byte("-"))
	ok := len(digits) > 0 && (digits[0] != '0' || len(word) == 1)
	for _, c := range digits {
		ok = ok && '0' <= c && c <= '9'
	}
	v, err := strconv.Atoi(string(word))
	if !ok || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%s is not an integer", clip(word))
	}
	if err != nil || v < lo || v > hi {
		return 0, fmt.Errorf("%s, want %d to %d", clip(word), lo, hi)
	}
	return v, nil
}

// parseReal parses a number as OpenCV does: as a float64, rounded to float32. A
// number without a point and an exponent is an integer to OpenCV, so it must be
// one in range.
func parseReal(word []byte) (float32, error) {
	if len(word) > 0 && !bytes.ContainsFunc(word, func(c rune) bool { return c != '-' && (c < '0' || c > '9') }) {
		v, err := parseInt(bytes.TrimPrefix(word, []byte("-")), 0, math.MaxInt32)
		if err == nil && word[0] == '-' {
			v = -v
		}
		return float32(v), err
	}
	if !bytes.ContainsAny(word, ".e") {
		return 0, fmt.Errorf("%s is not a number", clip(word))
	}
	v, err := parseFloat(word, 64)
	if err == nil && !isFinite(float64(float32(v))) {
		err = fmt.Errorf("%s does not fit in a float32", clip(word))
	}
	return float32(v), err
}

// parseFloat reads a decimal number that fits in a float of that many bits,
// rounded to the nearest. Infinities, hexadecimal and the like are refused.
func parseFloat(word []byte, bits int) (float64, error) {
	ok := len(word) > 0 && len(word) <= 100
	for _, c := range word {
		ok = ok && ('0' <= c && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E')
	}
	if ok {
		v, err := strconv.ParseFloat(string(word), bits)
		if err == nil {
			return v, nil
		}
		if errors.Is(err, strconv.ErrRange) {
			return 0, fmt.Errorf("%s does not fit in a float%d", clip(word), bits)
		}
	}
	return 0, fmt.Errorf("%s is not a number", clip(word))
}

// clip quotes a word of a file for an error, shortened if it is long.
func clip(word []byte) string {
	if word == nil {
		return "nothing"
	}
	if len(word) > 40 {
		return fmt.Sprintf("%q...", word[:40])
	}
	return fmt.Sprintf("%q", word)
}

// appendFloat32 appends the shortest decimal number that reads back as v, both as
// float32 and by way of float64. The shortest for float32 can, very rarely, be wrong by
// way of float64. Zero has no sign, so that equal cascades give equal bytes.
func appendFloat32(b []byte, v float32) []byte {
	if v == 0 {
		return append(b, '0')
	}
	n := len(b)
	b = strconv.AppendFloat(b, float64(v), 'g', -1, 32)
	if by, err := strconv.ParseFloat(string(b[n:]), 64); err != nil || float32(by) != v {
		b = strconv.AppendFloat(b[:n], float64(v), 'g', -1, 64)
	}
	return b
}

func isFinite(x float64) bool { return x-x == 0 }

func appendInts(b []byte, values ...int) []byte {
	for _, v := range values {
		b = strconv.AppendInt(append(b, ' '), int64(v), 10)
	}
	return b
}

func appendFloat64s(b []byte, values ...*float64) []byte {
	for _, v := range values {
		b = strconv.AppendFloat(append(b, ' '), *v, 'g', -1, 64)
	}
	return b
}

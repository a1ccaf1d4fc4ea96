package interop

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"haarlem/boost"
)

// UBJSON is JSON with numbers in binary, which XGBoost writes by default. A file
// becomes JSON before it is read, and is JSON before it is written.
// https://ubjson.org

// ubjSizes are the types of numbers and their bytes.
var ubjSizes = map[byte]int{'i': 1, 'U': 1, 'I': 2, 'l': 4, 'L': 8, 'd': 4, 'D': 8}

// isUBJSON reports whether an object begins with the length of a key.
func isUBJSON(text []byte) bool {
	return len(text) > 1 && text[0] == '{' && strings.IndexByte("iUIlL", text[1]) >= 0
}

// fromUBJSON returns a value as JSON.
func fromUBJSON(text []byte) ([]byte, error) {
	r := &ubjReader{in: text}
	if r.value(r.next(), 0); r.err == nil && len(r.in) > 0 {
		r.fail("bytes after the end")
	}
	return r.out, r.err
}

type ubjReader struct {
	in, out []byte
	err     error
}

func (r *ubjReader) fail(format string, values ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: UBJSON: "+format, append([]any{boost.ErrFormat}, values...)...)
	}
	r.in = nil
}

// take returns the next n bytes.
func (r *ubjReader) take(n int) []byte {
	if n > len(r.in) {
		r.fail("it ends too early")
		return make([]byte, min(n, 8))
	}
	b := r.in[:n]
	r.in = r.in[n:]
	return b
}

func (r *ubjReader) next() byte { return r.take(1)[0] }

// number reads a number: whole ones as v, others as f.
func (r *ubjReader) number(kind byte) (v int64, f float64) {
	n, b := uint64(0), r.take(ubjSizes[kind])
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	switch kind {
	case 'd':
		return 0, float64(math.Float32frombits(uint32(n)))
	case 'D':
		return 0, math.Float64frombits(n)
	case 'U':
		return int64(n), 0
	}
	above := 64 - 8*len(b) // bits of the sign
	return int64(n<<above) >> above, 0
}

// length reads a number of things of that many bytes or more, all of which follow.
func (r *ubjReader) length(size int) int {
	kind := r.next()
	if strings.IndexByte("iUIlL", kind) < 0 {
		r.fail("a length of type %q", kind)
		return 0
	}
	n, _ := r.number(kind)
	if n < 0 || n > int64(len(r.in)/size) {
		r.fail("%d things of %d bytes in %d", n, size, len(r.in))
		return 0
	}
	return int(n)
}

func (r *ubjReader) string() {
	text, err := json.Marshal(string(r.take(r.length(1))))
	if err != nil {
		r.fail("%v", err)
	}
	r.out = append(r.out, text...)
}

// comma writes one between the values of an object or an array.
func (r *ubjReader) comma() {
	if last := r.out[len(r.out)-1]; last != '{' && last != '[' {
		r.out = append(r.out, ',')
	}
}

// value converts a value of a type.
func (r *ubjReader) value(kind byte, depth int) {
	switch kind {
	case '{', '[':
		if depth > 64 {
			r.fail("too deep")
			return
		}
		r.out = append(r.out, kind)
		if kind == '{' {
			for r.err == nil && (len(r.in) == 0 || r.in[0] != '}') {
				r.comma()
				r.string()
				r.out = append(r.out, ':')
				r.value(r.next(), depth+1)
			}
			r.next()
		} else {
			r.array(depth)
		}
		r.out = append(r.out, kind+2) // the other bracket
	case 'S':
		r.string()
	case 'T':
		r.out = append(r.out, "true"...)
	case 'F':
		r.out = append(r.out, "false"...)
	case 'Z':
		r.out = append(r.out, "null"...)
	case 'd', 'D':
		if _, v := r.number(kind); v-v != 0 {
			r.out = append(r.out, "null"...) // as withoutNaN does
		} else {
			r.out = strconv.AppendFloat(r.out, v, 'g', -1, 8*ubjSizes[kind])
		}
	default:
		if ubjSizes[kind] == 0 {
			r.fail("a value of type %q", kind)
			return
		}
		v, _ := r.number(kind)
		r.out = strconv.AppendInt(r.out, v, 10)
	}
}

// array converts what follows a bracket: values up to the other one, or a number of
// them, perhaps all of one type.
func (r *ubjReader) array(depth int) {
	kind, size := byte(0), 1
	switch first := r.next(); first {
	case '$':
		if kind = r.next(); ubjSizes[kind] == 0 || r.next() != '#' {
			r.fail("an array of type %q", kind)
			return
		}
		size = ubjSizes[kind]
	case '#':
	default:
		for ; r.err == nil && first != ']'; first = r.next() {
			r.comma()
			r.value(first, depth+1)
		}
		return
	}
	for n := r.length(size); n > 0 && r.err == nil; n-- {
		r.comma()
		if kind == 0 {
			r.value(r.next(), depth+1)
		} else {
			r.value(kind, depth+1)
		}
	}
}

// ubjArrays are the types of the arrays that XGBoost wants to be of one type.
var ubjArrays = map[string]byte{
	"base_weights": 'd', "loss_changes": 'd', "split_conditions": 'd', "sum_hessian": 'd',
	"default_left": 'U', "split_type": 'U', "categories_segments": 'L', "categories_sizes": 'L',
	"categories": 'l', "categories_nodes": 'l', "left_children": 'l', "right_children": 'l', "parents": 'l', "split_indices": 'l',
	"feature_segments": 'l', "sorted_idx": 'l',
}

// toUBJSON converts JSON.
func toUBJSON(text []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return appendUBJSON(nil, d, "")
}

// appendUBJSON appends the next value, which has a key.
func appendUBJSON(b []byte, d *json.Decoder, key string) ([]byte, error) {
	sized := func(b []byte, s string) []byte {
		return append(binary.BigEndian.AppendUint64(append(b, 'L'), uint64(len(s))), s...)
	}
	token, err := d.Token()
	switch v := token.(type) {
	case string:
		return sized(append(b, 'S'), v), err
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return binary.BigEndian.AppendUint64(append(b, 'L'), uint64(n)), nil
		}
		f, err := strconv.ParseFloat(string(v), 32)
		return binary.BigEndian.AppendUint32(append(b, 'd'), math.Float32bits(float32(f))), err
	case json.Delim:
		if v == '{' {
			for b = append(b, '{'); err == nil && d.More(); {
				if token, err = d.Token(); err == nil {
					b, err = appendUBJSON(sized(b, token.(string)), d, token.(string))
				}
			}
			if err == nil {
				_, err = d.Token()
			}
			return append(b, '}'), err
		}
		var values []byte
		n, kind := 0, ubjArrays[key]
		for ; err == nil && d.More(); n++ {
			from := len(values)
			if values, err = appendUBJSON(values, d, ""); kind != 0 && err == nil {
				// Without the type, and with as many bytes as it has.
				number := values[from+1:]
				values = append(values[:from], number[len(number)-ubjSizes[kind]:]...)
			}
		}
		if err == nil {
			_, err = d.Token()
		}
		b = append(b, '[')
		if kind != 0 {
			b = append(b, '$', kind)
		}
		return append(binary.BigEndian.AppendUint64(append(b, '#', 'L'), uint64(n)), values...), err
	}
	return nil, fmt.Errorf("UBJSON of %v: %v", token, err)
}

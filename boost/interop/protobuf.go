package interop

import (
	"encoding/binary"
	"fmt"
	"math"

	"haarlem/boost"
)

// The wire format of protocol buffers, as far as ONNX needs it.
// https://protobuf.dev/programming-guides/encoding

// protoFields calls f for the fields of a message: v is a number, or data the bytes of
// a string, a message or a list.
func protoFields(b []byte, f func(field int, v uint64, data []byte) error) error {
	bad := fmt.Errorf("%w: a field of a protocol buffer", boost.ErrFormat)
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29 {
			return bad
		}
		b = b[n:]
		var v uint64
		var data []byte
		switch size := 0; tag & 7 {
		case 0:
			if v, size = binary.Uvarint(b); size <= 0 {
				return bad
			}
			b = b[size:]
		case 1, 5:
			if size = map[uint64]int{1: 8, 5: 4}[tag&7]; len(b) < size {
				return bad
			}
			data, b = b[:size], b[size:]
		case 2:
			if v, size = binary.Uvarint(b); size <= 0 || v > uint64(len(b)-size) {
				return bad
			}
			data, b = b[size:size+int(v)], b[size+int(v):]
		default:
			return bad
		}
		if err := f(int(tag>>3), v, data); err != nil {
			return err
		}
	}
	return nil
}

// A proto is a message that is written.
type proto []byte

func (p *proto) number(field int, v uint64) {
	*p = binary.AppendUvarint(binary.AppendUvarint(*p, uint64(field)<<3), v)
}

func (p *proto) bytes(field int, data []byte) {
	*p = binary.AppendUvarint(binary.AppendUvarint(*p, uint64(field)<<3|2), uint64(len(data)))
	*p = append(*p, data...)
}

// message writes a message within it.
func (p *proto) message(field int, write func(p *proto)) {
	var in proto
	write(&in)
	p.bytes(field, in)
}

// protoFloats reads a list of 32-bit numbers, or one of them.
func protoFloats(out []float32, data []byte) []float32 {
	for ; len(data) >= 4; data = data[4:] {
		out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(data)))
	}
	return out
}

// Package picturetest makes files of pictures for tests, some of them hard to decode.
package picturetest

import (
	"bytes"
	"encoding/binary"
)

// Progressive is a progressive JPEG of one grey: a scan of all blocks, and more that refine
// nothing, of a few bytes each.
func Progressive(width, height, components, scans int) []byte {
	segment := func(marker byte, body ...byte) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0xFF, marker}, uint16(len(body)+2)), body...)
	}
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte{8}, uint16(height)), uint16(width))
	frame, all := append(size, byte(components)), []byte{byte(components)}
	for c := range components {
		frame = append(frame, byte(c+1), 0x11, 0)
		all = append(all, byte(c+1), 0)
	}
	one := append([]byte{1}, make([]byte, 15)...) // one code of one bit
	b := []byte{0xFF, 0xD8}
	if components == 4 {
		b = append(b, segment(0xEE, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00")...)...)
	}
	b = append(b, segment(0xDB, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	b = append(b, segment(0xC2, frame...)...)
	b = append(b, segment(0xC4, append(append([]byte{0x00}, one...), 0)...)...)
	b = append(b, segment(0xC4, append(append([]byte{0x10}, one...), 0xE0)...)...) // a run of 1<<14 blocks and more
	b = append(b, segment(0xDA, append(all, 0, 0, 0)...)...)
	blocks := (width + 7) / 8 * ((height + 7) / 8)
	b = append(b, make([]byte, (blocks*components+7)/8)...)
	run := make([]byte, (blocks>>14+1)*15/8+1)
	for range scans - 1 {
		b = append(append(b, segment(0xDA, 1, 1, 0, 1, 63, 0x10)...), run...)
	}
	return append(b, 0xFF, 0xD9)
}

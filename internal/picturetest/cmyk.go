package picturetest

import (
	"bytes"
	"image"
	"image/jpeg"
	"strings"
)

// CMYK is a JPEG of side by side pixels in four inks: blocks of 8x8 pixels, whose first
// ink is a half, and in turn more or less by changes, in steps coded as JPEG does it. The
// other inks are a half. It takes the tables of a grey picture.
func CMYK(side byte, changes ...string) []byte {
	var grey bytes.Buffer
	if err := jpeg.Encode(&grey, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		panic(err) // a buffer has no errors
	}
	out := append([]byte{0xFF, 0xD8}, "\xFF\xEE\x00\x0EAdobe\x00\x64\x00\x00\x00\x00\x00"...) // no transform of colours
	for data := grey.Bytes()[2:]; ; {
		length := 2 + int(data[2])<<8 + int(data[3])
		switch data[1] {
		case 0xDB, 0xC4: // tables
			out = append(out, data[:length]...)
		case 0xDA: // the scan
			out = append(out, 0xFF, 0xC0, 0, 8+3*4, 8, 0, side, 0, side, 4)
			for c := range byte(4) {
				out = append(out, c+1, 0x11, 0)
			}
			out = append(out, 0xFF, 0xDA, 0, 6+2*4, 4)
			for c := range byte(4) {
				out = append(out, c+1, 0)
			}
			out = append(out, 0, 63, 0)
			bits := ""
			for block := range int(side/8) * int(side/8) {
				bits += changes[block%len(changes)] + "1010" + strings.Repeat("00"+"1010", 3) // no change; end of block
			}
			for bits += "1111111"; len(bits) >= 8; bits = bits[8:] {
				var v byte
				for _, bit := range bits[:8] {
					v = v<<1 | byte(bit-'0')
				}
				if out = append(out, v); v == 0xFF {
					out = append(out, 0)
				}
			}
			return append(out, 0xFF, 0xD9)
		}
		data = data[length:]
	}
}

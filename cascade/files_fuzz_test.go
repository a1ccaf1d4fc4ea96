package cascade

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// FuzzReadOpenCV checks that whatever is read as an OpenCV cascade is valid,
// and unchanged after writing and reading in both formats.
func FuzzReadOpenCV(f *testing.F) {
	for name, c := range fileCascades() {
		if strings.HasPrefix(name, "xml-") {
			f.Add(encodeOpenCV(f, c))
		}
	}
	f.Add([]byte(newFormXML))
	f.Add([]byte(oldFormXML))
	for _, h := range hostileNewForm {
		f.Add([]byte(h.edit(newFormXML)))
	}
	for _, h := range hostileOldForm {
		f.Add([]byte(h.edit(oldFormXML)))
	}
	lim := must.Get((&Limits{Bytes: 1 << 20}).withDefaults())
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readOpenCV(data, lim)
		if err != nil {
			return
		}
		if err := c.Check(); err != nil {
			t.Fatalf("read, but not valid: %v", err)
		}
		again, err := readNative(encode(t, c), lim)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("not the same after Encode: %v\n%+v\n%+v", err, c, again)
		}
		again, err = readOpenCV(encodeOpenCV(t, c), lim)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("not the same after EncodeOpenCV: %v\n%+v\n%+v", err, c, again)
		}
	})
}

// FuzzReadNative checks that whatever is read as a native model is valid, and
// unchanged after writing and reading. It appends the checksum, which no fuzzer
// could guess.
func FuzzReadNative(f *testing.F) {
	for _, c := range fileCascades() {
		data := encode(f, c)
		f.Add(data[:bytes.LastIndex(data, []byte(nativeSum))])
	}
	for _, h := range hostileNative {
		f.Add([]byte(h.edit(nativeText)))
	}
	lim := must.Get((&Limits{Bytes: 1 << 20}).withDefaults())
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := readNative(seal(body), lim)
		if err != nil {
			return
		}
		if err := c.Check(); err != nil {
			t.Fatalf("read, but not valid: %v", err)
		}
		data := encode(t, c)
		again, err := readNative(data, lim)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("not the same after Encode: %v\n%+v\n%+v", err, c, again)
		}
		if !bytes.Equal(data, encode(t, again)) {
			t.Fatal("equal cascades give different bytes")
		}
	})
}

// seal appends the line with the checksum.
func seal(body []byte) []byte {
	return fmt.Appendf(body[:len(body):len(body)], nativeSum+"%x\n", sha256.Sum256(body))
}

package shard

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"
)

// maxName bounds the length of a name, in bytes.
const maxName = 16 << 10

// ErrList is what errors about lists of names wrap.
var ErrList = errors.New("bad list of names")

// A List is what a list of names was, as a whole. Two shards that say the same saw
// the same names in the same order.
type List struct {
	Names  int64  `json:"names"`
	SHA256 string `json:"sha256"` // of the names, each with a newline behind it
}

// Names reads a list: one name a line, in UTF-8. Empty lines are left out, and a
// carriage return at the end of a line. When all was read, whole says what the
// list was. Memory does not grow with it.
func Names(r io.Reader, whole *List) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxName)
		sum := sha256.New()
		line := 0
		var n int64
		for lines.Scan() {
			line++
			name := bytes.TrimSuffix(lines.Bytes(), []byte("\r"))
			if len(name) == 0 {
				continue
			}
			if bytes.IndexByte(name, 0) >= 0 || !utf8.Valid(name) {
				yield("", fmt.Errorf("%w: line %d: a name must be UTF-8, without a zero byte", ErrList, line))
				return
			}
			n++
			sum.Write(name)
			sum.Write([]byte{'\n'})
			if !yield(string(name), nil) {
				return
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield("", fmt.Errorf("%w: line %d: a name of more than %d bytes", ErrList, line+1, maxName))
			return
		} else if err != nil {
			yield("", fmt.Errorf("%w: line %d: %w", ErrList, line+1, err))
			return
		}
		*whole = List{n, hex.EncodeToString(sum.Sum(nil))}
	}
}

package dataset

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
)

// ErrLimit is wrapped by the error of a reader whose input exceeds its
// [Limits].
var ErrLimit = errors.New("over the limit")

// Limits bound the input from untrusted files. They are checked before memory
// is allocated.
type Limits struct {
	// Bytes is the length of the file. 0 means 1 GiB.
	Bytes int64

	// Rows is the number of examples. 0 means 10 million.
	Rows int

	// Columns is the number of attributes. 0 means 100,000.
	Columns int

	// Cells is rows times columns. 0 means 64 Mi, which is 512 MiB of memory.
	Cells int

	// Levels is the number of different names in one nominal column.
	// 0 means 10,000.
	Levels int
}

func (l Limits) orDefault() Limits {
	return Limits{
		Bytes: cmp.Or(max(0, l.Bytes), 1<<30), Rows: cmp.Or(max(0, l.Rows), 10_000_000), Columns: cmp.Or(max(0, l.Columns), 100_000),
		Cells: cmp.Or(max(0, l.Cells), 64<<20), Levels: cmp.Or(max(0, l.Levels), 10_000),
	}
}

func (l Limits) checkColumns(n int) error {
	if n > l.Columns {
		return fmt.Errorf("%d columns, %w of %d", n, ErrLimit, l.Columns)
	}
	return nil
}

func (l Limits) checkRows(rows, columns int) error {
	if rows > l.Rows {
		return fmt.Errorf("row %d, %w of %d rows", rows, ErrLimit, l.Rows)
	}
	if columns > 0 && rows > l.Cells/columns {
		return fmt.Errorf("%d rows of %d columns, %w of %d cells", rows, columns, ErrLimit, l.Cells)
	}
	return nil
}

// boundedReader fails with ErrLimit where an io.LimitReader would end the file. Its N is
// one byte more than the limit, which distinguishes a file of exactly that from a longer one.
type boundedReader struct {
	io.LimitedReader
	limit int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.LimitedReader.Read(p)
	if b.N <= 0 {
		return 0, fmt.Errorf("file is %w of %d bytes", ErrLimit, b.limit)
	}
	return n, err
}

// open returns the text of a file, of a compressed one what is compressed in it.
func (l Limits) open(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReader(r)
	text := io.Reader(in)
	if first, err := in.Peek(2); err == nil && string(first) == "\x1f\x8b" {
		if text, err = gzip.NewReader(in); err != nil {
			return nil, fmt.Errorf("dataset: %w", err)
		}
	}
	return bufio.NewReader(&boundedReader{io.LimitedReader{R: text, N: min(l.Bytes, math.MaxInt64-1) + 1}, l.Bytes}), nil
}

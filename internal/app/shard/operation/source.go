package operation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"haarlem/picture"
)

// A Source opens pictures by their names. An error that is no [io/fs.ErrNotExist]
// or [io/fs.ErrPermission] may be gone at another try.
type Source interface {
	Open(ctx context.Context, name string) (io.ReadCloser, error)
}

// Files is the source of names that are paths.
type Files struct{}

// Open opens a file. What is no regular file is a [picture.KindError].
func (Files) Open(_ context.Context, name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		_, err = picture.Open(name, nil)
		return nil, err
	}
	if err == nil {
		var f *os.File
		if f, err = os.Open(name); err == nil {
			return f, nil
		}
	}
	if where, ok := errors.AsType[*fs.PathError](err); ok {
		err = where.Err
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

// never lists why a picture cannot be read at any other time either.
var never = []error{
	picture.ErrFormat, picture.ErrDamaged, picture.ErrTooLarge, fs.ErrNotExist, fs.ErrPermission,
	syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP,
}

// Never says whether an error is there at any other try too.
func Never(err error) bool {
	return slices.ContainsFunc(never, func(n error) bool { return errors.Is(err, n) })
}

// read reads a picture. failure says why it never can be; an error is for another
// try. All bytes are there before the first is decoded, so that an end that comes
// early is that of the file and not of a connection.
func read(ctx context.Context, s Source, name string, o *picture.Options) (p *picture.Picture, failure string, err error) {
	data, err := Fetch(ctx, s, name, o)
	if err == nil {
		p, err = picture.Read(bytes.NewReader(data), name, o)
	}
	if Never(err) {
		return nil, err.Error(), nil
	}
	return p, "", err
}

// Fetch reads the bytes of a picture. Too many are [picture.ErrTooLarge].
func Fetch(ctx context.Context, s Source, name string, o *picture.Options) (data []byte, err error) {
	r, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	limit := int64(1 << 30) // as picture's
	if o != nil && o.MaxBytes != 0 {
		limit = o.MaxBytes
	}
	if data, err = io.ReadAll(io.LimitReader(r, limit+1)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: %w: more than %d bytes", name, picture.ErrTooLarge, limit)
	}
	return data, nil
}

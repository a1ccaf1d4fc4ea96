package shard

import (
	"context"
	"io"
)

// A Store holds the files of a job: a [Folder], or a bucket of objects. Names have
// slashes between their parts. A file that is not there is [io/fs.ErrNotExist].
type Store interface {
	// Open reads a file.
	Open(ctx context.Context, name string) (io.ReadCloser, error)

	// Size returns the length of a file, in bytes.
	Size(ctx context.Context, name string) (int64, error)

	// Create begins a file, which replaces one of the same name.
	Create(ctx context.Context, name string) (File, error)
}

// A File is being written. Nobody sees it before Commit, which makes all of it
// visible at once and lasting. Abort drops it, and does nothing after Commit.
type File interface {
	io.Writer
	Commit() error
	Abort()
}

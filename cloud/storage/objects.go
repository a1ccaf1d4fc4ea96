package storage

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"

	"haarlem/internal/app/shard"
)

// objects is a part of a bucket as a [shard.Store].
type objects struct {
	c              *client
	bucket, prefix string
}

func (o *objects) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return o.c.open(ctx, o.bucket, o.prefix+name)
}

func (o *objects) Size(ctx context.Context, name string) (int64, error) {
	var info minio.ObjectInfo
	err := try(ctx, func() (err error) {
		info, err = o.c.core.StatObject(ctx, o.bucket, o.prefix+name, minio.StatObjectOptions{})
		return named(name, err)
	})
	return info.Size, err
}

// Create writes to a file of this machine first: an object's length must be known,
// and another try needs all of it.
func (o *objects) Create(ctx context.Context, name string) (shard.File, error) {
	f, err := os.CreateTemp("", "haarlem-*.part")
	if err != nil {
		return nil, err
	}
	// The file has no name from here on where systems allow that, and is gone with
	// this process.
	unnamed := os.Remove(f.Name()) == nil
	return &object{o: o, ctx: ctx, name: name, f: f, unnamed: unnamed, md5: md5.New(), sha256: sha256.New()}, nil
}

type object struct {
	o       *objects
	ctx     context.Context
	name    string
	f       *os.File
	unnamed bool
	n       int64
	md5     hash.Hash
	sha256  hash.Hash
	done    bool
}

func (b *object) Write(p []byte) (int, error) {
	n, err := b.f.Write(p)
	b.md5.Write(p[:n])
	b.sha256.Write(p[:n])
	b.n += int64(n)
	return n, err
}

// largest is what one request may put.
const largest = 5 << 30

// Commit puts the object, with its sums for the store to compare, until the store says
// that it has so many bytes.
func (b *object) Commit() error {
	defer b.Abort()
	if b.n > largest {
		return fmt.Errorf("%s: %d bytes, and an object has at most %d: take more shards", b.name, b.n, int64(largest))
	}
	return try(b.ctx, func() error {
		in := io.NewSectionReader(b.f, 0, b.n)
		_, err := b.o.c.core.PutObject(b.ctx, b.o.bucket, b.o.prefix+b.name, in, b.n,
			base64.StdEncoding.EncodeToString(b.md5.Sum(nil)), hex.EncodeToString(b.sha256.Sum(nil)), minio.PutObjectOptions{ContentType: contentType(b.name), DisableContentSha256: true})
		if err != nil {
			return named(b.name, err)
		}
		return b.there()
	})
}

// there makes sure that the object can be seen.
func (b *object) there() error {
	info, err := b.o.c.core.StatObject(b.ctx, b.o.bucket, b.o.prefix+b.name, minio.StatObjectOptions{})
	if response(err).Code == "NoSuchKey" {
		return fmt.Errorf("%s: put, and not there", b.name) // for another try
	}
	if err == nil && info.Size != b.n {
		err = fmt.Errorf("%s: %d bytes were put, and %d are there", b.name, b.n, info.Size)
	}
	return err
}

func (b *object) Abort() {
	if b.done {
		return
	}
	b.done = true
	name := b.f.Name()
	err := b.f.Close()
	if !b.unnamed {
		err = errors.Join(err, os.Remove(name))
	}
	_ = err // nobody is left to tell
}

func contentType(name string) string {
	for ext, kind := range map[string]string{".json": "application/json", ".jsonl": "application/jsonl", ".csv": "text/csv", ".png": "image/png", ".jpg": "image/jpeg"} {
		if strings.HasSuffix(name, ext) {
			return kind
		}
	}
	return "application/octet-stream"
}

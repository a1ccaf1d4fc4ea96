package storage

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
)

// Places opens names of every kind. The zero value is ready.
type Places struct {
	lock    sync.Mutex
	clients map[string]*client // by scheme
}

// scheme cuts a name into its kind and the rest; a path has none.
func scheme(name string) (kind, rest string) {
	kind, rest, ok := strings.Cut(name, "://")
	if !ok || kind != "s3" && kind != "gs" && kind != "file" {
		return "", name
	}
	return kind, rest
}

// filePath is the path of file:///PATH.
func filePath(name string) (string, error) {
	u, err := url.Parse(name)
	if err != nil || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return "", fmt.Errorf("%s: want file:///PATH", name)
	}
	return filepath.FromSlash(u.Path), nil
}

func (p *Places) client(kind string) (*client, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if c := p.clients[kind]; c != nil {
		return c, nil
	}
	c, err := newClient(kind)
	if err != nil {
		return nil, err
	}
	if p.clients == nil {
		p.clients = map[string]*client{}
	}
	p.clients[kind] = c
	return c, nil
}

// Open opens a picture or a list.
func (p *Places) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	switch kind, rest := scheme(name); kind {
	case "":
		return operation.Files{}.Open(ctx, name)
	case "file":
		path, err := filePath(name)
		if err != nil {
			return nil, err
		}
		return operation.Files{}.Open(ctx, path)
	default:
		bucket, key, ok := strings.Cut(rest, "/")
		if !ok || bucket == "" || key == "" {
			return nil, fmt.Errorf("%s: want %s://BUCKET/KEY: %w", name, kind, os.ErrNotExist)
		}
		c, err := p.client(kind)
		if err != nil {
			return nil, err
		}
		return c.open(ctx, bucket, key)
	}
}

// Store returns the store at a place: s3://BUCKET/PREFIX, or a folder.
func (p *Places) Store(place string) (shard.Store, error) {
	switch kind, rest := scheme(place); kind {
	case "":
		return shard.Folder(place), nil
	case "file":
		path, err := filePath(place)
		return shard.Folder(path), err
	default:
		bucket, prefix, _ := strings.Cut(rest, "/")
		if bucket == "" {
			return nil, fmt.Errorf("%s: want %s://BUCKET/PREFIX", place, kind)
		}
		if prefix = strings.Trim(prefix, "/"); prefix != "" {
			prefix += "/"
		}
		c, err := p.client(kind)
		return &objects{c, bucket, prefix}, err
	}
}

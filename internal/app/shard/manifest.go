package shard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
)

// A Manifest says what a finished shard is. The shard's other files are there
// before it is.
type Manifest struct {
	Version     int    `json:"version"`
	Fingerprint string `json:"fingerprint"` // of the job
	Shard       int    `json:"shard"`
	Shards      int    `json:"shards"`
	List        List   `json:"list"` // all of it, not this shard's part

	Names   int64 `json:"names"` // of this shard
	Failed  int64 `json:"failed"`
	Objects int64 `json:"objects"` // that were found

	Results  Content `json:"results"`
	Failures Content `json:"failures"`
}

// A Content is what is in a file.
type Content struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// readManifest returns nil if there is none.
func readManifest(ctx context.Context, s Store, p Part) (*Manifest, error) {
	text, err := readSmall(ctx, s, p.manifest())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := decode(text, m); err != nil {
		return nil, fmt.Errorf("%s: not a manifest: %w", p.manifest(), err)
	}
	switch {
	case m.Version != version:
		return nil, fmt.Errorf("%s: version %d, and this program knows %d", p.manifest(), m.Version, version)
	case m.Shard != p.Index || m.Shards != p.Count:
		return nil, fmt.Errorf("%s: it says that it is shard %d/%d", p.manifest(), m.Shard, m.Shards)
	case m.Names < 0 || m.Failed < 0 || m.Failed > m.Names || m.Objects < 0 || m.List.Names < m.Names || m.Results.Bytes < 0 || m.Failures.Bytes < 0:
		return nil, fmt.Errorf("%s: its counts contradict each other", p.manifest())
	}
	return m, nil
}

// A counter writes to a file, and knows what it wrote.
type counter struct {
	w   io.Writer
	sum hash.Hash
	n   int64
}

func newCounter(w io.Writer) *counter { return &counter{w: w, sum: sha256.New()} }

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.sum.Write(p[:n])
	c.n += int64(n)
	return n, err
}

func (c *counter) content() Content { return Content{c.n, hex.EncodeToString(c.sum.Sum(nil))} }

package storage

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// tries is how often a request is made before the shard ends, which a scheduler
// starts again.
const tries = 8

// patience is how long a store may say nothing.
var patience = 30 * time.Second

// A client speaks to one store of objects.
type client struct{ core minio.Core }

func newClient(kind string) (*client, error) {
	place, variable := "https://s3.amazonaws.com", "AWS_ENDPOINT_URL"
	if kind == "gs" {
		place, variable = "https://storage.googleapis.com", "GS_ENDPOINT_URL"
	}
	if other := os.Getenv(variable); other != "" {
		place = other
	}
	u, err := url.Parse(place)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s is %q, want http://HOST or https://HOST", variable, place)
	}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       time.Minute,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: patience,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
		DisableCompression:    true, // sizes are those of the objects
	}
	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{},
			&credentials.IAM{Client: &http.Client{Transport: http.DefaultTransport, Timeout: 10 * time.Second}},
		}),
		Secure: u.Scheme == "https", Region: os.Getenv("AWS_REGION"), Transport: transport,
		MaxRetries: 1, // try does it
	})
	if err != nil {
		return nil, err
	}
	return &client{*core}, nil
}

// try does something until it succeeds, or fails in a way that another try does not
// mend.
func try(ctx context.Context, f func() error) error {
	var err error
	for i := range tries {
		if i > 0 {
			wait := time.Duration(50<<i) * time.Millisecond
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(wait/2 + rand.N(wait)):
			}
		}
		if err = f(); err == nil || final(err) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("after %d tries: %w", tries, err)
}

// final reports whether another try is of no use.
func final(err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	r := response(err)
	switch r.Code {
	case "SlowDown", "RequestTimeout", "RequestTimeTooSkewed", "InternalError":
		return false
	}
	return r.StatusCode >= 400 && r.StatusCode < 500 && r.StatusCode != http.StatusTooManyRequests && r.StatusCode != http.StatusRequestTimeout
}

// response is what a store has answered, if an error is about that.
func response(err error) (r minio.ErrorResponse) {
	errors.As(err, &r)
	return r
}

// named puts the object in front, and says in Go's words that there is none. That
// reading is forbidden is no fact about an object: keys expire, and a store says so
// of what is not there to who may not list.
func named(name string, err error) error {
	if err == nil {
		return nil
	}
	if response(err).Code == "NoSuchKey" {
		return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// open reads an object. What breaks off is gone on with where it broke off.
func (c *client) open(ctx context.Context, bucket, key string) (io.ReadCloser, error) {
	r := &reader{c: c, ctx: ctx, bucket: bucket, key: key}
	if err := r.request(); err != nil {
		return nil, err
	}
	return r, nil
}

type reader struct {
	c           *client
	ctx         context.Context
	bucket, key string
	etag        string
	at, size    int64
	body        io.ReadCloser
	stop        context.CancelFunc
	broken      int // in a row, without a byte between
}

func (r *reader) name() string { return r.bucket + "/" + r.key }

// request asks for what has not been read.
func (r *reader) request() error {
	return named(r.name(), try(r.ctx, func() error {
		o := minio.GetObjectOptions{}
		if r.at > 0 {
			if err := errors.Join(o.SetRange(r.at, 0), o.SetMatchETag(r.etag)); err != nil {
				return err
			}
		}
		ctx, stop := context.WithCancel(r.ctx)
		body, info, _, err := r.c.core.GetObject(ctx, r.bucket, r.key, o)
		if err != nil {
			stop()
			return named(r.name(), err)
		}
		if r.at == 0 {
			r.etag, r.size = info.ETag, info.Size
		}
		r.body, r.stop = body, stop
		return nil
	}))
}

func (r *reader) Read(p []byte) (int, error) {
	for {
		if r.at == r.size {
			return 0, io.EOF
		}
		// A store that says nothing for so long has broken off.
		watch := time.AfterFunc(patience, r.stop)
		n, err := r.body.Read(p[:min(int64(len(p)), r.size-r.at)])
		watch.Stop()
		r.at += int64(n)
		if n > 0 {
			r.broken = 0
			return n, nil
		}
		if err == nil {
			continue
		}
		if r.ctx.Err() != nil {
			return 0, r.ctx.Err()
		}
		if r.broken++; r.broken == tries {
			return 0, fmt.Errorf("%s: at byte %d of %d: %w", r.name(), r.at, r.size, errors.Join(err, io.ErrUnexpectedEOF))
		}
		r.shut()
		if err := r.request(); err != nil {
			return 0, err
		}
	}
}

func (r *reader) shut() {
	r.stop()
	r.body.Close()
}

func (r *reader) Close() error {
	r.shut()
	return nil
}

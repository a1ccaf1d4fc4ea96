package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

const key, secret = "access", "secret-secret"

// serve starts a store of objects and returns its address: gofakes3 in this process,
// or the program versitygw that HAARLEM_VERSITYGW names, which is a real one.
func serve(t *testing.T) string {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", key)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	t.Setenv("AWS_REGION", "us-east-1")
	program := os.Getenv("HAARLEM_VERSITYGW")
	if program == "" {
		server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
		t.Cleanup(server.Close)
		return server.URL
	}
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	address := l.Addr().String()
	l.Close()
	cmd := exec.Command(program, "--quiet", "--port", address, "--access", key, "--secret", secret, "posix", t.TempDir())
	cmd.Stderr = os.Stderr
	must.Do(cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for range 500 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return "http://" + address
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s does not answer", program)
	return ""
}

// faults is a proxy before a store that makes every kind of trouble now and then.
type faults struct {
	proxy *httputil.ReverseProxy
	share float64 // of requests that get one

	errors, slow, cut, lost, hidden, all atomic.Int64
	lock                                 sync.Mutex
	rng                                  *rand.Rand
}

func withFaults(t *testing.T, store string, share float64) (*faults, string) {
	t.Helper()
	to := must.Get(url.Parse(store))
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed of the faults: %d", seed)
	f := &faults{share: share, rng: rand.New(rand.NewPCG(seed, 0))}
	f.proxy = &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host },
		ModifyResponse: f.respond,
		ErrorLog:       log.New(io.Discard, "", 0), // it tells of the bodies that are cut
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return f, server.URL
}

func (f *faults) hit() bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.rng.Float64() < f.share
}

func (f *faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.all.Add(1)
	switch {
	case f.hit():
		f.errors.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	case r.Method == http.MethodPut && f.hit(): // it says yes, and has nothing
		f.lost.Add(1)
		io.Copy(io.Discard, r.Body)
		w.Header().Set("ETag", `"00000000000000000000000000000000"`)
		w.WriteHeader(http.StatusOK)
	default:
		f.proxy.ServeHTTP(w, r)
	}
}

func (f *faults) respond(r *http.Response) error {
	switch method := r.Request.Method; {
	case method == http.MethodPut && r.StatusCode == http.StatusOK && f.hit(): // it has all, and says no
		f.hidden.Add(1)
		r.StatusCode = http.StatusServiceUnavailable
	case method != http.MethodGet || r.StatusCode >= 300:
	case f.hit():
		f.cut.Add(1)
		r.Body = &broken{r.Body, r.ContentLength / 2}
	case f.hit():
		f.slow.Add(1)
		r.Body = &slow{r.Body}
	}
	return nil
}

// broken ends a body early.
type broken struct {
	io.ReadCloser
	left int64
}

func (b *broken) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// slow gives little at a time.
type slow struct{ io.ReadCloser }

func (s *slow) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return s.ReadCloser.Read(p[:min(len(p), 200)])
}

// bucket fills a bucket with so many small pictures, each tenth of which is none, and
// a list of them.
func bucket(t *testing.T, store string, objects int) (names []string) {
	t.Helper()
	c := must.Get(minio.New(strings.TrimPrefix(store, "http://"), &minio.Options{Creds: credentials.NewStaticV4(key, secret, ""), Region: "us-east-1"}))
	ctx := context.Background()
	must.Do(c.MakeBucket(ctx, "pictures", minio.MakeBucketOptions{}))
	put := func(name string, data []byte) {
		if _, err := c.PutObject(ctx, "pictures", name, bytes.NewReader(data), int64(len(data)), minio.PutObjectOptions{DisableMultipart: true, SendContentMd5: true}); err != nil {
			t.Error(err)
		}
	}
	work := make(chan int)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range work {
				data := []byte("no picture")
				if i%10 != 7 {
					data = picturetest.PNG(picturetest.Noise(30+i%7, 30, uint64(i)))
				}
				put(fmt.Sprintf("in/ä %d.png", i), data)
			}
		})
	}
	for i := range objects {
		names = append(names, fmt.Sprintf("s3://pictures/in/ä %d.png", i))
		work <- i
	}
	close(work)
	wait.Wait()
	names = append(names, "s3://pictures/in/nowhere.png")
	put("names.txt", []byte(strings.Join(names, "\n")))
	return names
}

// object reads an object with another program's eyes.
func object(t *testing.T, name string) []byte {
	t.Helper()
	c := must.Get(minio.New(strings.TrimPrefix(os.Getenv("AWS_ENDPOINT_URL"), "http://"), &minio.Options{Creds: credentials.NewStaticV4(key, secret, ""), Region: "us-east-1"}))
	bucket, key, _ := strings.Cut(strings.TrimPrefix(name, "s3://"), "/")
	r := must.Get(c.GetObject(context.Background(), bucket, key, minio.GetObjectOptions{}))
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return data
}

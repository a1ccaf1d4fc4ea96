package serve

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Key is what a client has to send, as "Authorization: Bearer SECRET".
type Key struct {
	Name   string // for the log
	Secret string
}

// minSecret is the smallest number of bytes of a secret, that nobody guesses.
const minSecret = 16

// ReadKeys reads keys: a name and a secret a line. Empty lines and those that begin
// with # are skipped.
func ReadKeys(r io.Reader) ([]Key, error) {
	var keys []Key
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		if len(words) != 2 {
			return nil, fmt.Errorf("line %d: want a name and a secret, with a space between", n)
		}
		keys = append(keys, Key{words[0], words[1]})
	}
	return keys, lines.Err()
}

// keyring finds keys by the hash of their secret, so that the time that it takes
// tells nothing.
type keyring map[[sha256.Size]byte]string

func newKeyring(keys []Key) (keyring, error) {
	k := keyring{}
	for _, key := range keys {
		hash := sha256.Sum256([]byte(key.Secret))
		switch {
		case key.Name == "":
			return nil, fmt.Errorf("%w: a key without a name", ErrOptions)
		case len(key.Secret) < minSecret:
			return nil, fmt.Errorf("%w: the secret of key %q has less than %d bytes", ErrOptions, key.Name, minSecret)
		case k[hash] != "":
			return nil, fmt.Errorf("%w: the keys %q and %q have the same secret", ErrOptions, k[hash], key.Name)
		}
		k[hash] = key.Name
	}
	return k, nil
}

// admit refuses a request without a key, where there are keys, and one that comes
// too soon after others of its key or host. With check, the key is checked; of
// further pictures of a request it was.
func (s *Server) admit(r *http.Request, check bool) error {
	note := noteOf(r.Context())
	if check && len(s.keys) > 0 {
		scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		name := s.keys[sha256.Sum256([]byte(strings.TrimSpace(secret)))]
		if !strings.EqualFold(scheme, "Bearer") || name == "" {
			return &failure{http.StatusUnauthorized, "key", "this server wants a key: the header Authorization: Bearer SECRET"}
		}
		note.key = name
	}
	if s.o.Rate == 0 {
		return nil
	}
	who := "key " + note.key
	if note.key == "" {
		who = r.RemoteAddr
		if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
			who = host
		}
	}
	if wait := s.rates.take(who, time.Now()); wait > 0 {
		return &failure{http.StatusTooManyRequests, "rate", fmt.Sprintf("more than %g pictures a second; try again in %v", s.o.Rate, wait.Round(10*time.Millisecond))}
	}
	return nil
}

// A rates holds clients to a rate, each by a bucket of tokens.
type rates struct {
	rate, burst float64

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

// maxBuckets bounds the memory that clients can make the server take.
const maxBuckets = 1 << 16

// take takes a token of a client, or returns how long it has to wait for one.
func (l *rates) take(who string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.buckets[who]
	if !ok {
		if len(l.buckets) >= maxBuckets {
			l.forget(now)
		}
		b = bucket{l.burst, now}
	}
	b.tokens = min(l.burst, b.tokens+now.Sub(b.at).Seconds()*l.rate)
	b.at = now
	wait := time.Duration(0)
	if b.tokens >= 1 {
		b.tokens--
	} else {
		wait = time.Duration((1 - b.tokens) / l.rate * float64(time.Second))
	}
	l.buckets[who] = b
	return max(wait, 0)
}

// forget drops the buckets that are full by now, and if none is, all.
func (l *rates) forget(now time.Time) {
	for who, b := range l.buckets {
		if b.tokens+now.Sub(b.at).Seconds()*l.rate >= l.burst {
			delete(l.buckets, who)
		}
	}
	if len(l.buckets) >= maxBuckets {
		clear(l.buckets)
	}
}

// A note is what the access log says about a request.
type note struct {
	key              string
	pictures, pixels int
	faces            int
}

type noteKey struct{}

// noteOf returns the note of a request.
func noteOf(ctx context.Context) *note {
	if n, ok := ctx.Value(noteKey{}).(*note); ok {
		return n
	}
	return new(note)
}

func (n *note) found(size image.Point, faces int) {
	n.pictures++
	n.pixels += size.X * size.Y
	n.faces += faces
}

// logAccess writes a line about a request. What the client called the picture is
// not in it.
func (s *Server) logAccess(r *http.Request, n *note, rec *recorder, took time.Duration) {
	if s.o.Access == nil {
		return
	}
	attributes := []slog.Attr{
		slog.String("remote", r.RemoteAddr), slog.String("method", r.Method), slog.String("path", r.URL.Path[:min(len(r.URL.Path), 200)]),
		slog.Int("status", rec.status), slog.Int64("bytes", rec.written),
		slog.Float64("seconds", math.Round(took.Seconds()*1e6)/1e6),
	}
	if n.key != "" {
		attributes = append(attributes, slog.String("key", n.key))
	}
	if n.pictures > 0 {
		attributes = append(attributes, slog.Int("pictures", n.pictures), slog.Int("pixels", n.pixels), slog.Int("faces", n.faces))
	}
	s.o.Access.LogAttrs(r.Context(), slog.LevelInfo, "request", attributes...)
}

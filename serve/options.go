package serve

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"time"

	"haarlem/web"
)

// Options says what a server offers and what a request may cost. A nil
// *Options and the zero value mean every field's default.
type Options struct {
	// Models are offered by name; the first is used when nobody asks for
	// another. Nil means the built-in ones.
	Models []web.Model

	// MaxBytes is the largest body of a request. 0 means 16 MiB.
	MaxBytes int64

	// MaxPixels is the largest picture. 0 means 25 million. Decoding takes up
	// to 16 bytes a pixel, for each worker.
	MaxPixels int64

	// MaxHeld is how many bytes are taken in memory for bodies at one time,
	// of all requests together. 0 means 16 times MaxBytes.
	MaxHeld int64

	// Workers is how many pictures are decoded and searched at one time, each
	// by one goroutine. 0 means GOMAXPROCS.
	Workers int

	// Waiting is how many requests more may wait for a worker. 0 means 64;
	// -1: none.
	Waiting int

	// Connections is how many clients [Server.Serve] has at one time. A new
	// one takes the place of one from the host that has most: of one without a
	// request if there is one, and of the one that has kept the server waiting
	// longest; but of none whose request waits for a worker or has one. There
	// should be more than Workers and Waiting together, or a new client may have
	// to wait for these. 0 means 1024.
	Connections int

	// Hosts are the names by which clients may call the server, besides
	// localhost and IP addresses, which are always right. A request for another
	// host is refused: it may come from a stranger's page whose name leads
	// here. "*" stands for any name, for a server behind a proxy.
	Hosts []string

	// Keys, if there are any, are what POST /detect and GET /metrics want one of. The
	// page and what it is made of stay open.
	Keys []Key

	// Rate is how many pictures a second a key may send, or without keys a host; for
	// two seconds together they may come at once. 0 means any number.
	Rate float64

	// BodyTime is how long a client may take to send a request's body, and to
	// take its answer. 0 means 20 seconds.
	BodyTime time.Duration

	// WorkTime is how long a request may wait for a worker and be worked on.
	// 0 means 20 seconds.
	WorkTime time.Duration

	// Grace is how long requests that are being answered may take when
	// [Server.Serve] ends. 0 means 10 seconds.
	Grace time.Duration

	// Access is told of every request. Nil means nobody.
	Access *slog.Logger

	// Log is told of what is wrong with the server itself, not with requests.
	// Nil means nobody.
	Log *slog.Logger
}

// ErrOptions is what errors about impossible options wrap.
var ErrOptions = errors.New("serve: bad options")

// withDefaults returns a checked copy in which no field means "default".
func (o *Options) withDefaults() (Options, error) {
	v := *cmp.Or(o, &Options{})
	for _, f := range []struct {
		name            string
		value, smallest int64
	}{
		{"MaxBytes", v.MaxBytes, 0}, {"MaxPixels", v.MaxPixels, 0}, {"MaxHeld", v.MaxHeld, 0},
		{"Workers", int64(v.Workers), 0}, {"Waiting", int64(v.Waiting), -1}, {"Connections", int64(v.Connections), 0},
		{"BodyTime", int64(v.BodyTime), 0}, {"WorkTime", int64(v.WorkTime), 0}, {"Grace", int64(v.Grace), 0},
	} {
		if f.value < f.smallest {
			return v, fmt.Errorf("%w: %s %d, want %d or more", ErrOptions, f.name, f.value, f.smallest)
		}
	}
	if !(v.Rate >= 0 && v.Rate <= 1e6) {
		return v, fmt.Errorf("%w: Rate %v, want 0 to 1e6", ErrOptions, v.Rate)
	}
	if v.MaxBytes > math.MaxInt32 {
		return v, fmt.Errorf("%w: MaxBytes %d, want at most %d", ErrOptions, v.MaxBytes, math.MaxInt32)
	}
	v.MaxBytes = cmp.Or(v.MaxBytes, 16<<20)
	v.MaxPixels = cmp.Or(v.MaxPixels, 25e6)
	v.MaxHeld = cmp.Or(v.MaxHeld, 16*v.MaxBytes)
	v.Workers = cmp.Or(v.Workers, runtime.GOMAXPROCS(0))
	v.Waiting = cmp.Or(v.Waiting, 64)
	v.Connections = cmp.Or(v.Connections, 1024)
	v.BodyTime = cmp.Or(v.BodyTime, 20*time.Second)
	v.WorkTime = cmp.Or(v.WorkTime, 20*time.Second)
	v.Grace = cmp.Or(v.Grace, 10*time.Second)
	v.Waiting = max(v.Waiting, 0)
	if v.MaxHeld < v.MaxBytes {
		return v, fmt.Errorf("%w: MaxHeld %d is less than MaxBytes %d: a body that is allowed could never be held", ErrOptions, v.MaxHeld, v.MaxBytes)
	}
	if v.Log == nil {
		v.Log = slog.New(slog.DiscardHandler)
	}
	return v, nil
}

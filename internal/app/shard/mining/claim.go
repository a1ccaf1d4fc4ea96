package mining

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// lease is how long a claim lasts that nobody renews: its worker is gone.
var lease = 5 * time.Second

// A claim says that somebody does a shard.
type claim struct {
	path string
	stop context.CancelFunc
	done chan struct{}
}

// take claims a shard of a wave. It returns nil if somebody else is at work on it.
// Two workers may take over the same old claim, and then do the same.
func take(dir string, index int) (*claim, error) {
	path := filepath.Join(dir, fmt.Sprintf("claim-%05d", index))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	switch {
	case err == nil:
		err = f.Close()
	case errors.Is(err, fs.ErrExist):
		old, fresh := os.Stat(path)
		if fresh != nil {
			return nil, nil // it was given back just now
		}
		now, err := clock(dir)
		if err != nil {
			return nil, err
		}
		if now.Sub(old.ModTime()) < lease {
			return nil, nil
		}
		if err := renew(path); err != nil {
			return nil, err
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	c := &claim{path, stop, make(chan struct{})}
	go func() {
		defer close(c.done)
		tick := time.NewTicker(lease / 5)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				// If it fails somebody else does the shard too.
				_ = renew(path)
			}
		}
	}()
	return c, nil
}

// give gives the shard back.
func (c *claim) give() {
	c.stop()
	<-c.done
	os.Remove(c.path)
}

// renew has the file system set the time, whose clock is the same for all machines.
func renew(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("renewed\n")
	return errors.Join(err, f.Close())
}

// clock is the file system's time.
func clock(dir string) (time.Time, error) {
	f, err := os.CreateTemp(dir, ".clock-*")
	if err != nil {
		return time.Time{}, err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString("now\n")
	info, err2 := f.Stat()
	if err := errors.Join(err, err2, f.Close()); err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

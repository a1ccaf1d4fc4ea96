package mining

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"haarlem/internal/app/shard"
)

// doneFile tells workers that the training has ended.
const doneFile = "done"

// pause is between two looks into a folder.
const pause = 20 * time.Millisecond

// do does shards of a wave, with so many goroutines, until all are finished.
func (w *wave) do(ctx context.Context, workers int) (shards int, err error) {
	order := rand.Perm(w.spec.Shards) // so that workers seldom want the same
	for len(order) > 0 {
		before := len(order)
		order = slices.DeleteFunc(order, func(i int) bool {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return false
			}
			if _, missing := w.dir.Size(ctx, fmt.Sprintf("part-%05d-of-%05d.json", i, w.spec.Shards)); missing == nil {
				return true
			}
			var c *claim
			if c, err = take(string(w.dir), i); err != nil || c == nil {
				return false
			}
			defer c.give()
			if _, err = shard.Run(ctx, w.job, i, strings.NewReader(w.names), w.dir, workers, w.work); err != nil {
				return false
			}
			shards++
			return true
		})
		if err != nil {
			return shards, err
		}
		if len(order) == before {
			select {
			case <-ctx.Done():
				return shards, ctx.Err()
			case <-time.After(pause):
			}
		}
	}
	return shards, nil
}

// Work does shards of waves in a folder as they come, with so many goroutines, until
// the training ends. said is told of each wave.
func Work(ctx context.Context, dir string, workers int, said func(wave string, shards int)) error {
	var last *album
	albumOf := func(sum string) (*album, error) {
		if last != nil && last.sum == sum {
			return last, nil
		}
		a, err := readAlbum(shard.Folder(dir))
		if err != nil {
			return nil, err
		}
		if a.sum != sum {
			return nil, fmt.Errorf("%s: %w", backgroundsFile, fs.ErrNotExist) // of another training
		}
		last = a
		return a, nil
	}
	finished := map[string]bool{}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(dir, doneFile)); err == nil {
			return nil
		}
		waves, err := filepath.Glob(filepath.Join(dir, "wave-*", specFile))
		if err != nil {
			return err
		}
		busy := false
		for _, path := range waves {
			wave := filepath.Dir(path)
			if finished[wave] {
				continue
			}
			busy = true
			w, err := openWave(shard.Folder(wave), albumOf)
			shards := 0
			if err == nil {
				shards, err = w.do(ctx, workers)
			}
			if err != nil && ctx.Err() == nil {
				// The training takes a wave away when it has all of it.
				if _, gone := os.Stat(path); !errors.Is(gone, fs.ErrNotExist) {
					return fmt.Errorf("%s: %w", wave, err)
				}
			}
			finished[wave] = true
			if said != nil && shards > 0 {
				said(filepath.Base(wave), shards)
			}
		}
		if !busy {
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	}
}

package shard

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// A Folder is a [Store] in a file system, also one that machines share.
type Folder string

// Files that are being written are in the store's folder itself and have such names,
// with the machine and the process between.
const tempPrefix, tempSuffix = ".writing-", ".part"

// writer names this process for the names of files that it writes.
var writer = sync.OnceValue(func() string {
	return machine() + strconv.Itoa(os.Getpid()) + "-"
})

// machine is what the names of all files begin with that processes of this machine
// are writing.
func machine() string {
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return tempPrefix + strings.Map(func(r rune) rune {
		if strings.ContainsRune("-/\\*", r) {
			return '_'
		}
		return r
	}, host) + "-"
}

func (d Folder) path(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

// Open opens a file.
func (d Folder) Open(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(d.path(name))
}

// Size returns the length of a file.
func (d Folder) Size(_ context.Context, name string) (int64, error) {
	info, err := os.Stat(d.path(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Create begins a file under another name, beside its own.
func (d Folder) Create(_ context.Context, name string) (File, error) {
	path := d.path(name)
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(string(d), writer()+"*"+tempSuffix)
	if err != nil {
		return nil, err
	}
	return &folderFile{f: f, w: bufio.NewWriterSize(f, 64<<10), path: path}, nil
}

// CleanDead removes what processes of this machine have left that are no more.
func (d Folder) CleanDead() error {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return err
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), machine())
		number, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if !ours || err != nil || !strings.HasSuffix(rest, tempSuffix) || alive(pid) {
			continue
		}
		if err := os.Remove(d.path(e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Clean removes what processes that were killed have left. A process that is at
// work on the folder ends with an error.
func (d Folder) Clean() error {
	return filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) || !strings.HasSuffix(e.Name(), tempSuffix) {
			return err
		}
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

type folderFile struct {
	f    *os.File
	w    *bufio.Writer
	path string
	done bool
}

func (f *folderFile) Write(p []byte) (int, error) { return f.w.Write(p) }

// Commit writes all to the disk before the file has its name, so that a machine
// that loses power has either all of it or nothing.
func (f *folderFile) Commit() error {
	// CreateTemp makes files that only their owner may read.
	err := errors.Join(f.w.Flush(), f.f.Chmod(0o644), f.f.Sync(), f.f.Close())
	if err == nil {
		err = os.Rename(f.f.Name(), f.path)
	}
	if err == nil {
		f.done = true
		syncFolder(filepath.Dir(f.path))
	}
	return err
}

func (f *folderFile) Abort() {
	if !f.done {
		f.done = true
		f.f.Close()
		os.Remove(f.f.Name())
	}
}

// syncFolder makes names last, on systems where that is asked of the folder.
// Others refuse, and have nothing to lose.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

package shard

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Folder is a [Store] in a file system, also one that machines share.
type Folder string

// Files that are being written have such names.
const tempPrefix, tempSuffix = ".writing-", ".part"

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
	f, err := os.CreateTemp(dir, tempPrefix+"*"+tempSuffix)
	if err != nil {
		return nil, err
	}
	return &folderFile{f: f, w: bufio.NewWriterSize(f, 64<<10), path: path}, nil
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

package training

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/filelock"
	"haarlem/internal/app/output"
	"haarlem/internal/app/watch"
	"haarlem/internal/samples"
)

// The files of a training, besides NAME.cascade and NAME.xml.
const (
	LockFile     = "lock"      // the process that uses the folder
	StateFile    = "state"     // checkpoint for -resume
	logFile      = "log.jsonl" // of all runs
	settingsFile = "settings.json"
	resultFile   = "result.json" // marks a finished training
	ReportFile   = watch.ReportFile
	learnedSheet = "positives.png"
	hardestSheet = "hardest-negatives.png"
)

// A folder is the locked folder of one training.
type folder struct {
	path string
	name string // of the cascade
	lock *filelock.Lock

	// What this run has made, which is removed if nothing is written.
	made    output.MadeFolders
	newLog  bool
	newLock bool
	written bool

	// sink wraps writes to the disk, in tests.
	sink func(io.Writer) io.Writer
}

// openFolder makes and locks a folder, and checks whether it may be written:
// overwrite replaces an older training, resume continues it.
func openFolder(path, name string, overwrite, resume bool) (*folder, error) {
	made, err := output.MakeFolders(path)
	if err != nil {
		return nil, fmt.Errorf("-data: the folder cannot be made: %w", err)
	}
	f := &folder{path: path, name: name, made: made}
	f.newLog, f.newLock = !f.has(logFile), !f.has(LockFile)
	f.lock, err = filelock.Take(f.file(LockFile))
	var held *filelock.HeldError
	switch {
	case errors.As(err, &held):
		return nil, fmt.Errorf("-data: %s: another train-cascade%s uses this folder: wait for it, or name another folder", path, held.By)
	case err != nil:
		made.Remove()
		return nil, fmt.Errorf("-data: the folder cannot be written to: %w", err)
	}
	if err := f.mayWrite(overwrite, resume); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

func (f *folder) mayWrite(overwrite, resume bool) error {
	// Left by a run that was killed while saving.
	parts, err := filepath.Glob(filepath.Join(f.path, ".*.part"))
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := os.Remove(p); err != nil {
			return fmt.Errorf("-data: the folder cannot be written to: %w", err)
		}
	}
	switch {
	case overwrite && resume:
		return cli.Usagef("-overwrite trains anew and -resume continues: give one of them")
	case overwrite:
		return nil
	case f.has(StateFile):
		switch {
		case resume:
			return nil
		case f.has(resultFile):
			return fmt.Errorf("-data: %s holds a finished training: name another folder, or train anew over it with -overwrite", f.path)
		}
		return fmt.Errorf("-data: %s holds an unfinished training: continue it with -resume, or train anew over it with -overwrite", f.path)
	}
	for _, name := range []string{resultFile, f.name + ".cascade", f.name + ".xml"} {
		if f.has(name) {
			return fmt.Errorf("-data: %s holds %s already: name another folder, or write over it with -overwrite", f.path, name)
		}
	}
	return nil
}

// close unlocks the folder. If nothing was written, it is restored.
func (f *folder) close() error {
	if f.written {
		return f.lock.Release()
	}
	var err error
	if f.newLog {
		err = f.remove(logFile)
	}
	if f.newLock {
		err = errors.Join(err, f.lock.Discard())
	} else {
		err = errors.Join(err, f.lock.Release())
	}
	f.made.Remove()
	return err
}

func (f *folder) file(name string) string { return filepath.Join(f.path, name) }

func (f *folder) has(name string) bool {
	_, err := os.Lstat(f.file(name))
	return err == nil
}

// remove removes a file if it exists.
func (f *folder) remove(name string) error {
	if err := os.Remove(f.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// write writes a file atomically: until it is complete and on the disk, an
// older one of that name stays unchanged.
func (f *folder) write(name string, content func(io.Writer) error) error {
	if err := f.put(name, true, content); err != nil {
		return err
	}
	f.written = true
	return syncFolder(f.path)
}

// renew is write for what is written again soon: after a crash of the system it may be
// lost.
func (f *folder) renew(name string, content func(io.Writer) error) error {
	return f.put(name, false, content)
}

func (f *folder) put(name string, sync bool, content func(io.Writer) error) error {
	err := samples.Replace(f.file(name), sync, func(w io.Writer) error {
		if f.sink != nil {
			w = f.sink(w)
		}
		return content(w)
	})
	if failed, ok := errors.AsType[*samples.LineError](err); ok {
		kept := ""
		if f.has(name) {
			kept = "; the older one is as it was"
		}
		err = fmt.Errorf("%s: not saved%s: %w", f.file(name), kept, failed.Err)
	}
	return err
}

// syncFolder makes a renaming durable, where the system can.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return nil
	}
	_ = d.Sync()
	return d.Close()
}

// IsFileName reports whether a name is valid for a cascade and its files.
func IsFileName(name string) bool {
	return name != "" && len(name) <= 100 && name[0] != '.' && name[0] != '-' && filepath.IsLocal(name) &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
		})
}

package label

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"haarlem/internal/samples"
)

// A working is a CSV that is edited, and what is known of it on the disk.
type working struct {
	path   string
	folder *folder

	mu      sync.Mutex
	table   *samples.Table
	sum     [sha256.Size]byte // of what is on the disk
	exists  bool
	seen    stamp
	names   map[string][]string // the names that a picture has in the table
	edition int                 // grows with every change
}

// openWorking opens a file, which need not exist.
func openWorking(path string, f *folder) (*working, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		path = whole // a link to the file stays one
	}
	w := &working{path: path, folder: f, table: samples.NewTable(), names: map[string][]string{}}
	return w, w.refresh(true)
}

// refresh reads the file again if it has changed on the disk. Without thorough, it
// trusts size and time. A file that is gone stays in memory. If the file cannot be
// read, all stays as it was.
func (w *working) refresh(thorough bool) error {
	info, err := os.Stat(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		w.exists = false
		return nil
	} else if err != nil {
		return err
	}
	now := stamp{info.Size(), info.ModTime().UnixNano()}
	if w.exists && now == w.seen && !thorough {
		return nil
	}
	data, err := os.ReadFile(w.path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	if w.sum == sum {
		w.exists, w.seen = true, now
		return nil
	}
	t, err := samples.ParseTable(data, w.path)
	if err != nil {
		return err
	}
	w.table, w.sum, w.exists, w.seen = t, sum, true, now
	w.match()
	w.edition++
	return nil
}

// match finds out which pictures the table names, as samples.ReadTruth does.
func (w *working) match() {
	w.names = map[string][]string{}
	for _, name := range w.table.Files() {
		if picture, ok := w.find(name); ok {
			w.names[picture] = append(w.names[picture], name)
		}
	}
}

// find returns the picture of the folder that a name in the table means.
func (w *working) find(name string) (string, bool) {
	if path, ok := samples.Beside(w.path, name); ok {
		return w.folder.name(path)
	}
	return "", false
}

// labels returns the lines of a picture.
func (w *working) labels(picture string) []samples.Label {
	var all []samples.Label
	for _, name := range w.names[picture] {
		all = append(all, w.table.Labels(name)...)
	}
	return all
}

// version identifies the labels of a picture: with other labels it is another one. An
// empty tag is no tag.
func version(lists ...[]samples.Label) string {
	bare := make([][]samples.Label, len(lists))
	for i, list := range lists {
		for _, l := range list {
			tags := map[string]string{}
			for name, value := range l.Tags {
				if value != "" {
					tags[name] = value
				}
			}
			l.Tags = tags
			bare[i] = append(bare[i], l)
		}
	}
	text, err := json.Marshal(bare)
	if err != nil {
		panic(err) // numbers are finite, as the table checked
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// replace replaces the lines of a picture in memory. It returns where in
// [working.labels] they are now.
func (w *working) replace(picture string, labels []samples.Label, was []int) ([]int, error) {
	names := w.names[picture]
	if len(names) == 0 {
		rel, err := filepath.Rel(filepath.Dir(w.path), w.folder.path(picture))
		if err != nil {
			rel = w.folder.path(picture)
		}
		names = []string{filepath.ToSlash(rel)}
	}
	first := 0
	for i, name := range names {
		n := len(w.table.Labels(name))
		var some []samples.Label
		var old []int
		for k, at := range was {
			switch {
			case at >= first && at < first+n:
				some, old = append(some, labels[k]), append(old, at-first)
			case at < 0 && i == len(names)-1:
				some, old = append(some, labels[k]), append(old, -1)
			}
		}
		if err := w.table.Replace(name, some, old); err != nil {
			return nil, fmt.Errorf("%w: %w", errBad, err)
		}
		first += n
	}
	kept := slices.Sorted(slices.Values(was))
	kept = slices.Compact(slices.DeleteFunc(kept, func(at int) bool { return at < 0 }))
	if n := len(kept); n > 0 && kept[n-1] >= first {
		return nil, fmt.Errorf("%w: line %d of %d of %s", errBad, kept[n-1], first, picture)
	}
	now, n := make([]int, len(was)), len(kept)
	for i, at := range was {
		if at >= 0 {
			now[i], _ = slices.BinarySearch(kept, at)
		} else {
			now[i] = n
			n++
		}
	}
	w.match1(picture, names)
	return now, nil
}

// match1 renews what match found for one picture.
func (w *working) match1(picture string, names []string) {
	delete(w.names, picture)
	for _, name := range names {
		if len(w.table.Labels(name)) > 0 {
			w.names[picture] = append(w.names[picture], name)
		}
	}
}

// save writes the table.
func (w *working) save() error {
	sum := sha256.New()
	if err := samples.WriteAtomically(w.path, func(to io.Writer) error { return w.table.Encode(io.MultiWriter(to, sum)) }); err != nil {
		return err
	}
	w.sum, w.exists = [sha256.Size]byte(sum.Sum(nil)), true
	w.edition++
	if info, err := os.Stat(w.path); err == nil {
		w.seen = stamp{info.Size(), info.ModTime().UnixNano()}
	}
	return nil
}

// change replaces the lines of a picture and saves. If that fails, memory stays what
// it was.
func (w *working) change(picture string, labels []samples.Label, was []int) ([]int, error) {
	table, names := *w.table, w.names[picture]
	now, err := w.replace(picture, labels, was)
	if err == nil {
		err = w.save()
	}
	if err != nil {
		w.table = &table
		if len(names) > 0 {
			w.names[picture] = names
		} else {
			delete(w.names, picture)
		}
		return nil, err
	}
	return now, nil
}

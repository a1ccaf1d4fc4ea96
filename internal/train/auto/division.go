package auto

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/internal/samples"
)

// The parts of a division: to learn from, to calibrate with, and to measure on.
const (
	Train = iota
	Dev
	Test
	Parts
)

// PartNames are the names of the parts, of their files too.
var PartNames = [Parts]string{"train", "dev", "test"}

// Division says how data are divided.
type Division struct {
	// Split names a column of the truth that says in which part an object's
	// photograph is: train, test, and val, valid, validation or dev. Empty means
	// that a hash decides.
	Split string

	// Group names a column of the truth: photographs with the same value, such as
	// those of one person or one film, stay together. Empty means that each is
	// alone.
	Group string

	// Same are groups of files that show the same, as [samples.Copies] finds them: each
	// stays together, with all that belong to one of its files by Group, unless Split
	// divides it or it is more than a third of all.
	Same [][]string

	// Shares are those of the parts that are held apart. 0 means 0.15 each. A part
	// that Split has photographs for takes no others.
	Dev, Test float64

	Seed uint64
}

// usualShare is that of a part which has no other.
const usualShare = 0.15

// ErrData is what errors about data that cannot be divided wrap.
var ErrData = errors.New("auto: cannot be divided")

var partWords = map[string]int{
	"train": Train, "training": Train, "trainval": Train, "val": Dev, "valid": Dev, "validation": Dev, "dev": Dev, "test": Test, "testing": Test,
}

// Photos returns the part of each photograph. All objects of a photograph have the
// same value in the columns of a division.
func (d *Division) Photos(photos []samples.Photo) ([]int, error) {
	parts := make([]int, len(photos))
	var free []int // photographs that a hash divides
	keys := make([]string, len(photos))
	var given [Parts]bool
	for i := range photos {
		p := &photos[i]
		keys[i] = filepath.Base(p.File)
		if d.Group != "" && len(p.Objects) > 0 {
			v, err := column(p, d.Group)
			if err != nil {
				return nil, err
			}
			keys[i] = "group " + v
		}
		if d.Split == "" || len(p.Objects) == 0 {
			free = append(free, i)
			continue
		}
		v, err := column(p, d.Split)
		if err != nil {
			return nil, err
		}
		part, ok := partWords[strings.ToLower(v)]
		if !ok {
			return nil, fmt.Errorf("%w: %s: column %q says %q, want train, val or test", ErrData, p.File, d.Split, v)
		}
		parts[i] = part
		given[part] = true
		if part == Train {
			free = append(free, i)
		}
	}
	dev, test := cmp.Or(d.Dev, usualShare), cmp.Or(d.Test, usualShare)
	if given[Dev] {
		dev = 0
	}
	if given[Test] {
		test = 0
	}
	files := make([]string, len(photos))
	for i := range photos {
		files[i] = photos[i].File
	}
	d.join(files, keys, free)
	divide(parts, free, keys, dev, test, d.Seed)
	return parts, nil
}

// Backgrounds returns the part of each picture without objects.
func (d *Division) Backgrounds(files []string) []int {
	parts, all := make([]int, len(files)), make([]int, len(files))
	for i := range all {
		all[i] = i
	}
	keys := slices.Clone(files)
	d.join(files, keys, all)
	divide(parts, all, keys, cmp.Or(d.Dev, usualShare), cmp.Or(d.Test, usualShare), d.Seed)
	return parts
}

// join gives files that show the same one key: the first of theirs.
func (d *Division) join(files, keys []string, some []int) {
	number := map[string]int{}
	for _, i := range some {
		number[files[i]] = i
	}
	first := map[string]string{} // a key that stands for another
	key := func(k string) string {
		for first[k] != "" {
			k = first[k]
		}
		return k
	}
	for _, group := range d.Same {
		var here []int
		for _, file := range group {
			if i, ok := number[file]; ok {
				here = append(here, i)
			}
		}
		if 3*len(here) > len(files) {
			continue
		}
		for n := 1; n < len(here); n++ {
			a, b := key(keys[here[0]]), key(keys[here[n]])
			if a != b {
				first[max(a, b)] = min(a, b)
			}
		}
	}
	for i := range keys {
		keys[i] = key(keys[i])
	}
}

// divide holds about the shares of those apart that are numbered by some.
func divide(parts, some []int, keys []string, dev, test float64, seed uint64) {
	for _, s := range []struct {
		part  int
		share float64
	}{{Test, test}, {Dev, dev / (1 - test)}} {
		if s.share <= 0 {
			continue
		}
		kept, held := samples.Split(some, func(i int) string { return keys[i] }, s.share, seed+uint64(s.part))
		for _, i := range held {
			parts[i] = s.part
		}
		some = kept
	}
}

// column returns the value that all objects of a photograph have in a column.
func column(p *samples.Photo, name string) (string, error) {
	var values []string
	for i := range p.Objects {
		v, ok := p.Objects[i].Tags[name]
		if !ok {
			return "", fmt.Errorf("%w: %s: the truth has no column %q", ErrData, p.File, name)
		}
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if len(values) > 1 {
		return "", fmt.Errorf("%w: %s: column %q says %q of one object and %q of another: want one value for a photograph", ErrData, p.File, name, values[0], values[1])
	}
	return values[0], nil
}

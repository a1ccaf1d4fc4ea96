package mining

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/samples"
	"haarlem/internal/train"
)

// A spec is what is searched for in a wave.
type spec struct {
	Shards      int     `json:"shards"`
	Seed        uint64  `json:"seed"`
	Max         int     `json:"max"`
	About       float64 `json:"about"`
	Validation  bool    `json:"validation"`
	Backgrounds string  `json:"backgrounds"` // SHA-256 of the list
}

// Files of a wave.
const specFile, modelFile, namesFile = "spec.json", "model.cascade", "names.txt"

// viewName is a view in a list of names: picture and orientation.
func viewName(v train.View) string { return fmt.Sprintf("%d/%d", v.Picture, v.Orientation) }

func parseView(name string) (v train.View, err error) {
	picture, orientation, _ := strings.Cut(name, "/")
	p, err1 := strconv.ParseUint(picture, 10, 32)
	t, err2 := strconv.ParseUint(orientation, 10, 3)
	if err = errors.Join(err1, err2); err != nil {
		return v, fmt.Errorf("%q is no picture and orientation: %w", name, err)
	}
	return train.View{Picture: p, Orientation: uint8(t)}, nil
}

// A wave is one folder with pictures to search.
type wave struct {
	dir    shard.Folder
	spec   spec
	job    *shard.Job
	search *train.WindowSearch
	album  *album
	names  string
}

// openWave reads a wave. album gives the pictures of a list.
func openWave(dir shard.Folder, albumOf func(sum string) (*album, error)) (*wave, error) {
	w := &wave{dir: dir}
	text, err := os.ReadFile(filepath.Join(string(dir), specFile))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &w.spec); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(string(dir), specFile), err)
	}
	c, err := cascade.Open(filepath.Join(string(dir), modelFile))
	if err != nil {
		return nil, err
	}
	names, err := os.ReadFile(filepath.Join(string(dir), namesFile))
	if err != nil {
		return nil, err
	}
	w.names = string(names)
	if w.album, err = albumOf(w.spec.Backgrounds); err != nil {
		return nil, err
	}
	w.search = &train.WindowSearch{Cascade: c, Seed: w.spec.Seed, Max: w.spec.Max, About: w.spec.About, Validation: w.spec.Validation}
	models, err := operation.Sums([]*cascade.Cascade{c})
	w.job = &shard.Job{Operation: "wave", Shards: w.spec.Shards, Extension: "jsonl", Models: models, Settings: text}
	return w, err
}

// work searches one view.
func (w *wave) work(ctx context.Context, name string) (shard.Result, error) {
	v, err := parseView(name)
	if err != nil {
		return shard.Result{}, err
	}
	all := w.album.all[0]
	if w.spec.Validation {
		all = w.album.all[1]
	}
	if v.Picture >= uint64(len(all)) {
		return shard.Result{}, fmt.Errorf("picture %d of %d", v.Picture, len(all))
	}
	b := &all[v.Picture]
	g, err := w.album.grey(b)
	if err != nil {
		return shard.Result{}, err
	}
	f, err := w.search.Search(ctx, g, &samples.Background{File: b.File, Exclude: b.Exclude}, v)
	return result(name, f, err)
}

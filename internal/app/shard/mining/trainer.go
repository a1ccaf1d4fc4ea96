package mining

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"haarlem/internal/app/shard"
	"haarlem/internal/samples"
	"haarlem/internal/train"
)

// viewsOfShard is about how many pictures a worker takes at one time.
const viewsOfShard = 4

// A Trainer puts waves into a folder and takes their results. Its Mine is for
// [train.Hooks].
type Trainer struct {
	dir     string
	session string
	sum     string // of the list of backgrounds
	workers int
	album   *album
	waves   int
}

// NewTrainer makes the folder ready for a training on these pictures. The training
// itself searches with so many goroutines; 0 means GOMAXPROCS.
func NewTrainer(ctx context.Context, dir string, learned, validation []samples.Background, workers int) (*Trainer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	t := &Trainer{dir: dir, session: fmt.Sprintf("%08x", rand.Uint32()), workers: workers}
	var err error
	if t.sum, err = writeBackgrounds(ctx, shard.Folder(dir), learned, validation); err != nil {
		return nil, err
	}
	if t.album, err = readAlbum(shard.Folder(dir)); err != nil {
		return nil, err
	}
	// What an earlier training has left.
	old, err := filepath.Glob(filepath.Join(dir, "wave-*"))
	if err != nil {
		return nil, err
	}
	for _, path := range append(old, filepath.Join(dir, doneFile)) {
		if err := os.RemoveAll(path); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Close tells the workers that the training has ended.
func (t *Trainer) Close() error {
	return os.WriteFile(filepath.Join(t.dir, doneFile), []byte("the training has ended\n"), 0o666)
}

// Mine searches views, with whoever works on the folder.
func (t *Trainer) Mine(ctx context.Context, s *train.WindowSearch, views []train.View) ([]train.Finding, error) {
	t.waves++
	name := fmt.Sprintf("wave-%s-%05d", t.session, t.waves)
	path := filepath.Join(t.dir, name)
	if err := t.publish(path, s, views); err != nil {
		return nil, err
	}
	w, err := openWave(shard.Folder(path), func(string) (*album, error) { return t.album, nil })
	if err != nil {
		return nil, err
	}
	if _, err := w.do(ctx, t.workers); err != nil {
		return nil, err
	}
	found, err := w.results(ctx, views)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return found, remove(path)
}

// remove takes a wave away. A worker that has not noticed may write into the folder
// at the same time, which nobody reads: what stays is removed by the next training.
func remove(path string) error {
	if err := os.Remove(filepath.Join(path, specFile)); err != nil {
		return err
	}
	_ = os.RemoveAll(path)
	return nil
}

// publish makes a wave that is there at once.
func (t *Trainer) publish(path string, s *train.WindowSearch, views []train.View) error {
	temp := filepath.Join(t.dir, ".next-"+filepath.Base(path))
	if err := os.Mkdir(temp, 0o777); err != nil {
		return err
	}
	var model, names bytes.Buffer
	if err := s.Cascade.Encode(&model); err != nil {
		return err
	}
	for _, v := range views {
		names.WriteString(viewName(v) + "\n")
	}
	text, err := json.Marshal(spec{
		Shards: max(1, len(views)/viewsOfShard), Seed: s.Seed, Max: s.Max, About: s.About, Validation: s.Validation, Backgrounds: t.sum,
	})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{modelFile: model.Bytes(), namesFile: names.Bytes(), specFile: text} {
		if err := os.WriteFile(filepath.Join(temp, name), content, 0o666); err != nil {
			return err
		}
	}
	return os.Rename(temp, path)
}

// results reads what was found, in the order of the views.
func (w *wave) results(ctx context.Context, views []train.View) ([]train.Finding, error) {
	f, err := shard.Check(ctx, w.dir)
	if err != nil {
		return nil, err
	}
	in, out := io.Pipe()
	go func() { out.CloseWithError(f.Results(ctx, out)) }()
	defer in.Close()
	found := map[string]train.Finding{}
	for d := json.NewDecoder(in); ; {
		var l line
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if found[l.Name], err = l.finding(w.search.Cascade.Width, w.search.Cascade.Height); err != nil {
			return nil, err
		}
	}
	all := make([]train.Finding, len(views))
	for i, v := range views {
		one, ok := found[viewName(v)]
		if !ok {
			return nil, fmt.Errorf("picture %s has no result", viewName(v))
		}
		all[i] = one
	}
	return all, nil
}

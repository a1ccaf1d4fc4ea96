package mining

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"sync"

	"haarlem/internal/app/shard"
	"haarlem/internal/samples"
)

const backgroundsFile = "backgrounds.jsonl"

// A background is a picture of a training as workers see it.
type background struct {
	File       string            `json:"file"`
	SHA256     string            `json:"sha256"` // of the file
	Validation bool              `json:"validation,omitempty"`
	Exclude    []image.Rectangle `json:"exclude,omitempty"`
}

// writeBackgrounds writes the list of the training's pictures, and returns its
// SHA-256.
func writeBackgrounds(ctx context.Context, dir shard.Folder, learned, validation []samples.Background) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for k, all := range [][]samples.Background{learned, validation} {
		for i := range all {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			data, err := os.ReadFile(all[i].File)
			if err != nil {
				return "", err
			}
			sum := sha256.Sum256(data)
			if err := e.Encode(background{all[i].File, hex.EncodeToString(sum[:]), k == 1, all[i].Exclude}); err != nil {
				return "", err
			}
		}
	}
	f, err := dir.Create(ctx, backgroundsFile)
	if err != nil {
		return "", err
	}
	defer f.Abort()
	sum := sha256.Sum256(b.Bytes())
	_, err = f.Write(b.Bytes())
	return hex.EncodeToString(sum[:]), errors.Join(err, f.Commit())
}

// An album is the pictures of a training, read when they are asked for.
type album struct {
	sum string
	all [2][]background // learned, and of validation

	lock   sync.Mutex
	cached map[string]*image.Gray
	room   int
}

// most bytes of pictures that a worker holds.
const albumRoom = 1 << 30

func readAlbum(dir shard.Folder) (*album, error) {
	in, err := dir.Open(context.Background(), backgroundsFile)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	a := &album{cached: map[string]*image.Gray{}, room: albumRoom}
	sum := sha256.New()
	d := json.NewDecoder(io.TeeReader(in, sum))
	for {
		var b background
		if err := d.Decode(&b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", backgroundsFile, err)
		}
		k := 0
		if b.Validation {
			k = 1
		}
		a.all[k] = append(a.all[k], b)
	}
	a.sum = hex.EncodeToString(sum.Sum(nil))
	return a, nil
}

// grey reads a picture, which must be the training's.
func (a *album) grey(b *background) (*image.Gray, error) {
	a.lock.Lock()
	g := a.cached[b.File]
	a.lock.Unlock()
	if g != nil {
		return g, nil
	}
	data, err := os.ReadFile(b.File)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != b.SHA256 {
		return nil, fmt.Errorf("%s: it is another file here than where the training runs", b.File)
	}
	if g, err = samples.DecodeGrey(data, b.File); err != nil {
		return nil, err
	}
	a.lock.Lock()
	if a.cached[b.File] == nil && a.room >= len(g.Pix) {
		a.cached[b.File] = g
		a.room -= len(g.Pix)
	}
	a.lock.Unlock()
	return g, nil
}

package operation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"path"
	"strings"

	"haarlem/internal/app/shard"
	"haarlem/picture"
)

// A Blur writes copies of pictures in which what was found cannot be recognised. A
// copy is called copies/5e/5e09a1b2c3d4e5f6-stem.jpg, by the SHA-256 of the
// picture's name and the name's last part; the results say which is which.
type Blur struct {
	*Detect
	out    shard.Store
	margin float64
	smooth bool
}

// NewBlur returns the operation that obscures what d finds, and a margin of so much
// of a box's size around it: smoothly, or in squares.
func NewBlur(d *Detect, out shard.Store, margin float64, smooth bool) (*Blur, error) {
	if !(margin >= 0 && margin <= 5) {
		return nil, fmt.Errorf("a margin of %v: want 0 to 5", margin)
	}
	return &Blur{d, out, margin, smooth}, nil
}

type blurSettings struct {
	detectSettings
	Margin float64 `json:"margin"`
}

// Job returns the job of so many shards.
func (b *Blur) Job(shards int) (*shard.Job, error) {
	name := "pixelate"
	if b.smooth {
		name = "blur"
	}
	return NewJob(name, b.format, b.header(true), shards, b.models, blurSettings{detectSettings{searchingOf(&b.options), limitsOf(&b.limits)}, b.margin})
}

// Work does one picture.
func (b *Blur) Work(ctx context.Context, name string) (shard.Result, error) {
	p, found, failure, err := b.find(ctx, name)
	if p == nil {
		return shard.Result{Failure: failure}, err
	}
	var boxes []image.Rectangle
	for _, f := range found {
		boxes = append(boxes, f.Box)
	}
	obscured := picture.Pixelate
	if b.smooth {
		obscured = picture.Blur
	}
	copied := copyName(name, p.Format)
	if err := b.write(ctx, copied, obscured(p.Image, boxes, b.margin)); err != nil {
		return shard.Result{}, fmt.Errorf("%s: its copy: %w", name, err)
	}
	return b.result(name, copied, p, found)
}

// copyName depends on nothing but the picture, so that no other copy can have it.
func copyName(name string, f picture.Format) string {
	sum := sha256.Sum256([]byte(name))
	id := hex.EncodeToString(sum[:8])
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	stem := strings.Map(func(r rune) rune {
		if r < 0x80 && !strings.ContainsRune("-_.", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return '_'
		}
		return r
	}, base)
	for len(stem) > 100 { // by whole letters
		stem = string([]rune(stem)[:len([]rune(stem))*9/10])
	}
	return "copies/" + id[:2] + "/" + id + "-" + stem + Ending(f)
}

// Ending is that of the name of a copy: photographs stay photographs, all else is stored
// without loss.
func Ending(f picture.Format) string {
	if f == picture.JPEG {
		return ".jpg"
	}
	return ".png"
}

// Encode writes a picture in the format that the name of its file says: PNG or JPEG.
func Encode(w io.Writer, name string, img image.Image) error {
	if strings.EqualFold(path.Ext(name), ".png") {
		return png.Encode(w, img)
	}
	return jpeg.Encode(w, img, &jpeg.Options{Quality: 92})
}

func (b *Blur) write(ctx context.Context, name string, img image.Image) error {
	f, err := b.out.Create(ctx, name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := Encode(f, name, img); err != nil {
		return err
	}
	return f.Commit()
}

package label

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

// largest is how many pixels a browser gets. Larger pictures are scaled down for it;
// coordinates stay those of the picture.
const largest = 40e6

// pictures serves the pictures of a folder in forms that browsers show.
type pictures struct {
	folder *folder
	slots  chan struct{} // decoders at one time

	mu    sync.Mutex
	small map[string][]byte // JPEG, by picture, part and stamp
}

func newPictures(f *folder) *pictures {
	return &pictures{folder: f, slots: make(chan struct{}, 2), small: map[string][]byte{}}
}

// header is for what comes from strangers' files.
func header(w http.ResponseWriter, s stamp, kind string) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", fmt.Sprintf("%q", s.String()))
}

// whole serves a picture. Browsers decode what they know; with decoded, and all else,
// is decoded here.
func (p *pictures) whole(w http.ResponseWriter, r *http.Request, name string, decoded bool) error {
	file, s, err := p.folder.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	width, height, err := p.folder.size(name)
	if err != nil {
		return err
	}
	kind, err := shown(file)
	if err != nil {
		return err
	}
	if kind != "" && !decoded && width*height <= largest {
		header(w, s, kind)
		http.ServeContent(w, r, "", time.Unix(0, s.modified), file)
		return nil
	}
	s.modified++ // other bytes than those of the file
	if r.Header.Get("If-None-Match") == fmt.Sprintf("%q", s.String()) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if err := p.take(r); err != nil {
		return err
	}
	defer func() { <-p.slots }()
	pic, err := p.folder.decode(r.Context(), name)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	img, kind := pic.Image, "image/png"
	if width*height > largest {
		f := 1
		for (width/f)*(height/f) > largest {
			f++
		}
		img, kind = scaled(img, img.Bounds(), width/f, height/f), "image/jpeg"
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: 92})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img)
	}
	if err != nil {
		return err
	}
	header(w, s, kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.Bytes()))
	return nil
}

// take waits for a decoder, as long as somebody wants the picture.
func (p *pictures) take(r *http.Request) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-r.Context().Done(): // scrolled away
		return r.Context().Err()
	}
}

// shown returns the media type of a file if all browsers show it, the right way up.
func shown(file *os.File) (string, error) {
	head := make([]byte, 64<<10)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	head = head[:n]
	switch kind := http.DetectContentType(head); kind {
	case "image/jpeg", "image/gif", "image/bmp":
		return kind, nil
	case "image/png", "image/webp":
		// Not all browsers turn these as their EXIF says.
		if !bytes.Contains(head, []byte("eXIf")) && !bytes.Contains(head, []byte("EXIF")) {
			return kind, nil
		}
	}
	return "", nil
}

// maxSmall is how many small pictures are kept, of some kB each.
const maxSmall = 4000

// crop serves a part of a picture, all of it if the part is empty, as a JPEG of at
// most so many pixels a side.
func (p *pictures) crop(w http.ResponseWriter, r *http.Request, name string, part image.Rectangle, side int) error {
	s, err := p.folder.stamp(name)
	if err != nil {
		return err
	}
	key := fmt.Sprint(name, "\x00", part, side, s)
	p.mu.Lock()
	data, ok := p.small[key]
	p.mu.Unlock()
	if !ok {
		if err := p.take(r); err != nil {
			return err
		}
		data, err = p.makeCrop(r, name, part, side)
		<-p.slots
		if err != nil {
			return err
		}
		p.mu.Lock()
		if len(p.small) >= maxSmall {
			clear(p.small)
		}
		p.small[key] = data
		p.mu.Unlock()
	}
	header(w, s, "image/jpeg")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	return nil
}

func (p *pictures) makeCrop(r *http.Request, name string, part image.Rectangle, side int) ([]byte, error) {
	pic, err := p.folder.decode(r.Context(), name)
	if err != nil {
		return nil, err
	}
	b := pic.Image.Bounds()
	if part.Empty() {
		part = b
	}
	if part = part.Intersect(b); part.Empty() {
		return nil, fmt.Errorf("%w: this part is outside the picture", errBad)
	}
	width, height := side, side
	if part.Dx() > part.Dy() {
		height = side * part.Dy() / part.Dx()
	} else {
		width = side * part.Dx() / part.Dy()
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, scaled(pic.Image, part, width, height), &jpeg.Options{Quality: 82})
	return out.Bytes(), err
}

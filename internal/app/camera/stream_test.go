package camera

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"regexp"
	"testing"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/must"
)

// What webcam sends has boxes, or hidden faces in every frame, and ends when the camera does.
func TestStream(t *testing.T) {
	for _, hide := range []string{"no", "blur", "solid"} {
		p := detecttest.NewPan(t, 1)
		source := p.Repeat(40)
		watching := make(chan bool)
		source.Before = func(i int) {
			if i == 0 {
				<-watching
			}
		}
		detecttest.FakeBackend(t, source)
		done := make(chan int)
		address := make(chan string, 1)
		go func() {
			program := &cli.Program{Name: "detect", Commands: []*cli.Command{Command()}}
			stderr := detecttest.WriterFunc(func(b []byte) (int, error) {
				if m := regexp.MustCompile(`at (http://127\.0\.0\.1:\d+/)`).FindSubmatch(b); m != nil {
					address <- string(m[1])
				}
				return len(b), nil
			})
			args := append([]string{"webcam", "-stream", ":0", "-hide", hide}, detecttest.PanArgs...)
			done <- program.Run(context.Background(), args, &cli.Streams{Out: &bytes.Buffer{}, Err: stderr})
		}()
		r := must.Get(http.Get(<-address))
		close(watching)
		parts := multipart.NewReader(r.Body, "haarlem-frame")
		received := 0
		for {
			part, err := parts.NextPart()
			if err != nil {
				break // the stream has no last boundary
			}
			img, err := jpeg.Decode(part)
			if err != nil {
				break
			}
			received++
			m := image.NewRGBA(img.Bounds())
			draw.Draw(m, m.Rect, img, image.Point{}, draw.Src)
			for _, face := range p.Faces[0] {
				inner := face.Inset(face.Dx() / 4)
				if share := detecttest.Differs(p.Images[0], m, inner); (share > 0.25) != (hide != "no") {
					t.Fatalf("%s, picture %d: %.2f of the face at %v changed", hide, received, share, face)
				}
				if share := detecttest.Differs(p.Images[0], m, face.Inset(-8)); share < 0.02 {
					t.Fatalf("%s, picture %d: nothing is drawn at %v", hide, received, face)
				}
			}
		}
		r.Body.Close()
		if status := <-done; status != 1 || received < 10 {
			t.Errorf("%s: status %d, %d pictures", hide, status, received)
		}
	}
}

package hide

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/jpeg"
	"io"
	"strings"
	"time"

	"golang.org/x/image/draw"

	"haarlem/internal/app/frames"
)

// A doubtSheet lists frames in which something was hidden that was not found there, with
// small pictures of the result: a person sees at once whether a face is left. Frames in a
// row with the same doubt are one entry, with the frame in its middle.
type doubtSheet struct {
	frames  int // that are uncertain
	entries []doubt
	run     []image.Image // small pictures of the run that is going on, some of them
	step    int           // every how many frames of the run one is kept
	begin   doubt         // of the run
	left    int           // runs without a picture, since there are too many
}

type doubt struct {
	From, To   int // frames
	Start, End time.Duration
	Why        string
	Picture    template.URL
}

const (
	smallWidth = 320
	maxEntries = 500
	maxOfARun  = 16
)

// add takes the next frame, when everything is hidden. A nil sheet takes nothing.
func (s *doubtSheet) add(f *frames.Frame) {
	if s == nil {
		return
	}
	if f.Doubt == "" || f.Doubt != s.begin.Why || f.Index != s.begin.To+1 {
		s.finish()
	}
	if f.Doubt == "" {
		return
	}
	s.frames++
	if s.begin.Why == "" {
		s.begin = doubt{From: f.Index, Start: f.At, Why: f.Doubt}
		s.step = 1
	}
	s.begin.To, s.begin.End = f.Index, f.At
	if (f.Index-s.begin.From)%s.step != 0 || len(s.entries) >= maxEntries {
		return
	}
	if len(s.run) == maxOfARun { // half as many, twice as far apart
		for i := range maxOfARun / 2 {
			s.run[i] = s.run[2*i]
		}
		s.run = s.run[:maxOfARun/2]
		s.step *= 2
		if (f.Index-s.begin.From)%s.step != 0 {
			return
		}
	}
	b := f.Bounds()
	w := min(smallWidth, b.Dx())
	m := image.NewRGBA(image.Rect(0, 0, w, max(1, b.Dy()*w/b.Dx())))
	draw.ApproxBiLinear.Scale(m, m.Rect, f.Picture(), b, draw.Src, nil)
	s.run = append(s.run, m)
}

// finish ends a run.
func (s *doubtSheet) finish() {
	if s.begin.Why == "" {
		return
	}
	if len(s.run) > 0 {
		var b bytes.Buffer
		// Encoding into memory fails for no picture of this size.
		if err := jpeg.Encode(&b, s.run[len(s.run)/2], &jpeg.Options{Quality: 80}); err == nil {
			s.begin.Picture = template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(b.Bytes()))
		}
		s.entries = append(s.entries, s.begin)
	} else {
		s.left++
	}
	s.begin, s.run = doubt{}, nil
}

func (s *doubtSheet) write(w io.Writer, name string) error {
	s.finish()
	return sheetPage.Execute(w, struct {
		Name         string
		Frames, Left int
		Entries      []doubt
	}{name, s.frames, s.left, s.entries})
}

var sheetPage = template.Must(template.New("sheet").Funcs(template.FuncMap{
	"clock": func(d time.Duration) string {
		return fmt.Sprintf("%d:%02d:%06.3f", int(d.Hours()), int(d.Minutes())%60, d.Seconds()-60*float64(int(d.Minutes())))
	},
	"title": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
}).Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Frames to check: {{.Name}}</title>
<style>
body{font:15px/1.4 system-ui,sans-serif;margin:1.5em;color-scheme:light dark}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(20em,1fr));gap:1em}
figure{margin:0}img{width:100%;display:block}figcaption{padding:.3em 0}
</style>
<h1>Frames to check: {{.Name}}</h1>
<p>{{.Frames}} frames are uncertain. Each picture shows the result in the middle of a run of such frames. Look for faces that are left.{{if .Left}} {{.Left}} more runs have no picture.{{end}}</p>
<main>{{range .Entries}}
<figure><img src="{{.Picture}}" alt="frame {{.From}}"><figcaption><b>{{clock .Start}}{{if ne .From .To}} to {{clock .End}}{{end}}</b>, frame {{.From}}{{if ne .From .To}} to {{.To}}{{end}}<br>{{title .Why}}</figcaption></figure>{{end}}
</main></html>
`))

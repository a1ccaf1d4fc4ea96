// Package camera is detect's command webcam.
package camera

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"path/filepath"
	"runtime"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/hide"
	"haarlem/internal/app/search"
	"haarlem/internal/app/video"
	"haarlem/internal/app/wholefile"
	"haarlem/internal/searchopts"
	"haarlem/models"
)

const webcamText = `
Shows what a camera sees, with a box, a number and a score at each face: in a
window if detect is built with OpenCV, otherwise in the terminal, or with
-show page in a browser. A caption says how many pictures a second are shown,
and how long detection takes. It runs beside the camera and never holds the
picture up.

Keys: space pauses, s saves the picture as it is shown, m changes the model,
+ and - change the smallest face, q or Escape ends.

-stream shows nothing here. It sends each frame over HTTP when it was searched,
with boxes, or with -hide blurred or painted over. Only this machine can read
it, unless ADDRESS says otherwise.`

// webcamFlags are those of webcam.
type webcamFlags struct {
	device, size, save string
	show, stream, hide string
	models             []string
	mirror             bool
	full               int
	search.Flags
}

func Command() *cli.Command {
	return &cli.Command{
		Name: "webcam", Summary: "show what a camera sees, with boxes", Text: webcamText,
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			// Parts of pictures are searched, whose edges are none of the picture's:
			// no pad. Nobody waits for faces of a few pixels: no enlarge.
			s, v := console.New(cs), &webcamFlags{device: "0", show: "auto", hide: "no", save: ".", full: 12, Flags: search.Flags{Live: true}}
			v.SetMinSize(60)
			f.Group("Camera and picture")
			f.String(&v.device, "device", "use `CAMERA`: its number, its file such as /dev/video2, a stream, or a video file that stands in for one")
			f.String(&v.size, "size", "ask the camera for pictures of this `SIZE`, such as 1280x720")
			f.Choice(&v.show, "show", []string{"auto", "window", "terminal", "page"}, "show it in a `PLACE`: window (OpenCV), terminal (pixels where it has kitty's graphics, otherwise half blocks), page (a browser on this machine) or auto")
			f.String(&v.stream, "stream", video.StreamUsage)
			f.Choice(&v.hide, "hide", []string{"no", "blur", "solid"}, "what -stream sends of `FACES`: no (boxes), blur (blurred, a second late) or solid (painted over, a second late)")
			f.Bool(&v.mirror, "mirror", "show people as they see themselves in a mirror")
			f.String(&v.save, "save", "the key s saves into the folder `DIR`")
			f.Group("Models")
			f.Strings(&v.models, "model", search.ModelUsage+"; may be repeated, for the key m (default "+models.Default+")")
			v.Flags.Declare(f)
			f.Int(&v.full, "full", "while nothing happens, search the whole picture every `N` frames, and in between near faces and one part of the rest; 1 searches all of each")
			f.Group("Limits")
			v.WorkersFlag(f)
			return func(ctx context.Context, _ []string) error { return webcam(ctx, s, v) }
		},
	}
}

// stream sends what the camera sees over HTTP, and shows nothing here.
func stream(ctx context.Context, s *console.Streams, v *webcamFlags, size image.Point) error {
	source, err := frames.OpenCamera(v.device, size)
	if err != nil {
		return err
	}
	if v.mirror {
		source = mirrored{rgbaSource{source}}
	}
	if len(v.models) > 0 {
		v.Model = v.models[0]
	}
	if v.hide == "no" {
		return video.Stream(ctx, s, v.Flags, source, v.stream)
	}
	return hide.Stream(ctx, s, v.Flags, source, v.stream, v.hide == "solid")
}

func webcam(ctx context.Context, s *console.Streams, v *webcamFlags) error {
	options, err := v.Options()
	if err != nil {
		return err
	}
	var size image.Point
	if v.size != "" {
		if size, err = searchopts.Size(v.size); err != nil {
			return cli.Usagef("-size %q: %v", v.size, err)
		}
	}
	if v.full < 1 {
		return cli.Usagef("-full %d: want 1 or more", v.full)
	}
	if v.show == "window" && openWindow == nil {
		return cli.Usagef("-show window: needs a detect that is built with OpenCV: apt install libopencv-dev pkg-config g++, then: go build -tags gocv ./cmd/detect")
	}
	switch {
	case v.stream == "" && v.hide != "no":
		return cli.Usagef("-hide %s: needs -stream", v.hide)
	case v.stream != "" && v.Given("show"):
		return cli.Usagef("-show: not together with -stream")
	case v.stream != "" && len(v.models) > 1:
		return cli.Usagef("-stream: takes one -model")
	case v.stream != "":
		return stream(ctx, s, v, size)
	}
	dir := v.save
	if !wholefile.IsDir(dir) {
		return cli.Usagef("-save %s: there is no such folder", dir)
	}
	l := &live{every: v.full, settings: settings{smallest: options.MinSize.X}}
	l.search = *options
	if l.search.Workers = v.Workers; l.search.Workers == 0 {
		// One stays free for the picture.
		l.search.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	names := v.models
	if len(names) == 0 {
		names = models.Names()
	}
	for _, name := range names {
		if search.IsPico(name) {
			p, err := v.Pico(name, &l.search)
			if err != nil {
				return err
			}
			l.models = append(l.models, liveModel{name: filepath.Base(name), pico: p})
			continue
		}
		m, err := v.Open(name)
		if err != nil {
			return err
		}
		m.Search.Pad = 0 // see Command
		if _, err := detector.New(&l.search, m); err != nil {
			return cli.Usage(err)
		}
		l.models = append(l.models, liveModel{name: filepath.Base(name), cascade: m})
	}
	l.save = func(img *image.RGBA) (string, error) {
		path := filepath.Join(dir, "webcam-"+time.Now().Format("20060102-150405.000")+".png")
		return path, wholefile.Write(path, false, func(w io.Writer) error { return png.Encode(w, img) })
	}

	source, err := frames.OpenCamera(v.device, size)
	if err != nil {
		return err
	}
	name := source.About().Name
	l.source = pace(rgbaSource{frames.WatchBlack(source)})
	if v.mirror {
		l.source = mirrored{l.source}
	}
	switch {
	case v.show == "window" || v.show == "auto" && openWindow != nil:
		// Windows belong to the thread that opens them.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		l.open = func(size image.Point) (screen, error) { return openWindow("detect: "+name, size) }
	case v.show == "page":
		l.open = func(image.Point) (screen, error) { return openPage("detect: "+name, s.Err) }
	default:
		l.open = func(image.Point) (screen, error) { return openTerminal() }
	}
	err = l.run(ctx)
	if l.shown > 0 {
		fmt.Fprintf(s.Err, "detect: %s\n", l.summary())
	}
	if err == nil && ctx.Err() != nil {
		return cli.Exit(cli.StatusInterrupted)
	}
	return err
}

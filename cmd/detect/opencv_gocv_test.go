//go:build gocv

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/frames"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// readFilm reads a video to its end, and returns the error there.
func readFilm(t *testing.T, path string) (images []*image.RGBA, times []time.Duration, end error) {
	t.Helper()
	s := must.Get(frames.OpenVideo(path))
	defer s.Close()
	for {
		f, err := s.Next()
		if err != nil {
			return images, times, err
		}
		if f.Index != len(images) {
			t.Fatalf("frame %d in place %d", f.Index, len(images))
		}
		images, times = append(images, f.Image), append(times, f.At)
	}
}

// What goes into a video file of any kind comes out again: as many frames, the
// same pictures but for what compression costs, at the times of the rate.
func TestFilmsThereAndBack(t *testing.T) {
	throughOpenCV(t)
	p := detecttest.NewPan(t, 20)
	for ext, codecs := range frames.MovieCodecs {
		if len(codecs) == 0 { // not OpenCV's
			continue
		}
		path := film(t, p, filepath.Join(t.TempDir(), "film"+ext))
		images, times, err := readFilm(t, path)
		if err != io.EOF || len(images) != len(p.Images) {
			t.Errorf("%s: %d frames of %d, %v", ext, len(images), len(p.Images), err)
			continue
		}
		for i, m := range images {
			if m.Rect != p.Images[i].Rect {
				t.Fatalf("%s: a picture of %v", ext, m.Rect)
			}
			if share := detecttest.Differs(m, p.Images[i], m.Rect); share > 0.05 {
				t.Errorf("%s, frame %d: %.2f of the pixels differ", ext, i, share)
			}
			if want := time.Duration(i) * time.Second / detecttest.PanFPS; times[i] < want-2*time.Millisecond || times[i] > want+90*time.Millisecond {
				t.Errorf("%s, frame %d: at %v, want %v", ext, i, times[i], want)
			}
		}
	}
}

// The known boxes in each frame, out of a real file; then into one, which is
// played again.
func TestRealVideo(t *testing.T) {
	throughOpenCV(t)
	p := detecttest.NewPan(t, 40)
	dir := t.TempDir()
	in := film(t, p, filepath.Join(dir, "in.mp4"))
	out := quietly(t, append([]string{"video", in}, detecttest.PanArgs...)...)
	checkLines(t, p, out, 40)

	film, lines := filepath.Join(dir, "out.mp4"), filepath.Join(dir, "out.jsonl")
	quietly(t, append([]string{"video", in, "-out", film, "-out", lines}, detecttest.PanArgs...)...)
	text := must.Get(os.ReadFile(lines))
	checkLines(t, p, string(text), 40)
	images, _, err := readFilm(t, film)
	if err != io.EOF || len(images) != 40 {
		t.Fatalf("%d frames, %v", len(images), err)
	}
	for i, m := range images {
		for _, face := range p.Faces[i] {
			if n := marked(m, face.Inset(-12)); n < face.Dx() {
				t.Errorf("frame %d: %d pixels of a box around %v", i, n, face)
			}
		}
	}
}

// marked counts pixels in about the colour of boxes.
func marked(m image.Image, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if c := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA); c.G > 150 && c.R < 130 && c.B < 160 {
				n++
			}
		}
	}
	return n
}

// Files that are cut off: those that can be opened give what they have, and a
// video of that can be played; all end with one line and status 1.
func TestRealTruncation(t *testing.T) {
	throughOpenCV(t)
	p := detecttest.NewPan(t, 50)
	dir := t.TempDir()
	cut := func(path string, tenths int) string {
		data := must.Get(os.ReadFile(path))
		return detecttest.WriteBytes(t, filepath.Join(dir, fmt.Sprint("cut", tenths, filepath.Base(path))), data[:len(data)*tenths/10])
	}
	avi, mkv, mp4 := film(t, p, filepath.Join(dir, "a.avi")), film(t, p, filepath.Join(dir, "a.mkv")), film(t, p, filepath.Join(dir, "a.mp4"))
	for _, in := range []string{cut(avi, 6), cut(avi, 3), cut(mkv, 6)} {
		film := in + ".out.mp4"
		status, out, stderr := call(append([]string{"video", in, "-out", film}, detecttest.PanArgs...)...)
		if status != statusFailed || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, " of 50: the file is cut off or damaged; ") {
			t.Errorf("%s: status %d, %q, %q", in, status, out, stderr)
			continue
		}
		images, _, err := readFilm(t, film)
		if err != io.EOF || len(images) < 1 || len(images) > 40 {
			t.Errorf("%s: %d frames can be played, %v", in, len(images), err)
		}
		if want := fmt.Sprintf("ends after frame %d of 50", len(images)); !strings.Contains(stderr, want) {
			t.Errorf("%s: %q, want %q", in, stderr, want)
		}
	}
	for _, in := range []string{
		cut(mp4, 6), // whose table of contents is at the end
		detecttest.WriteBytes(t, filepath.Join(dir, "text.mp4"), []byte("no film")),
		detecttest.WriteBytes(t, filepath.Join(dir, "empty.mp4"), nil),
		filepath.Join(dir, "none.mp4"),
		dir,
		filepath.Join(dir, "none-%03d.png"),
		"rtsp://127.0.0.1:9/none",
		"/dev/video77",
	} {
		fails(t, statusFailed, in, append([]string{"video", in, "-out", filepath.Join(dir, "never.mp4")}, detecttest.PanArgs...)...)
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*never*")); err != nil || len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
	fails(t, statusFailed, "camera 77", "webcam", "-device", "77")
}

// A video on standard input, from a file or a pipe, is one: its frames have the
// times that it says, however fast they come, and it ends well.
func TestRealStdin(t *testing.T) {
	throughOpenCV(t)
	p := detecttest.NewPan(t, 20)
	path := filmAt(t, p, filepath.Join(t.TempDir(), "slow.avi"), 10)
	data := must.Get(os.ReadFile(path))
	file := must.Get(os.Open(path))
	defer file.Close()
	read, write := must.Get2(os.Pipe())
	defer read.Close()
	go func() {
		write.Write(data) // the reader says if there is too little
		write.Close()
	}()
	for _, in := range []*os.File{file, read} {
		frames := parseFrames(t, quietly(t, append([]string{"video", fmt.Sprintf("/dev/fd/%d", in.Fd())}, detecttest.PanArgs...)...))
		if len(frames) != 20 {
			t.Fatalf("%d frames", len(frames))
		}
		for i, f := range frames {
			if want := float64(i) / 10; f.Time < want-0.01 || f.Time > want+0.01 {
				t.Errorf("frame %d: at %v s, want %v", i, f.Time, want)
			}
		}
	}
}

// A video has even sides; pictures that have not lose a row or a column.
func TestRealOddSize(t *testing.T) {
	throughOpenCV(t)
	path := filepath.Join(t.TempDir(), "odd.mp4")
	w := must.Get(frames.CreateOpenCVMovie(path, frames.MovieCodecs[".mp4"], 25, image.Pt(101, 75)))
	m := image.NewRGBA(image.Rect(0, 0, 101, 75))
	for i := range m.Pix {
		m.Pix[i] = 200
	}
	for range 5 {
		must.Do(w.Write(m, 0))
	}
	must.Do(w.Close())
	images, _, err := readFilm(t, path)
	if err != io.EOF || len(images) != 5 || images[0].Rect.Dx() < 100 || images[0].Rect.Dy() < 74 {
		t.Errorf("%d frames, %v", len(images), err)
	}
	if n, err := frames.CheckMovie(path); n != 5 || err != nil {
		t.Errorf("checked: %d, %v", n, err)
	}
}

// Without a display the program says so, where OpenCV would end it.
func TestNoDisplay(t *testing.T) {
	in := film(t, detecttest.NewPan(t, 3), filepath.Join(t.TempDir(), "in.avi"))
	t.Setenv("WAYLAND_DISPLAY", "")
	for _, display := range []string{"", ":7077"} {
		t.Setenv("DISPLAY", display)
		fails(t, statusFailed, "no screen to show a window on", "webcam", "-device", in)
	}
}

// The real window, on a display in memory: it shows the camera's pictures with
// boxes and captions, and obeys keys. HAARLEM_SCREENSHOT names a file that
// keeps what was seen.
func TestRealWindow(t *testing.T) {
	throughOpenCV(t)
	for _, tool := range []string{"Xvfb", "xdotool", "import"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v (apt install xvfb xdotool imagemagick)", err)
		}
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "detect")
	if out, err := exec.Command("go", "build", "-tags", "gocv", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// A camera that stands still. It outlasts all that the test waits for: a
	// busy machine may take a minute until the window is there.
	p := detecttest.NewPan(t, 1)
	p.Images = slices.Repeat(p.Images, 2*20*60)
	film := filmAt(t, p, filepath.Join(dir, "camera.avi"), 2)

	display := startXvfb(t)
	env := append(os.Environ(), "DISPLAY="+display, "XDG_RUNTIME_DIR="+dir, "QT_QPA_PLATFORM=xcb")
	x := func(name string, args ...string) (string, error) {
		// xdotool waits for ever for a window that cannot have the keys.
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Env = env
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%s: %w, %v: %s", name, err, ctx.Err(), &stderr)
		}
		return strings.TrimSpace(string(out)), err
	}
	cmd := exec.Command(program, "webcam", "-device", film, "-model", detecttest.Drawn, "-model", detecttest.Drawn, "-min-size", "40", "-save", dir)
	cmd.Env = env
	said := must.Get(os.Create(filepath.Join(dir, "stderr.txt")))
	cmd.Stderr = said // a file, which may be read while it runs
	stderr := func() string {
		b, err := os.ReadFile(said.Name())
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	must.Do(errors.Join(cmd.Start(), said.Close()))
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended unless the test failed

	// until waits for something that takes an unknown time.
	until := func(what string, done func() error) {
		t.Helper()
		for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			err := done()
			if err == nil {
				return
			}
			select {
			case end := <-ended:
				t.Fatalf("%s: %v; the program has ended: %v, stderr: %s", what, err, end, stderr())
			default:
			}
			if time.Since(begin) > 3*time.Minute {
				t.Fatalf("in three minutes: %s: %v; stderr: %s", what, err, stderr())
			}
		}
	}
	var id string
	until("no window", func() error {
		ids, err := x("xdotool", "search", "--onlyvisible", "--name", "detect: .*camera.avi")
		if id, _, _ = strings.Cut(ids, "\n"); err == nil && id == "" {
			err = errors.New("none has that name")
		}
		return err
	})
	shot := filepath.Join(dir, "shot.png")
	var seen image.Image
	until("too few boxes in the window", func() error {
		if _, err := x("import", "-window", "root", shot); err != nil {
			return err
		}
		seen = detecttest.ReadPicture(t, shot)
		want := 0
		for _, face := range p.Faces[0] {
			want += face.Dx() // a quarter of the lines around it, at most half as large
		}
		if got := marked(seen, seen.Bounds()); got <= want {
			return fmt.Errorf("%d pixels of boxes, want more than %d", got, want)
		}
		return nil
	})
	if path := os.Getenv("HAARLEM_SCREENSHOT"); path != "" {
		picturetest.Save(path, seen)
	}
	// The colours of the picture are right: the drawn room has no blue faces.
	if red, blue := warmth(seen); red < blue {
		t.Errorf("more blue (%d) than red (%d): are the colours in the wrong order?", blue, red)
	}
	press := func(key string) {
		t.Helper()
		until(key+" cannot be pressed", func() error {
			// Without a window manager nobody else gives the window the keys.
			_, err := x("xdotool", "windowfocus", "--sync", id, "key", key)
			return err
		})
	}
	saved := func() int {
		files := must.Get(filepath.Glob(filepath.Join(dir, "webcam-*.png")))
		return len(files)
	}
	press("m")
	press("plus")
	// OpenCV gives Q, S and U for these.
	press("Left")
	press("Right")
	press("Page_Up")
	time.Sleep(200 * time.Millisecond)
	if n := saved(); n != 0 {
		t.Errorf("the arrows saved %d pictures", n)
	}
	press("s")
	until("nothing was saved", func() error {
		if saved() == 0 {
			return errors.New("no file")
		}
		return nil
	})
	press("space")
	// Not press, which would try again if the window were gone too soon.
	if _, err := x("xdotool", "windowfocus", "--sync", id, "key", "q"); err != nil {
		t.Log(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%v, stderr: %s", err, stderr())
		}
	case <-time.After(3 * time.Minute):
		t.Fatalf("q does not end it; stderr: %s", stderr())
	}
	clitest.Contains(t, stderr(), " shown, ")
}

// warmth adds up red and blue.
func warmth(m image.Image) (red, blue int) {
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			c := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
			red += int(c.R)
			blue += int(c.B)
		}
	}
	return red, blue
}

// startXvfb starts an X server on a display that is free, and returns its name.
func startXvfb(t *testing.T) string {
	t.Helper()
	r, w := must.Get2(os.Pipe())
	defer r.Close()
	// -r: a key that a busy machine lets go late does not repeat itself.
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-r")
	server.ExtraFiles = []*os.File{w}
	var stderr bytes.Buffer
	server.Stderr = &stderr
	must.Do(server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	must.Do(w.Close())
	must.Do(r.SetReadDeadline(time.Now().Add(2 * time.Minute)))
	// The whole line: it writes the number and the end of the line one after
	// the other, and ends if nobody listens any more.
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		_ = server.Process.Kill()
		_ = server.Wait()
		t.Fatalf("Xvfb says %q, %v; stderr: %s", number, err, &stderr)
	}
	return ":" + strings.TrimSpace(number)
}

// throughOpenCV sends videos and cameras through OpenCV until the test ends, also
// those that are read without it.
func throughOpenCV(t *testing.T) {
	t.Helper()
	frames.Backend.Only = true
	t.Cleanup(func() { frames.Backend.Only = false })
}

// film writes the pan into a file, as a camera with that kind of file would.
func film(t *testing.T, p *detecttest.Pan, path string) string {
	t.Helper()
	return filmAt(t, p, path, detecttest.PanFPS)
}

// filmAt is film with so many pictures a second.
func filmAt(t *testing.T, p *detecttest.Pan, path string, fps float64) string {
	t.Helper()
	w := must.Get(frames.CreateOpenCVMovie(path, frames.MovieCodecs[filepath.Ext(path)], fps, p.Images[0].Rect.Size()))
	for _, m := range p.Images {
		must.Do(w.Write(m, 0))
	}
	must.Do(w.Close())
	return path
}

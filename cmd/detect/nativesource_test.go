package main

import (
	"bytes"
	"context"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/frames"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// Faces are found in every kind of stream on standard input, the same ones but for
// what compression costs, without ffmpeg and OpenCV.
func TestVideoFromStdin(t *testing.T) {
	withoutFFmpeg(t)
	p := detecttest.NewPan(t, 12)
	y4m := p.Y4M(t)
	var mjpeg, raw bytes.Buffer
	dir := t.TempDir()
	for i, m := range p.Images {
		mjpeg.Write(picturetest.JPEG(m, 95))
		raw.Write(m.Pix)
		detecttest.WritePNG(t, filepath.Join(dir, fmt.Sprintf("shot-%03d.png", i+1)), m)
	}
	for name, test := range map[string]struct {
		data []byte
		args []string
	}{
		"Y4M":         {y4m, []string{"video", "-"}},
		"Motion JPEG": {mjpeg.Bytes(), []string{"video", "-"}},
		"raw":         {raw.Bytes(), []string{"video", "-", "-raw", "rgba:480x320"}},
		"numbered":    {nil, []string{"video", filepath.Join(dir, "shot-%03d.png")}},
		"a file":      {nil, []string{"video", detecttest.WriteBytes(t, filepath.Join(dir, "film"), y4m)}},
	} {
		t.Log(name)
		checkLines(t, p, given(bytes.NewReader(test.data)).Quietly(t, append(test.args, detecttest.PanArgs...)...), 12)
	}
	// A stream that breaks off within a frame.
	out := given(bytes.NewReader(y4m[:len(y4m)*2/3])).Says(t, statusFailed, "stdin: frame 7: damaged video", append([]string{"video", "-"}, detecttest.PanArgs...)...)
	if n := len(parseFrames(t, out)); n != 7 {
		t.Errorf("%d frames", n)
	}
	given(strings.NewReader("")).Says(t, statusFailed, "stdin: there is no video", "video", "-")
}

// Annotated and blurred video goes to standard output as it came, and what is said goes
// elsewhere. Blurring changes nothing but the boxes.
func TestVideoToStdout(t *testing.T) {
	p := detecttest.NewPan(t, 10)
	y4m := p.Y4M(t)
	_, before := detecttest.FramesOf(t, y4m)
	for _, test := range []struct{ kind, args string }{
		{"Y4M", "video - -out -"}, {"Motion JPEG", "video - -out - -out-format mjpeg"}, {"Y4M", "blur - -out -"}, {"Motion JPEG", "pixelate - -out - -out-format mjpeg"},
	} {
		out := given(bytes.NewReader(y4m)).Says(t, statusOK, "written to stdout", append(strings.Fields(test.args), detecttest.PanArgs...)...)
		kind, all := detecttest.FramesOf(t, []byte(out))
		if kind != test.kind || len(all) != 10 {
			t.Errorf("%s: %s, %d frames", test.args, kind, len(all))
			continue
		}
		if !strings.Contains(test.args, "blur") {
			continue
		}
		for i, img := range all {
			for _, face := range p.Faces[i] {
				if share := detecttest.Differs(before[i], img, face); share < 0.25 {
					t.Errorf("frame %d: %.2f of the face at %v changed", i, share, face)
				}
			}
		}
	}
}

// Through ffmpeg: any container, its sound and the time of each frame.
func TestThroughFFmpeg(t *testing.T) {
	if frames.FindFFmpeg() == "" {
		t.Skip("needs ffmpeg on the PATH")
	}
	p := detecttest.NewPan(t, 16)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.mkv"), filepath.Join(dir, "out.mkv")
	ffmpeg := func(stdin []byte, args ...string) string {
		t.Helper()
		cmd := exec.Command("ffmpeg", append([]string{"-hide_banner", "-loglevel", "error"}, args...)...)
		cmd.Stdin = bytes.NewReader(stdin)
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("ffmpeg %q: %v, %s", args, err, text)
		}
		return string(text)
	}
	// A rate that varies: every frame whose number is 2 more than a multiple of 4 is late.
	ffmpeg(p.Y4M(t), "-f", "yuv4mpegpipe", "-i", "pipe:0", "-f", "lavfi", "-i", "sine=duration=0.6", "-map", "0", "-map", "1", "-vf", "settb=1/1000,setpts='N*40+15*eq(mod(N,4),2)'",
		"-fps_mode", "passthrough", "-enc_time_base", "1:1000", "-c:v", "ffv1", "-c:a", "pcm_s16le", "-metadata", "title=secret", in)
	text := quietly(t, append([]string{"video", in, "-out", out, "-out", filepath.Join(dir, "x.jsonl")}, detecttest.PanArgs...)...)
	clitest.Contains(t, text, "16 frames")
	lines := must.Get(os.ReadFile(filepath.Join(dir, "x.jsonl")))
	for i, f := range parseFrames(t, string(lines)) {
		want := float64(40*i) / 1000
		if i%4 == 2 {
			want += 0.015
		}
		if f.Time < want-0.0011 || f.Time > want+0.0011 {
			t.Errorf("frame %d: at %v, want %v", i, f.Time, want)
		}
	}
	times := func(path string) string {
		text := ffmpeg(nil, "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "1:1000", "-f", "mkvtimestamp_v2", "-")
		return text
	}
	if a, b := times(in), times(out); a != b || strings.Count(a, "\n") != 17 {
		t.Errorf("times were\n%sand are\n%s", a, b)
	}
	film := filepath.Join(dir, "out.mp4") // which cannot hold the sound as it is
	works(t, append([]string{"video", in, "-out", film}, detecttest.PanArgs...)...)
	if said, _ := exec.Command("ffmpeg", "-hide_banner", "-i", film).CombinedOutput(); !strings.Contains(string(said), "Audio: aac") {
		t.Errorf("PCM sound into MP4: %s", said)
	}
	said, _ := exec.Command("ffmpeg", "-hide_banner", "-i", out).CombinedOutput() // without an output it ends with an error
	if !strings.Contains(string(said), "Audio: pcm_s16le") || strings.Contains(string(said), "secret") {
		t.Errorf("%s", said)
	}
	// What is no video is said in ffmpeg's words.
	bad := detecttest.WriteBytes(t, filepath.Join(dir, "bad.mp4"), []byte("\x00\x00\x00\x20ftypisom and nothing more"))
	fails(t, statusFailed, "not a video that ffmpeg can read", "video", bad)
	// From a pipe, and cut off.
	data := must.Get(os.ReadFile(in))
	if text := given(bytes.NewReader(data)).Works(t, append([]string{"video", "-"}, detecttest.PanArgs...)...); strings.Count(text, "\n") != 16 {
		t.Errorf("from a pipe:\n%s", text)
	}
}

// ffmpeg can end with status 0 though the disk was full. A film that cannot be read, or
// whose end ffmpeg could not write, is none: it replaces no good one, and does not end the
// run's list of detections.
func TestFilmThatIsNone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	const readsNone = `case "$*" in *pipe:0*) /bin/cat >/dev/null; echo broken >"${last#file:}";; *-encoders*) ;; *) echo 'moov atom not found' >&2; exit 1;; esac`
	const endsNone = `case "$*" in
*pipe:0*) /bin/cat >/dev/null; echo "Error writing trailer of $last: No space left on device" >&2;;
*framecrc*) for i in 1 2 3 4 5 6; do echo "0, $i, $i, 1, 100, 0x1"; done;;
esac`
	for _, test := range []struct{ script, command, film, want string }{
		{readsNone, "video", "a.mp4", "cannot be played"}, {readsNone, "blur", "b.mp4", "cannot be played"},
		{endsNone, "video", "c.mkv", "No space left on device"}, {endsNone, "video", "d.avi", "No space left on device"},
	} {
		dir, bin := t.TempDir(), t.TempDir()
		must.Do(os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte("#!/bin/sh\nfor last; do :; done\n"+test.script+"\n"), 0o777))
		t.Setenv("PATH", bin)
		in := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), detecttest.NewPan(t, 6).Y4M(t))
		film := detecttest.WriteBytes(t, filepath.Join(dir, test.film), []byte("a good film"))
		fails(t, statusFailed, test.want, append([]string{test.command, in, "-overwrite", "-out", film}, detecttest.PanArgs...)...)
		if text, _ := os.ReadFile(film); string(text) != "a good film" {
			t.Errorf("%s: the film is replaced by %q", test.film, text)
		}
		if _, err := os.Stat(film + ".detections"); err != nil {
			t.Errorf("%s: %v", test.film, err)
		}
	}
}

// One bad frame ends a run, which says which one it is and keeps those before.
func TestBadFrame(t *testing.T) {
	var film bytes.Buffer
	for i, m := range detecttest.NewPan(t, 12).Images {
		data := picturetest.JPEG(m, jpeg.DefaultQuality)
		if i == 7 {
			clear(data[len(data)/2 : len(data)-2])
			copy(data[len(data)/2:], "\xff\x01")
		}
		film.Write(data)
	}
	dir := t.TempDir()
	in := detecttest.WriteBytes(t, filepath.Join(dir, "in.mjpeg"), film.Bytes())
	for _, name := range []string{"video", "blur"} {
		out := filepath.Join(dir, name+".mjpeg")
		fails(t, statusFailed, "frame 7:  ... complete up to there", append([]string{name, in, "-out", out}, detecttest.PanArgs...)...)
		if _, all := detecttest.FramesOf(t, must.Get(os.ReadFile(out))); len(all) != 7 {
			t.Errorf("%s: %d frames are kept, want 7", name, len(all))
		}
	}
}

// A run that was killed goes on, and gives the bytes of one that was not; a run with
// other flags does not take its results.
func TestResume(t *testing.T) {
	p := detecttest.NewPan(t, 24)
	dir := t.TempDir()
	in := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), p.Y4M(t))
	run := func(ctx context.Context, name string, more ...string) (int, string) {
		var out, stderr bytes.Buffer
		args := append([]string{"video", in, "-out", filepath.Join(dir, name+".jsonl"), "-out", filepath.Join(dir, name+".y4m")}, detecttest.PanArgs...)
		return program().Run(ctx, append(args, more...), &cli.Streams{Out: &out, Err: &stderr}), stderr.String()
	}
	if status, stderr := run(t.Context(), "whole"); status != statusOK {
		t.Fatal(stderr)
	}
	// Killed: the journal is cut within a line, and an output is half there.
	if status, stderr := run(t.Context(), "cut"); status != statusOK {
		t.Fatal(stderr)
	}
	path := filepath.Join(dir, "cut.jsonl.detections")
	if _, err := os.Stat(path); err == nil {
		t.Error("the list of detections stays when all is done")
	}
	keepJournal(t, path, in)
	detecttest.WriteBytes(t, filepath.Join(dir, "cut.jsonl"), []byte("half a li"))
	must.Do(os.Remove(filepath.Join(dir, "cut.y4m")))
	detecttest.WriteBytes(t, filepath.Join(dir, ".cut.0123abcd.part.y4m"), []byte("half a film"))
	detecttest.WriteBytes(t, filepath.Join(dir, ".cut.mine.part.y4m"), []byte("something else"))
	if status, stderr := run(t.Context(), "cut", "-min-neighbors", "5", "-resume"); status != statusUsage || !strings.Contains(stderr, "other flags") {
		t.Errorf("other flags: status %d, %s", status, stderr)
	}
	if status, stderr := run(t.Context(), "cut", "-resume"); status != statusOK {
		t.Fatal(stderr)
	}
	for _, ext := range []string{".jsonl", ".y4m"} {
		a, err1 := os.ReadFile(filepath.Join(dir, "whole"+ext))
		b, err2 := os.ReadFile(filepath.Join(dir, "cut"+ext))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if ext == ".jsonl" {
			clitest.Contains(t, string(b), `"milliseconds":123`)
			a, b = []byte(withoutTimes(string(a))), []byte(withoutTimes(string(b)))
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s: a run that was resumed gives other bytes", ext)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.detections"))
	parts, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if len(files) > 0 || len(parts) != 1 {
		files = append(files, parts...)
		t.Errorf("left behind: %q", files)
	}
}

// keepJournal makes the journal that a run leaves which was killed after some frames, with
// times of its own and half a line.
func keepJournal(t *testing.T, path, in string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	args := append([]string{"video", in, "-workers", "1", "-overwrite", "-out", strings.TrimSuffix(path, ".detections"), "-out", "-"}, detecttest.PanArgs...)
	out := detecttest.WriterFunc(func(b []byte) (int, error) {
		cancel() // some frames are searched before the first one is written
		return len(b), nil
	})
	if status := run(ctx, args, nil, out, io.Discard); status != statusInterrupted {
		t.Fatalf("status %d of a run that is interrupted", status)
	}
	text := must.Get(os.ReadFile(path))
	text = regexp.MustCompile(`"ns":[0-9]+`).ReplaceAll(text, []byte(`"ns":123000000`))
	detecttest.WriteBytes(t, path, append(text, `{"f":`...))
}

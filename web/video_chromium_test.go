//go:build chromium

package web_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

// panWidth is how far the film of these tests pans over the group picture.
const panWidth = 160

// film records a WebM video in the browser itself: the group picture through a
// window of 640x480 that rests at its left, pans slowly, and rests at its
// right. Browsers record without a length in the file and without an index,
// so that a player learns at the end only how long it is.
func (v *visit) film() []byte {
	v.Helper()
	group := must.Get(os.ReadFile(filepath.Join("..", "samples", "group.png")))
	out := tell[string](v, fmt.Sprintf(`{
		const bytes = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0));
		const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
		const canvas = document.createElement("canvas");
		canvas.width = 640;
		canvas.height = 480;
		const pen = canvas.getContext("2d", { alpha: false });
		const show = (x) => pen.drawImage(picture, -x, -20);
		show(0);
		const stream = canvas.captureStream(0);
		const [track] = stream.getVideoTracks();
		const recorder = new MediaRecorder(stream, { mimeType: "video/webm;codecs=vp8", videoBitsPerSecond: 6e6 });
		const parts = [];
		let size = 0;
		recorder.ondataavailable = (e) => { parts.push(e.data); size += e.data.size; };
		const ended = new Promise((resolve, reject) => {
			recorder.onstop = resolve;
			recorder.onerror = (e) => reject(e.error ?? new Error("the recorder failed"));
		});
		recorder.start(20);
		// On a busy machine the recorder falls behind, and drops what it has not
		// encoded when it is stopped. So each frame waits until something of the
		// one before is written; a recorder that keeps one back is not waited for.
		const rest = 5, way = 8;
		const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
		for (let i = 0; i < rest + way + rest; i++) {
			show(Math.round(%d * Math.min(1, Math.max(0, (i - rest) / way))));
			const before = size, begun = performance.now();
			track.requestFrame();
			do await wait(80); while (size === before && performance.now() - begun < 1500);
		}
		recorder.stop();
		await ended;
		track.stop();
		globalThis.film = new Blob(parts, { type: "video/webm" });
		const reader = new FileReader();
		await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(film); });
		reader.result;
	}`, base64.StdEncoding.EncodeToString(group), panWidth))
	_, code, _ := strings.Cut(out, ",")
	data := must.Get(base64.StdEncoding.DecodeString(code))
	if !strings.HasPrefix(string(data), "\x1aE\xdf\xa3") {
		v.Fatalf("the browser recorded %d bytes that are no WebM: %.60q", len(data), data)
	}
	return data
}

// A video that is dropped: the faces of its frames, on and on; what else is
// dropped while it plays; pause, blur and save; videos that are broken; and
// cameras before and after it.
func TestVideo(t *testing.T) {
	group := sample("group.png")
	left, right := cut(group, 0, 20, 640, 480), cut(group, panWidth, 20, 640, 480)
	model := defaultModel()
	wantLeft, wantRight := sceneOf(model, left), sceneOf(model, right)
	if len(wantLeft.must) < 3 || len(wantRight.must) < 3 {
		t.Fatalf("%d and %d faces are too few to tell the scenes apart by", len(wantLeft.must), len(wantRight.must))
	}
	v := visited(t, 10*time.Minute, "#live-min-size=60", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
		"--use-file-for-fake-video-capture="+writeY4M(t, 30, left))
	data := v.film()
	t.Logf("a film of %d bytes", len(data))
	dir := t.TempDir()
	path := filepath.Join(dir, "pan.webm")
	must.Do(os.WriteFile(path, data, 0o666))

	// How often the video begins anew, and how many pictures were searched.
	v.do(`
		globalThis.rounds = 0;
		globalThis.searches = 0;
		{
			const video = document.getElementById("video");
			let last = 0;
			const look = (now, frame) => {
				if (frame.mediaTime < last) rounds++;
				last = frame.mediaTime;
				video.requestVideoFrameCallback(look);
			};
			video.requestVideoFrameCallback(look);
			new MutationObserver(() => { searches++; }).observe(document.getElementById("boxes"),
				{ attributes: true, attributeFilter: ["data-found"] });
		}`)
	facesOfAll := func(when string) {
		t.Helper()
		v.waitFor("the faces at the left, "+when, func() bool { return wantLeft.seen(v.shown()) })
		v.waitFor("the faces at the right, "+when, func() bool { return wantRight.seen(v.shown()) })
	}
	number := func(script string) float64 { return tell[float64](v, script) }
	noMessage := func() {
		t.Helper()
		if text := v.text("message"); text != "" {
			t.Errorf("the page says %q", text)
		}
	}
	v.drop(path)
	facesOfAll("the first time")
	v.screenshot("video")
	noMessage()

	// Boxes go with the picture while it pans, a face in the middle of its way
	// among them.
	wide := native(model, detector.Options{MinSize: image.Pt(60, 60), MinNeighbors: 10}, group)
	v.waitFor("faces on their way", func() bool {
		list := v.shown()
		for _, w := range wide {
			for _, f := range list {
				way := float64(w.Box.Min.X) - f.X
				moved := w.Box.Sub(image.Pt(int(way), 20))
				if way > panWidth/4 && way < panWidth*3/4 && same(f.box(), moved) &&
					!slices.ContainsFunc(slices.Concat(wantLeft.may, wantRight.may), func(d detector.Detection) bool { return same(f.box(), d.Box) }) {
					return true
				}
			}
		}
		return false
	})

	// The figures: what is found, at which size, how fast.
	v.until(`Number(document.getElementById('count').textContent) >= 3 &&
		document.getElementById('size').textContent === '640×480' &&
		/^[\d.]+ ms$/.test(document.getElementById('milliseconds').textContent) &&
		/^[1-9]\d* per second$/.test(document.getElementById('fps').textContent)`)

	// The video ends and begins anew, twice, and searching goes on.
	before := number("rounds")
	v.waitFor("two more rounds", func() bool { return number("rounds") >= before+2 })
	before = number("searches")
	v.waitFor("more searches", func() bool { return number("searches") >= before+5 })
	facesOfAll("after the end")
	noMessage()

	// Pause: the picture stands still, settings still count, and it is saved
	// blurred. Then it goes on.
	v.waitFor("the faces at the right", func() bool { return wantRight.seen(v.shown()) })
	v.do("document.activeElement.blur()")
	v.key(" ")
	v.until("document.getElementById('video').paused && document.getElementById('pause').textContent === 'Go on'")
	v.set("min", 400)
	v.waitFor("no face of 400 pixels", func() bool { return len(v.shown()) == 0 })
	v.set("min", 60)
	v.waitFor("the faces of the standing picture", func() bool { return len(v.shown()) >= 3 })
	standing := v.shown()
	v.key("b")
	blurred := must.Get(png.Decode(bytes.NewReader(v.saved("pan-blurred.png"))))
	if blurred.Bounds() != left.Bounds() {
		t.Errorf("the blurred picture is %v, want %v", blurred.Bounds(), left.Bounds())
	}
	rest := native(model, detector.Options{MinSize: image.Pt(40, 40)}, blurred)
	for _, face := range standing {
		if slices.ContainsFunc(rest, func(d detector.Detection) bool { return same(d.Box, face.box()) }) {
			t.Errorf("the face at %v can still be found in the blurred picture", face.box())
		}
	}
	v.key(" ")
	v.until("!document.getElementById('video').paused && document.getElementById('pause').textContent === 'Pause'")
	facesOfAll("after the pause")

	// Another video in place of one that plays, as a script drops it.
	v.do(`{
		const what = new DataTransfer();
		what.items.add(new File([film], "again.webm", { type: "video/webm" }));
		document.getElementById("stage").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: what }));
	}`)
	noMessage()
	facesOfAll("in the second video")

	// Two at once: the last one stays, and nobody complains.
	v.do(`
		for (const name of ["one.webm", "two.webm"]) {
			const what = new DataTransfer();
			what.items.add(new File([film], name, { type: "video/webm" }));
			document.getElementById("stage").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: what }));
		}`)
	facesOfAll("in the last of two videos")
	noMessage()
	v.key("b")
	v.saved("two-blurred.png")

	// A picture in place of the video, and the video again.
	v.drop(groupPath)
	v.waitFor("the faces of the picture", func() bool {
		return agree(v.shown(), native(model, detector.Options{}, group))
	})
	v.until("document.getElementById('video').hidden && document.getElementById('pause').disabled")
	v.drop(path)
	facesOfAll("after a picture")

	// Videos that are none, or only begin like one.
	for name, content := range map[string][]byte{"text.webm": []byte("hello"), "cut.webm": data[:60]} {
		broken := filepath.Join(dir, name)
		must.Do(os.WriteFile(broken, content, 0o666))
		v.drop(broken)
		v.until("document.getElementById('message').textContent.startsWith(%q)", name)
		v.until("document.getElementById('stage').classList.contains('empty')")
	}
	// Half of one plays as far as it goes, over and over.
	half := filepath.Join(dir, "half.webm")
	must.Do(os.WriteFile(half, data[:len(data)/3], 0o666))
	v.drop(half)
	v.waitFor("the faces of a video that was cut off", func() bool { return wantLeft.seen(v.shown()) })
	noMessage()
	before = number("rounds")
	v.waitFor("two rounds of a video that was cut off", func() bool { return number("rounds") >= before+2 })
	v.waitFor("its faces again", func() bool { return wantLeft.seen(v.shown()) })

	// A camera after a video, a camera after a camera, and a video after a camera.
	v.drop(path)
	facesOfAll("before the camera")
	playing := `document.getElementById('video').srcObject?.active && !document.getElementById('video').paused &&
		document.getElementById('camera').textContent === 'Stop camera'`
	v.click("camera")
	v.until(playing)
	v.waitFor("the camera's faces after a video", func() bool { return wantLeft.seen(v.shown()) })
	// Chromium plays one file as one camera: it is chosen once more, which is
	// all the same a new stream in place of the one that runs.
	v.until("document.getElementById('device').options.length === 1")
	v.do(`
		globalThis.first = document.getElementById("video").srcObject;
		document.getElementById("device").dispatchEvent(new Event("change"));`)
	v.until("document.getElementById('video').srcObject !== first && !first.active && " + playing)
	v.waitFor("the faces of the camera that was chosen anew", func() bool { return wantLeft.seen(v.shown()) })
	before = number("searches")
	v.waitFor("more searches of it", func() bool { return number("searches") >= before+5 })
	v.drop(path)
	facesOfAll("after the camera")
	v.until("document.getElementById('video').srcObject === null && document.getElementById('camera').textContent === 'Start camera'")
	noMessage()
	v.noProblems()
}

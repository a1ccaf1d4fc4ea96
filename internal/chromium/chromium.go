// Package chromium drives a headless Chromium for the tests of the page, by the
// DevTools protocol over a pair of pipes. It has only what these tests need.
package chromium

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// A Browser is a running Chromium with a profile of its own.
type Browser struct {
	cmd    *exec.Cmd
	to     *os.File
	stderr bytes.Buffer
	ended  chan struct{}

	mu     sync.Mutex
	next   int
	calls  map[int]chan reply
	pages  map[string]*Page // by session
	closed error
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// ForTest starts the browser that is on the PATH, with these flags besides those that every
// test needs. It ends with the test.
func ForTest(t testing.TB, flags ...string) *Browser {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		b, err := start(program, t.TempDir(), flags...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			b.close()
			if t.Failed() {
				t.Logf("chromium said:\n%s", &b.stderr)
			}
		})
		return b
	}
	t.Fatal("there is no chromium in PATH, and this test is about a page in a browser: install it, or leave the tag chromium out")
	return nil
}

// Keep writes what a test sees into the folder that HAARLEM_SCREENSHOTS names, if it does.
func Keep(name string, data []byte) error {
	dir := os.Getenv("HAARLEM_SCREENSHOTS")
	if dir == "" {
		return nil
	}
	return errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, name), data, 0o666))
}

// start runs the program. dir is for its profile.
func start(program, dir string, flags ...string) (*Browser, error) {
	fromUs, toBrowser, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromBrowser, toUs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &Browser{to: toBrowser, calls: map[int]chan reply{}, pages: map[string]*Page{}, ended: make(chan struct{})}
	args := append([]string{
		"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + dir, "--no-first-run", "--no-default-browser-check",
		"--disable-gpu", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-default-apps", "--mute-audio", "--hide-scrollbars", "--disable-dev-shm-usage",
		// The sandbox does not work for root, nor in most containers. Only our
		// own page is opened here.
		"--no-sandbox",
	}, flags...)
	b.cmd = exec.Command(program, append(args, "about:blank")...)
	b.cmd.ExtraFiles = []*os.File{fromUs, toUs} // its descriptors 3 and 4
	b.cmd.Stderr = &b.stderr
	b.cmd.WaitDelay = 5 * time.Second // its children hold stderr too
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	fromUs.Close()
	toUs.Close()
	go b.read(bufio.NewReaderSize(fromBrowser, 1<<20))
	return b, nil
}

func (b *Browser) close() {
	_ = b.call(context.Background(), "", "Browser.close", nil, nil) // it may answer, or be gone already
	b.to.Close()
	select {
	case <-b.ended:
	case <-time.After(5 * time.Second):
	}
	_ = b.cmd.Process.Kill() // nothing is left to kill, as a rule
	_ = b.cmd.Wait()
}

// read dispatches the browser's messages, which end with a zero byte.
func (b *Browser) read(r *bufio.Reader) {
	defer close(b.ended)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			b.closed = fmt.Errorf("chromium has ended: %w", err)
			for id, c := range b.calls {
				close(c)
				delete(b.calls, id)
			}
			b.mu.Unlock()
			return
		}
		var m struct {
			ID        int
			SessionID string
			Method    string
			Params    json.RawMessage
			reply
		}
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			continue
		}
		b.mu.Lock()
		c, page := b.calls[m.ID], b.pages[m.SessionID]
		delete(b.calls, m.ID)
		b.mu.Unlock()
		switch {
		case c != nil:
			c <- m.reply
		case page != nil && m.Method != "":
			page.event(m.Method, m.Params)
		}
	}
}

func (b *Browser) call(ctx context.Context, session, method string, params, result any) error {
	if params == nil {
		params = struct{}{}
	}
	c := make(chan reply, 1)
	b.mu.Lock()
	if b.closed != nil {
		b.mu.Unlock()
		return b.closed
	}
	b.next++
	id := b.next
	b.calls[id] = c
	text, err := json.Marshal(struct {
		ID        int    `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params"`
	}{id, session, method, params})
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case r, ok := <-c:
		switch {
		case !ok:
			return fmt.Errorf("%s: %w", method, b.closed)
		case r.Error != nil:
			return fmt.Errorf("%s: %s", method, r.Error.Message)
		case result != nil:
			return json.Unmarshal(r.Result, result)
		}
		return nil
	}
}

// Call calls a method of the protocol on the browser.
func (b *Browser) Call(ctx context.Context, method string, params, result any) error {
	return b.call(ctx, "", method, params, result)
}

// A Page is a tab.
type Page struct {
	b       *Browser
	session string

	mu       sync.Mutex
	problems []string
	lines    []string
}

// NewPage opens an empty tab.
func (b *Browser) NewPage(ctx context.Context) (*Page, error) {
	var target struct{ TargetID string }
	if err := b.Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	var session struct{ SessionID string }
	if err := b.Call(ctx, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session); err != nil {
		return nil, err
	}
	p := &Page{b: b, session: session.SessionID}
	b.mu.Lock()
	b.pages[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "DOM"} {
		if err := p.Call(ctx, domain+".enable", nil, nil); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Call calls a method of the protocol on the page.
func (p *Page) Call(ctx context.Context, method string, params, result any) error {
	return p.b.call(ctx, p.session, method, params, result)
}

// event records console messages and problems of the page.
func (p *Page) event(method string, params json.RawMessage) {
	var e struct {
		Type  string
		Args  []struct{ Value, Description any }
		Entry struct{ Level, Text, URL string }

		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch method {
	case "Runtime.consoleAPICalled":
		text := ""
		for _, a := range e.Args {
			if a.Value == nil {
				a.Value = a.Description
			}
			text += fmt.Sprint(a.Value)
		}
		p.lines = append(p.lines, text)
		if e.Type == "error" || e.Type == "assert" {
			p.problems = append(p.problems, "console: "+text)
		}
	case "Runtime.exceptionThrown":
		p.problems = append(p.problems, "exception: "+e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case "Log.entryAdded":
		if e.Entry.Level == "error" {
			p.problems = append(p.problems, "log: "+e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// Problems returns errors on the console and uncaught exceptions.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.problems...)
}

// Lines returns what was written to the console.
func (p *Page) Lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.lines...)
}

// Open navigates to an address and waits until the page is loaded.
func (p *Page) Open(ctx context.Context, url string) error {
	var to struct{ ErrorText string }
	if err := p.Call(ctx, "Page.navigate", map[string]any{"url": url}, &to); err != nil {
		return err
	}
	if to.ErrorText != "" {
		return fmt.Errorf("%s: %s", url, to.ErrorText)
	}
	return p.Until(ctx, "document.readyState === 'complete' && location.href !== 'about:blank'")
}

// Eval evaluates JavaScript, which may use await, and stores the value in
// result unless that is nil.
func (p *Page) Eval(ctx context.Context, script string, result any) error {
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := p.Call(ctx, "Runtime.evaluate", map[string]any{
		"expression": script, "awaitPromise": true, "returnByValue": true, "userGesture": true, "replMode": true,
	}, &r)
	switch {
	case err != nil:
		return err
	case r.ExceptionDetails != nil:
		return fmt.Errorf("%s %s in %.200s", r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description, script)
	case result == nil || r.Result.Value == nil:
		return nil
	}
	return json.Unmarshal(r.Result.Value, result)
}

// Until waits until a condition in JavaScript holds.
func (p *Page) Until(ctx context.Context, condition string) error {
	for {
		var ok bool
		err := p.Eval(ctx, "Boolean("+condition+")", &ok)
		if err == nil && ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%s never held: %w", condition, ctx.Err()), err)
		case <-time.After(30 * time.Millisecond):
		}
	}
}

// View sets the size of the window, and the scheme of colours that is preferred: light or
// dark. A phone has two pixels for each.
func (p *Page) View(ctx context.Context, width, height int, scheme string, phone bool) error {
	scale := 1
	if phone {
		scale = 2
	}
	return errors.Join(
		p.Call(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone}, nil),
		p.Call(ctx, "Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil))
}

// Key presses and releases the key of a character.
func (p *Page) Key(ctx context.Context, key string) error {
	for _, kind := range []string{"keyDown", "keyUp"} {
		if err := p.Call(ctx, "Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "text": key}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Drop drops files on a point of the page.
func (p *Page) Drop(ctx context.Context, x, y int, files ...string) error {
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		err := p.Call(ctx, "Input.dispatchDragEvent", map[string]any{"type": kind, "x": x, "y": y, "data": map[string]any{
			"items": []any{}, "files": files, "dragOperationsMask": 1,
		}}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// Screenshot returns what the page looks like as PNG.
func (p *Page) Screenshot(ctx context.Context) ([]byte, error) {
	var shot struct{ Data string }
	if err := p.Call(ctx, "Page.captureScreenshot", map[string]any{"format": "png"}, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot.Data)
}

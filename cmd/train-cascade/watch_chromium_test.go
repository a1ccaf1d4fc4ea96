//go:build chromium

package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"haarlem/internal/app/watch"
	"haarlem/internal/chromium"
	"haarlem/internal/must"
)

// A page that is open while a training runs shows each step as it comes, without
// replacing what stays the same, and the end.
//
// This test needs Chromium. It writes what it sees into the folder that
// HAARLEM_SCREENSHOTS names, if it does.
func TestWatchChromium(t *testing.T) {
	crosses(t)
	must.Do(os.Mkdir("out", 0o777))
	h := must.Get(watch.Handler("out"))
	m := http.NewServeMux()
	m.Handle("/watch/", http.StripPrefix("/watch", h))
	server := httptest.NewServer(m)
	t.Cleanup(server.Close) // after the browser
	b := chromium.ForTest(t)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	p := must.Get(b.NewPage(ctx))
	until := func(condition string) {
		t.Helper()
		if err := p.Until(ctx, condition); err != nil {
			t.Fatal(err)
		}
	}
	view := func(width int, scheme string) {
		t.Helper()
		must.Do(p.View(ctx, width, 900, scheme, width < 500))
	}
	// whole takes a picture of the page from top to bottom, with what stays on top
	// where it is at the beginning.
	whole := func(name string, width int, scheme string) {
		t.Helper()
		if os.Getenv("HAARLEM_SCREENSHOTS") == "" {
			return
		}
		view(width, scheme)
		var height int
		must.Do(p.Eval(ctx, "scrollTo(0, 0), document.documentElement.scrollHeight", &height))
		must.Do(p.View(ctx, width, height, scheme, width < 500))
		must.Do(chromium.Keep("watch-"+name+".png", must.Get(p.Screenshot(ctx))))
		view(width, scheme)
	}
	view(1200, "light")
	must.Do(p.Open(ctx, server.URL+"/watch/"))
	until("document.getElementById('doing').textContent.startsWith('Waiting')")
	// What happens to the page, seen from within.
	must.Do(p.Eval(ctx, `globalThis.seen = [];
		globalThis.rows = () => document.querySelectorAll("#steps tbody tr").length;
		new MutationObserver(() => { if (seen.at(-1) !== rows()) seen.push(rows()); }).observe(document.getElementById("report"), { childList: true, subtree: true })`, nil))

	cmd, stderr := start(t, "train", "-data", "out", "-truth", "truth.csv", "-template", "none", "-variants", "8", "-jitter", "shift=0.03,scale=0.06,zoom=2,noise=8",
		"-bg", "bg", "-w", "16", "-h", "16", "-shape", "chain", "-numStages", "8", "-maxFalseAlarmRate", "0.3", "-acceptanceRatioBreakValue", "1e-9", "-numNeg", "3000",
		"-turn-bg", "8", "-validation", "0.2", "-stop-early", "-workers", "1", "-features", "12000", "-name", "cross")
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer cmd.Process.Kill()
	until("rows() >= 1")
	var repeats int
	must.Do(p.Eval(ctx, `globalThis.kept = document.getElementById("repeat"), document.querySelectorAll("#repeat pre").length`, &repeats))
	if repeats != 1 {
		t.Errorf("%d command lines on the page", repeats)
	}
	until("rows() >= 2")
	whole("running-light", 1200, "light")
	until("document.getElementById('doing').textContent.startsWith('The training ended because:')")
	if err := <-ended; err != nil {
		t.Fatalf("%v, stderr:\n%s", err, stderr)
	}
	until("document.querySelector('#report #head').textContent.includes('The training ended because')")
	var is struct {
		Seen                []int
		Kept                bool
		Rows, Places, Names int
		Pictures, Broken    int
	}
	must.Do(p.Eval(ctx, `({ Seen: seen, Kept: kept === document.getElementById("repeat"), Rows: rows(),
		Names: document.querySelectorAll("#hardest0 span[title^='bg']").length,
		Places: [...document.querySelectorAll("#hardest0 li")].filter((w) => /\d+,\d+ \d+×\d+/.test(w.textContent)).length,
		Pictures: document.querySelectorAll("img").length,
		Broken: [...document.querySelectorAll("#report img")].filter((i) => !i.naturalWidth).length })`, &is))
	if len(is.Seen) < 3 || is.Seen[len(is.Seen)-1] != is.Rows {
		t.Errorf("the page had %v steps one after the other, want it to follow", is.Seen)
	}
	if !is.Kept {
		t.Error("a section that stayed the same was replaced")
	}
	if is.Names == 0 || is.Names != is.Places || is.Broken > 0 || is.Pictures < 20 {
		t.Errorf("the page at the end: %+v", is)
	}
	whole("ended-dark", 1200, "dark")
	whole("phone-light", 390, "light")
	whole("phone-dark", 390, "dark")
	var wide int
	must.Do(p.Eval(ctx, "document.documentElement.scrollWidth - innerWidth", &wide))
	if wide > 0 {
		t.Errorf("on a phone the page is %d pixels too wide", wide)
	}
	for _, problem := range p.Problems() {
		t.Error(problem)
	}
}

// The page about a run of auto fits a phone, and shows all its pictures, without a word
// on the console.
func TestAutoChromium(t *testing.T) {
	autoWorld(t, 60)
	trained(t, append([]string{"auto", "-truth", "truth.csv", "-bg", "bg", "-out", "c.cascade", "-opencv=false"}, quick...)...)
	dir := must.Get(os.Getwd())
	b := chromium.ForTest(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p := must.Get(b.NewPage(ctx))
	for _, dark := range []string{"light", "dark"} {
		must.Do(errors.Join(
			p.View(ctx, 390, 844, dark, true),
			p.Open(ctx, "file://"+filepath.ToSlash(dir)+"/c.html"),
		))
		var wide, shown, all int
		var ground string
		for script, to := range map[string]any{
			"document.documentElement.scrollWidth": &wide, "document.images.length": &all,
			"[...document.images].filter((i) => { i.loading = 'eager'; return i.width > 0 }).length": &shown,
			"getComputedStyle(document.body).backgroundColor":                                        &ground,
		} {
			must.Do(p.Eval(ctx, script, to))
		}
		if wide > 390 || shown != all || all < 10 || (ground == "rgb(16, 22, 19)") != (dark == "dark") {
			t.Errorf("%s: %d pixels wide, %d of %d pictures, on %s", dark, wide, shown, all, ground)
		}
	}
	if said := p.Problems(); len(said) > 0 {
		t.Error(said)
	}
}

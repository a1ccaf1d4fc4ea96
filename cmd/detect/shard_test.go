package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// shardList makes a few pictures, some of which cannot be read, and a list of them.
func shardList(t *testing.T, pictures int) (list string, names []string) {
	t.Helper()
	dir := t.TempDir()
	for i := range pictures {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		noise := picturetest.Grey(40+i, 40, func(int, int) uint8 { return uint8(r.IntN(256)) })
		names = append(names, detecttest.WritePNG(t, filepath.Join(dir, fmt.Sprintf("noise %d.png", i)), noise))
	}
	text := detecttest.WriteBytes(t, filepath.Join(dir, "no picture.png"), []byte("hello"))
	names = append(names, detecttest.Group, detecttest.Room, text, filepath.Join(dir, "nowhere.jpg"), dir)
	return detecttest.WriteBytes(t, filepath.Join(dir, "names.txt"), []byte(strings.Join(names, "\n"))), names
}

// files are those of a folder, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must.Do(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path[len(dir):]] = string(text)
		return err
	}))
	return all
}

// Shards find what detect finds.
func TestShards(t *testing.T) {
	list, names := shardList(t, 5)
	dir := t.TempDir()
	fails(t, statusFailed, "job.json", "merge", dir)
	for _, i := range []int{2, 0} {
		works(t, "-list", list, "-shard", fmt.Sprintf("%d/3", i), "-out", dir)
	}
	fails(t, statusFailed, "1 of 3 shards are missing: 1", "merge", dir)
	works(t, "-list", list, "-shard", "1/3", "-out", dir, "-workers", "1")
	failures := filepath.Join(t.TempDir(), "failures.jsonl")
	got := map[string]jsonout.Picture{}
	for line := range strings.Lines(ends(t, statusFailed, "3 of 10 names failed", "merge", "-failures", failures, dir)) {
		var p jsonout.Picture
		if err := json.Unmarshal([]byte(line), &p); err != nil || strings.Contains(line, "milliseconds") {
			t.Fatalf("%v: %s", err, line)
		}
		got[p.File] = p
	}
	want := map[string]jsonout.Picture{}
	for _, p := range parse(t, works(t, append([]string{"-format", "json"}, names[:7]...)...)) {
		p.Milliseconds = 0
		want[p.File] = p
	}
	if len(want) != 7 || !reflect.DeepEqual(got, want) {
		t.Errorf("shards found\n%v\nand detect\n%v", got, want)
	}
	text := must.Get(os.ReadFile(failures))
	if n := strings.Count(string(text), "\n"); n != 3 || !strings.Contains(string(text), "nowhere.jpg: no such file or directory") {
		t.Errorf("failures:\n%s", text)
	}
	// From stdin, a finished shard.
	in := must.Get(os.Open(list))
	defer in.Close()
	clitest.Contains(t, given(in).Works(t, "-list", "-", "-shard", "1/3", "-out", dir), "skipped")
	for _, args := range [][]string{
		{"-shard", "3/3", "-list", list, "-out", dir}, {"-shard", "1/3"}, {"-list", list}, {"-list", list, "-out", dir, detecttest.Room},
		{"-list", list, "-out", dir, "-annotate", dir}, {"-list", list, "-out", dir, "-format", "text"}, {"-out", dir, detecttest.Room}, {"-list", dir + "/no", "-out", dir},
	} {
		fails(t, statusUsage, "", args...)
	}
	fails(t, statusFailed, "another job", "-list", list, "-shard", "1/3", "-out", dir, "-min-size", "30")
}

func TestShardsCSV(t *testing.T) {
	list, names := shardList(t, 0)
	dir := t.TempDir()
	works(t, "-list", list, "-out", dir, "-format", "csv", "-box", "head")
	want := works(t, append([]string{"-format", "csv", "-box", "head"}, names[:2]...)...)
	for _, args := range [][]string{{"merge", dir}, {"merge", "-list", list, dir}} {
		if got := says(t, statusFailed, "", args...); got != want {
			t.Errorf("%v:\n%s\ndetect:\n%s", args, got, want)
		}
	}
}

// Copies have the pixels of detect blur, and the shards the same bytes, for any
// number of workers, after an interruption too.
func TestShardsBlur(t *testing.T) {
	list, _ := shardList(t, 3)
	one, two, plain := t.TempDir(), t.TempDir(), t.TempDir()
	for i := range 2 {
		shard := fmt.Sprintf("%d/2", i)
		works(t, "blur", "-list", list, "-shard", shard, "-out", one)
		works(t, "blur", "-list", list, "-shard", shard, "-out", two, "-workers", "1")
	}
	all := files(t, one)
	if !reflect.DeepEqual(all, files(t, two)) {
		t.Error("one worker writes other bytes")
	}
	works(t, "blur", "-out", plain, detecttest.Group)
	want := must.Get(os.ReadFile(filepath.Join(plain, "group.png")))
	found := 0
	for name, text := range all {
		if strings.HasSuffix(name, "-group.png") && text == string(want) {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d copies are those of detect blur, want 1", found)
	}
	other := t.TempDir()
	works(t, "pixelate", "-list", list, "-shard", "0/2", "-out", other)
	fails(t, statusFailed, "pixelate", "blur", "-list", list, "-shard", "0/2", "-out", other)
}

const heicFile = "\x00\x00\x00\x14ftypheic\x00\x00\x00\x00mif1\x00\x00\x00\x08mdat"

// phone fills a folder with what phones and desktops leave in one, and returns
// it with the one picture in it that can be read.
func phone(t *testing.T) (dir, good string) {
	t.Helper()
	dir = t.TempDir()
	good = detecttest.WritePNG(t, filepath.Join(dir, "good.png"), detecttest.OneFace(t))
	for name, data := range map[string]string{
		"IMG_1.HEIC": heicFile, "IMG_2.HEIC": heicFile, "new.avif": "\x00\x00\x00\x10ftypavif\x00\x00\x00\x00",
		"README": "A folder.\n", "list.csv": "a,b\n", "good.png.json": "{}", "Thumbs.db": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ".DS_Store": "\x00\x00\x00\x01Bud1",
	} {
		detecttest.WriteBytes(t, filepath.Join(dir, name), []byte(data))
	}
	return dir, good
}

// Pictures that cannot be read are not left out in silence, nor with status 0.
func TestUnreadInFolder(t *testing.T) {
	dir, good := phone(t)
	heic := "2 HEIC pictures (" + filepath.Join(dir, "IMG_1.HEIC") + ", " + filepath.Join(dir, "IMG_2.HEIC") + "; to convert one: heif-convert IN.heic OUT.jpg); -heic reads them"
	avif := "1 AVIF picture (" + filepath.Join(dir, "new.avif") + "; to convert it: avifdec IN.avif OUT.png); -heic reads them"
	all := parse(t, ends(t, statusFailed, "not searched: "+heic+"\ndetect: not searched: "+avif, "-model", detecttest.Drawn, "-format", "json", dir))
	if len(all) != 1 || all[0].File != good || len(all[0].Faces) != 1 {
		t.Errorf("%+v", all)
	}

	copies := filepath.Join(t.TempDir(), "out")
	for _, name := range []string{"blur", "pixelate"} {
		ends(t, statusFailed, "not searched, and no copy written: "+heic+"\ndetect: not searched, and no copy written: "+avif,
			name, "-model", detecttest.Drawn, "-overwrite", "-out", copies, dir)
		if entries, err := os.ReadDir(copies); err != nil || len(entries) != 1 || entries[0].Name() != "good.png" {
			t.Errorf("%s: %v, %v", name, entries, err)
		}
	}

	// A folder of nothing else is no mistake in the call.
	must.Do(os.Remove(good))
	if out := says(t, statusFailed, heic, "-model", detecttest.Drawn, "-format", "json", dir); out != "[]\n" {
		t.Errorf("without any that can be read: %q", out)
	}
}

// Without pictures of other kinds a folder has nothing to tell of.
func TestNothingUnread(t *testing.T) {
	dir, _ := phone(t)
	for _, name := range []string{"IMG_1.HEIC", "IMG_2.HEIC", "new.avif"} {
		must.Do(os.Remove(filepath.Join(dir, name)))
	}
	quietly(t, "-model", detecttest.Drawn, dir)
	detecttest.WritePNG(t, filepath.Join(dir, "sub", "b.png"), detecttest.OneFace(t))
	ends(t, statusOK, "1 folder inside not looked into; -recursive does", "-model", detecttest.Drawn, dir)
	quietly(t, "-model", detecttest.Drawn, "-recursive", dir)
}

// A video in a folder is for another command; but it shows faces that are not
// hidden.
func TestVideoInFolder(t *testing.T) {
	dir := t.TempDir()
	detecttest.WritePNG(t, filepath.Join(dir, "good.png"), detecttest.OneFace(t))
	film := detecttest.WriteBytes(t, filepath.Join(dir, "film.mov"), []byte("\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00qt  \x00\x00\x00\x08mdat"))
	ends(t, statusOK, "not searched: 1 video ("+film+"); each is searched by: detect video IN", "-model", detecttest.Drawn, dir)
	ends(t, statusFailed, "not searched, and no copy written: 1 video ("+film+"); give each alone: detect blur -out OUT.mp4 IN",
		"blur", "-model", detecttest.Drawn, "-out", filepath.Join(t.TempDir(), "out"), dir)
	must.Do(os.Remove(filepath.Join(dir, "good.png")))
	fails(t, statusFailed, "detect video", "-model", detecttest.Drawn, dir)
}

// A file that is named alone is called what it is.
func TestNamedAlone(t *testing.T) {
	dir, _ := phone(t)
	for name, want := range map[string]string{
		"IMG_1.HEIC": "not a picture that can be read: it is a HEIC picture, want JPEG, PNG, GIF, BMP, TIFF, WebP or PNM; to convert it: heif-convert IN.heic OUT.jpg; or -heic, which does it",
		"README":     "not a picture that can be read: it is a text file, want JPEG, PNG, GIF, BMP, TIFF, WebP or PNM",
	} {
		path := filepath.Join(dir, name)
		ends(t, statusFailed, path+": "+want, "-model", detecttest.Drawn, path)
	}
}

// Of a picture that ends too early what is there is searched, and a warning
// says so.
func TestTruncatedPicture(t *testing.T) {
	dir := t.TempDir()
	data := picturetest.JPEG(detecttest.OneFace(t), jpeg.DefaultQuality)
	whole := detecttest.WriteBytes(t, filepath.Join(dir, "whole.jpg"), data)
	cut := detecttest.WriteBytes(t, filepath.Join(dir, "cut.jpg"), data[:len(data)-2])
	warning := "warning: " + cut + ": the JPEG ends too early: 100 of 100 rows of pixels were read; only what ends the file is missing"
	if all := parse(t, ends(t, statusOK, warning, "-model", detecttest.Drawn, "-format", "json", cut)); len(all) != 1 || len(all[0].Faces) != 1 {
		t.Errorf("%+v", all)
	}
	ends(t, statusOK, warning+"\ndetect: 1 picture of 2 read only in part", "-model", detecttest.Drawn, cut, whole)
	fails(t, statusFailed, "cut.jpg: damaged picture: JPEG pixels: the file ends too early", "-model", detecttest.Drawn, "-strict", cut)
	copied := filepath.Join(dir, "copy.jpg")
	fails(t, statusFailed, "the file ends too early", "blur", "-model", detecttest.Drawn, "-out", copied, cut)
	if _, err := os.Stat(copied); err == nil {
		t.Error("blur writes a copy of a picture that ends too early")
	}
	ends(t, statusOK, warning, "blur", "-partial", "-model", detecttest.Drawn, "-out", copied, cut)
	detecttest.ReadPicture(t, copied)
	given(bytes.NewReader(data[:len(data)-2])).Says(t, statusOK, "warning: stdin: the JPEG ends", "-model", detecttest.Drawn, "-")
}

// Both commands tell of all this.
func TestHelpTellsOfUnread(t *testing.T) {
	for _, args := range [][]string{{"-help"}, {"blur", "-help"}, {"pixelate", "-help"}} {
		clitest.Contains(t, works(t, args...), "HEIC", "exit status is then 1", "ends too early")
	}
}

// With -heic a program that is found decodes HEIC pictures, alone and in folders, and
// is named; without such a program the call is wrong.
func TestHEIC(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	sample := must.Get(filepath.Abs(detecttest.Group))
	dir, bin := t.TempDir(), t.TempDir()
	must.Do(os.WriteFile(filepath.Join(dir, "phone.heic"), []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"+strings.Repeat("\x00", 100)), 0o666))
	t.Setenv("PATH", bin)
	fails(t, statusUsage, "heif-convert", "-heic", dir)
	must.Do(os.WriteFile(filepath.Join(bin, "heif-convert"), []byte("#!/bin/sh\n/bin/cp '"+sample+"' \"$2\"\n"), 0o777))
	for _, arg := range []string{dir, filepath.Join(dir, "phone.heic")} {
		clitest.Contains(t, says(t, statusOK, filepath.Join(bin, "heif-convert"), "-heic", "-model", detecttest.Drawn, arg), "11 faces")
	}
	fails(t, statusFailed, "", "-model", detecttest.Drawn, dir)
}

// Baselines writes the detections of other detectors in photographs, as a file of
// JSON lines per detector, for
//
//	train-cascade eval -detections FILE
//
// OpenCV's cascades run in OpenCV, pigo's facefinder in pigo.
//
//	cd bench && go run ./baselines -truth truth.csv -bg backgrounds.txt -out FOLDER
//	cd bench && go run ./baselines -only "" -opencv-model my.xml -truth truth.csv -out FOLDER
//
// The search is that of the other measurements: scale 1.1, from 24 pixels on. The
// score of OpenCV's detections is their number of candidates, up to 61, which is
// found by sweeping minNeighbors from 1 to 60.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"haarlem/bench/threads"
	"haarlem/internal/samples"
)

// The search of every detector.
const (
	scale   = 1.1
	minimum = 24
)

// A face is a detection, in the format of cmd/detect.
type face struct {
	X         int     `json:"x"`
	Y         int     `json:"y"`
	Width     int     `json:"width"`
	Height    int     `json:"height"`
	Score     float64 `json:"score"`
	Neighbors int     `json:"neighbors,omitempty"`
}

type photo struct {
	File   string `json:"file"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Faces  []face `json:"faces"`
}

// A detector finds faces in grey images. Each worker opens its own.
type detector struct {
	name string
	open func() (finder, error)
}

// A finder gets images without gaps between their rows.
type finder func(g *image.Gray) ([]face, error)

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func main() {
	log.SetFlags(0)
	log.SetPrefix("baselines: ")
	var truth, backgrounds, extra list
	flag.Var(&truth, "truth", "file of labelled photographs; may be repeated")
	flag.Var(&backgrounds, "bg", "folder, list or picture without faces; may be repeated")
	flag.Var(&extra, "opencv-model", "[NAME=]FILE: run this cascade inside OpenCV; may be repeated")
	only := flag.String("only", "default,alt,alt2,lbp_improved,pigo", "base lines to run")
	data := flag.String("opencv", "/usr/share/opencv4", "OpenCV's data folder")
	out := flag.String("out", "", "folder for the files")
	flag.Parse()
	if flag.NArg() != 0 || *out == "" || len(truth)+len(backgrounds) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(truth, backgrounds, extra, strings.FieldsFunc(*only, func(r rune) bool { return r == ',' }), *data, *out); err != nil {
		log.Fatal(err)
	}
}

func run(truth, backgrounds, extra, only []string, data, out string) error {
	threads.Set(1)
	var detectors []detector
	for _, name := range only {
		d, err := baseline(name, data)
		if err != nil {
			return err
		}
		detectors = append(detectors, d)
	}
	for _, e := range extra {
		name, file, ok := strings.Cut(e, "=")
		if !ok {
			name, file = strings.TrimSuffix(filepath.Base(e), filepath.Ext(e)), e
		}
		detectors = append(detectors, opencv(name, file))
	}
	if len(detectors) == 0 {
		return errors.New("no detector to run: see -only and -opencv-model")
	}
	files, err := pictures(truth, backgrounds)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, d := range detectors {
		if err := write(d, files, filepath.Join(out, d.name+".jsonl")); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}

// baseline returns a baseline by name.
func baseline(name, data string) (detector, error) {
	files := map[string]string{
		"default":      "haarcascades/haarcascade_frontalface_default.xml",
		"alt":          "haarcascades/haarcascade_frontalface_alt.xml",
		"alt2":         "haarcascades/haarcascade_frontalface_alt2.xml",
		"lbp_improved": "lbpcascades/lbpcascade_frontalface_improved.xml",
	}
	if f, ok := files[name]; ok {
		return opencv(name, filepath.Join(data, f)), nil
	}
	if name == "pigo" {
		return detector{name, facefinder}, nil
	}
	return detector{}, fmt.Errorf("no baseline is called %q, want default, alt, alt2, lbp_improved or pigo", name)
}

// pictures lists the files, each once.
func pictures(truth, backgrounds []string) ([]string, error) {
	var files []string
	seen := map[string]bool{}
	add := func(f string) {
		if !seen[f] {
			seen[f] = true
			files = append(files, f)
		}
	}
	for _, t := range truth {
		photos, err := samples.ReadTruth(t, samples.Auto)
		if err != nil {
			return nil, err
		}
		for _, p := range photos {
			add(p.File)
		}
	}
	for _, b := range backgrounds {
		all, err := samples.ListPictures(b)
		if err != nil {
			return nil, err
		}
		for _, f := range all {
			add(f)
		}
	}
	return files, nil
}

// write runs a detector over all pictures, and then writes its detections, in
// their order.
func write(d detector, files []string, path string) error {
	photos := make([]photo, len(files))
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var next atomic.Int64
	var all sync.WaitGroup
	for k := range workers {
		all.Go(func() {
			find, err := d.open()
			for err == nil {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				photos[i], err = look(find, files[i])
			}
			next.Store(int64(len(files)))
			errs[k] = err
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	n := 0
	for _, p := range photos {
		n += len(p.Faces)
		if err := e.Encode(p); err != nil {
			return err
		}
	}
	log.Printf("%s: %d detections in %d pictures: %s", d.name, n, len(files), path)
	return os.WriteFile(path, b.Bytes(), 0o666)
}

func look(find finder, file string) (photo, error) {
	g, err := samples.ReadGrey(file)
	if err != nil {
		return photo{}, err
	}
	p := photo{File: file, Width: g.Rect.Dx(), Height: g.Rect.Dy()}
	if p.Faces, err = find(tight(g)); err != nil {
		return photo{}, fmt.Errorf("%s: %w", file, err)
	}
	if p.Faces == nil {
		p.Faces = []face{} // an empty list, not null
	}
	return p, nil
}

// tight returns g without gaps between rows, as both libraries require.
func tight(g *image.Gray) *image.Gray {
	w := g.Rect.Dx()
	if g.Stride == w {
		return g
	}
	out := image.NewGray(image.Rect(0, 0, w, g.Rect.Dy()))
	for y := range g.Rect.Dy() {
		copy(out.Pix[y*w:][:w], g.Pix[y*g.Stride:])
	}
	return out
}

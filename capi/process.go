//go:build !cgo

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"image"
	"io"
	"os"
	"slices"
	"strings"

	"haarlem/cascade/detector"
	"haarlem/models"
	"haarlem/track"
)

// Without cgo, this is a program. It answers the calls of haarlem.h through pipes, one
// after another, until its input ends: for systems whose loader cannot load Go's
// libraries, such as musl's.
//
// A message is its size, as an uint32, and so many bytes. A request is the number of a
// call and its arguments; an answer is the status, as an int32, and the result or the
// text of the error. Numbers are little-endian, and structs are as in haarlem.h where
// pointers have 64 bits.
func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	var request []byte
	for {
		var size uint32
		err := binary.Read(in, binary.LittleEndian, &size)
		if err == nil {
			request = slices.Grow(request[:0], int(size))[:size]
			_, err = io.ReadFull(in, request)
		}
		if err != nil { // the caller has gone
			return
		}
		var result []byte
		err = recovered(func() (err error) {
			result, err = answer(request)
			return err
		})
		if err != nil {
			result = []byte(err.Error())
		}
		binary.Write(out, binary.LittleEndian, []int32{int32(4 + len(result)), int32(statusOf(err))})
		out.Write(result)
		if out.Flush() != nil {
			return
		}
	}
}

// The structs of haarlem.h.
type (
	wireOptions struct {
		Size                                                   uint64
		Scale                                                  float64
		MinWidth, MinHeight, MaxWidth, MaxHeight, MinNeighbors int32
		Flags                                                  uint32
		MinScore, Enlarge                                      float64
		Workers, MaxCandidates                                 int32
	}
	wireDetection struct {
		X, Y, Width, Height, Neighbors, Level int32
		Score                                 float64
	}
	wireInfo struct {
		Size                                               uint64
		Width, Height, Features, Exits, OpenCV, Calibrated int32
	}
	wireTrackerOptions struct {
		Size                        uint64
		Overlap, Strong, Memory     float64
		Hits, Misses, Width, Height int32
	}
	wireTrack struct {
		X, Y, Width, Height, Number, Index, Misses, _ int32
		Score                                         float64
	}
)

func boxOf(f *wireDetection) image.Rectangle {
	x, y := int(f.X), int(f.Y)
	return image.Rect(x, y, x+int(f.Width), y+int(f.Height))
}

// A message is what is left of a request.
type message []byte

// take reads values from the beginning. It panics with an error about arguments, which
// recovered returns, if there are too few.
func (m *message) take(values ...any) {
	for _, v := range values {
		n, err := binary.Decode(*m, binary.LittleEndian, v)
		if err != nil {
			panic(argument("a request that ends too early"))
		}
		*m = (*m)[n:]
	}
}

// pixels reads a picture: width, height and format, and pixels without gaps.
func (m *message) pixels() (*pixels, error) {
	var head [3]int32
	m.take(&head)
	p := &pixels{format: format(head[2]), width: int(head[0]), height: int(head[1])}
	p.stride = p.width * p.format.bytes()
	n, err := checkLayout(p.format, p.width, p.height, p.stride)
	if err != nil {
		return nil, err
	}
	if n > len(*m) {
		return nil, argument("a picture that ends too early")
	}
	p.pix, *m = (*m)[:n], (*m)[n:]
	return p, nil
}

// The kinds of what is opened, and how.
const (
	modelKind = iota
	landmarksKind
	trackerKind
)

const (
	fromFile = iota
	fromMemory
	builtIn
)

// answer returns the result of a request.
func answer(request message) ([]byte, error) {
	var call, kind, how uint8
	var handle uint64
	request.take(&call)
	switch call {
	case 1: // names: the release, and the built-in models
		return []byte(strings.Join(append([]string{version}, models.Names()...), "\n")), nil
	case 2: // open: kind, how, source
		request.take(&kind, &how)
		if kind == landmarksKind {
			return opened(&openLandmarks, how, request, readLandmark, openLandmark)
		}
		return opened(&openModels, how, request, readModel, openBuiltin)
	case 3: // close: kind, handle
		request.take(&kind, &handle)
		return nil, []interface{ remove(uintptr) error }{&openModels, &openLandmarks, &openTrackers}[kind].remove(uintptr(handle))
	case 4: // open a tracker: options
		var o wireTrackerOptions
		request.take(&o)
		t, err := newTracker(o.Memory, &track.Options{
			Overlap: o.Overlap, Strong: o.Strong, Hits: int(o.Hits), Misses: int(o.Misses), Bounds: image.Rect(0, 0, int(o.Width), int(o.Height)),
		})
		if err != nil {
			return nil, err
		}
		return wired(uint64(openTrackers.add(t)))
	}
	request.take(&handle)
	switch call {
	case 5: // haarlem_landmarks_find: handle, the detector's, box, picture
		return findPoints(uintptr(handle), request)
	case 6: // haarlem_tracker_update: handle, time, number of detections, these, picture
		return update(uintptr(handle), request)
	}
	m, err := openModels.find(uintptr(handle))
	if err != nil {
		return nil, err
	}
	switch call {
	case 7: // haarlem_info: handle
		c := m.cascade
		return wired(wireInfo{
			Size: 32, Width: int32(c.Width), Height: int32(c.Height), Features: int32(c.Kind - 1), Exits: int32(len(c.Exits)),
			OpenCV: truth(m.opencv), Calibrated: truth(c.Calibration != nil),
		})
	case 8: // haarlem_write: handle, format
		var format int32
		request.take(&format)
		return m.encode(int(format))
	case 9: // haarlem_detect: handle, options, picture
		return detect(m, request)
	}
	return nil, argument("there is no call %d", call)
}

// wired returns v as bytes.
func wired(v any) ([]byte, error) { return binary.Append(nil, binary.LittleEndian, v) }

func truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// opened returns the handle of what it opens.
func opened[T any](t *table[T], how uint8, source []byte, read func(io.Reader) (*T, error), builtin func(string) (*T, error)) ([]byte, error) {
	var m *T
	var err error
	switch how {
	case fromFile:
		m, err = readFile(string(source), read)
	case fromMemory:
		m, err = read(bytes.NewReader(source))
	case builtIn:
		m, err = builtin(string(source))
	default:
		err = argument("a source of kind %d", how)
	}
	if err != nil {
		return nil, err
	}
	return wired(uint64(t.add(m)))
}

func detect(m *model, request message) ([]byte, error) {
	var o wireOptions
	request.take(&o)
	p, err := request.pixels()
	if err != nil {
		return nil, err
	}
	s, err := settings{
		scale: o.Scale, min: image.Pt(int(o.MinWidth), int(o.MinHeight)), max: image.Pt(int(o.MaxWidth), int(o.MaxHeight)),
		minNeighbors: int(o.MinNeighbors), minScore: o.MinScore, enlarge: o.Enlarge, workers: int(o.Workers), maxCandidates: int(o.MaxCandidates),
	}.with(o.Flags)
	if err != nil {
		return nil, err
	}
	memory := scratches.Get().(*scratch)
	defer scratches.Put(memory)
	if err := m.detect(memory, p, s); err != nil {
		return nil, err
	}
	var all []wireDetection
	for _, f := range memory.found {
		b := f.Box
		all = append(all, wireDetection{int32(b.Min.X), int32(b.Min.Y), int32(b.Dx()), int32(b.Dy()), int32(f.Neighbors), int32(len(m.cascade.Exits)), f.Score})
	}
	return wired(all)
}

func findPoints(h uintptr, request message) ([]byte, error) {
	l, err := openLandmarks.find(h)
	if err != nil {
		return nil, err
	}
	var by uint64
	var object wireDetection
	request.take(&by, &object)
	p, err := request.pixels()
	if err != nil {
		return nil, err
	}
	name, err := nameOf(uintptr(by))
	if err != nil {
		return nil, err
	}
	points, err := l.find(new(scratch), p, name, boxOf(&object))
	if err != nil {
		return nil, err
	}
	return wired(points)
}

func update(h uintptr, request message) ([]byte, error) {
	t, err := openTrackers.find(h)
	if err != nil {
		return nil, err
	}
	var seconds float64
	var n uint32
	request.take(&seconds, &n)
	var found []detector.Detection
	for range n {
		var f wireDetection
		request.take(&f)
		found = append(found, detector.Detection{Box: boxOf(&f), Score: f.Score, Neighbors: int(f.Neighbors)})
	}
	p := &pixels{}
	if len(request) > 0 {
		if p, err = request.pixels(); err != nil {
			return nil, err
		}
	}
	tracks, err := t.update(new(scratch), seconds, p, found)
	if err != nil {
		return nil, err
	}
	var all []wireTrack
	for _, k := range tracks {
		b := k.box
		all = append(all, wireTrack{
			X: int32(b.Min.X), Y: int32(b.Min.Y), Width: int32(b.Dx()), Height: int32(b.Dy()),
			Number: int32(k.number), Index: int32(k.index), Misses: int32(k.misses), Score: k.score,
		})
	}
	return wired(all)
}

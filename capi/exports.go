package main

/*
#define HAARLEM_NO_PROTOTYPES
#include "haarlem.h"

// A handle is a number, and never followed as a pointer: one that is closed, or was
// never open, is an error. testdata/prototypes.c compares what is exported with
// haarlem.h, where it is a pointer.
#ifndef HAARLEM_HANDLE
#define HAARLEM_HANDLE uintptr_t
#endif
typedef HAARLEM_HANDLE haarlem_handle;
#ifndef HAARLEM_LANDMARKS_HANDLE
#define HAARLEM_LANDMARKS_HANDLE uintptr_t
#endif
typedef HAARLEM_LANDMARKS_HANDLE haarlem_landmarks_handle;
#ifndef HAARLEM_TRACKER_HANDLE
#define HAARLEM_TRACKER_HANDLE uintptr_t
#endif
typedef HAARLEM_TRACKER_HANDLE haarlem_tracker_handle;
*/
import "C"

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"sync"
	"unsafe"

	"haarlem/cascade/detector"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/track"
)

// A library starts nowhere.
func main() {}

//export haarlem_abi_version
func haarlem_abi_version() C.int32_t { return C.HAARLEM_ABI_VERSION }

// Texts in C's memory that stay.
var (
	versionText  = sync.OnceValue(func() *C.char { return C.CString(version) })
	builtinTexts = sync.OnceValue(func() []*C.char {
		var all []*C.char
		for _, name := range models.Names() {
			all = append(all, C.CString(name))
		}
		return all
	})
)

//export haarlem_version
func haarlem_version() *C.char { return versionText() }

//export haarlem_builtin
func haarlem_builtin(index C.size_t) *C.char {
	if all := builtinTexts(); index < C.size_t(len(all)) {
		return all[index]
	}
	return nil
}

//export haarlem_open_file
func haarlem_open_file(path *C.char, out *C.haarlem_handle, text *C.char, size C.size_t) C.int {
	return openFile(path, out, text, size, &openModels, readModel)
}

//export haarlem_open_memory
func haarlem_open_memory(data unsafe.Pointer, length C.size_t, out *C.haarlem_handle, text *C.char, size C.size_t) C.int {
	return openMemory(data, length, out, text, size, &openModels, readModel)
}

//export haarlem_open_builtin
func haarlem_open_builtin(name *C.char, out *C.haarlem_handle, text *C.char, size C.size_t) C.int {
	return openNamed(name, out, text, size, &openModels, openBuiltin)
}

// A handle is of one of the kinds that C has.
type handle interface{ ~uint32 | ~uint64 }

// openFile opens a file as read reads it.
func openFile[T any, H handle](path *C.char, out *H, text *C.char, size C.size_t, t *table[T], read func(io.Reader) (*T, error)) C.int {
	return open(out, text, size, t, func() (*T, error) {
		if path == nil {
			return nil, argument("path is NULL")
		}
		return readFile(C.GoString(path), read)
	})
}

// openMemory opens what is in memory.
func openMemory[T any, H handle](data unsafe.Pointer, length C.size_t, out *H, text *C.char, size C.size_t, t *table[T], read func(io.Reader) (*T, error)) C.int {
	return open(out, text, size, t, func() (*T, error) {
		const limit = 1 << 30 // far beyond what a model file may have
		switch {
		case data == nil && length > 0:
			return nil, argument("data is NULL")
		case length > limit:
			return nil, argument("size is %d, and no model has more than %d bytes", uint64(length), limit)
		}
		return read(bytes.NewReader(unsafe.Slice((*byte)(data), int(length))))
	})
}

// openNamed opens what is built in, by its name.
func openNamed[T any, H handle](name *C.char, out *H, text *C.char, size C.size_t, t *table[T], builtin func(string) (*T, error)) C.int {
	return open(out, text, size, t, func() (*T, error) {
		if name == nil {
			return builtin("")
		}
		if *name == 0 {
			return nil, argument("name is empty; NULL means the default")
		}
		return builtin(C.GoString(name))
	})
}

// open sets *out to a handle of what f opens.
func open[T any, H handle](out *H, text *C.char, size C.size_t, t *table[T], f func() (*T, error)) C.int {
	return report(text, size, func() error {
		if out == nil {
			return argument("%s is NULL: there is nowhere to put what is opened", t.kind)
		}
		*out = 0
		m, err := f()
		if err != nil {
			return err
		}
		*out = H(t.add(m))
		return nil
	})
}

// closed forgets a handle. None is allowed.
func closed[T any, H handle](h H, text *C.char, size C.size_t, t *table[T]) C.int {
	return report(text, size, func() error {
		if h == 0 {
			return nil
		}
		return t.remove(uintptr(h))
	})
}

//export haarlem_close
func haarlem_close(h C.haarlem_handle, text *C.char, size C.size_t) C.int {
	return closed(h, text, size, &openModels)
}

//export haarlem_info
func haarlem_info(h C.haarlem_handle, out *C.haarlem_model_info, text *C.char, size C.size_t) C.int {
	return report(text, size, func() error {
		m, err := openModels.find(uintptr(h))
		if err != nil {
			return err
		}
		if out == nil {
			return argument("info is NULL")
		}
		all, err := structBytes(unsafe.Pointer(out), out.size, unsafe.Sizeof(*out), "haarlem_model_info")
		if err != nil {
			return err
		}
		c := m.cascade
		v := C.haarlem_model_info{
			size: out.size, width: C.int32_t(c.Width), height: C.int32_t(c.Height), features: C.int32_t(c.Kind - 1),
			exits:  C.int32_t(len(c.Exits)),
			opencv: truth(m.opencv), calibrated: truth(c.Calibration != nil),
		}
		copy(all, unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)))
		return nil
	})
}

//export haarlem_write
func haarlem_write(h C.haarlem_handle, format C.int32_t, data unsafe.Pointer, capacity C.size_t, count *C.size_t, text *C.char, size C.size_t) C.int {
	return list(&openModels, uintptr(h), count, text, size, func(m *model) error {
		if data == nil && capacity > 0 {
			return argument("data is NULL, and capacity %d", uint64(capacity))
		}
		b, err := m.encode(int(format))
		if err != nil {
			return err
		}
		return give(b, (*byte)(data), capacity, count, func(b *byte) byte { return *b })
	})
}

func truth(b bool) C.int32_t {
	if b {
		return 1
	}
	return 0
}

//export haarlem_detect
func haarlem_detect(h C.haarlem_handle, img *C.haarlem_image, options *C.haarlem_options, found *C.haarlem_detection, capacity C.size_t, count *C.size_t, text *C.char, size C.size_t) C.int {
	return list(&openModels, uintptr(h), count, text, size, func(m *model) error {
		if found == nil && capacity > 0 {
			return argument("found is NULL, and capacity %d", uint64(capacity))
		}
		p, err := pixelsOf(img)
		if err != nil {
			return err
		}
		o, err := settingsOf(options)
		if err != nil {
			return err
		}
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		if err := m.detect(s, &p, o); err != nil {
			return err
		}
		level := C.int32_t(len(m.cascade.Exits))
		return give(s.found, found, capacity, count, func(f *detector.Detection) C.haarlem_detection {
			return C.haarlem_detection{
				x: C.int32_t(f.Box.Min.X), y: C.int32_t(f.Box.Min.Y), width: C.int32_t(f.Box.Dx()), height: C.int32_t(f.Box.Dy()),
				neighbors: C.int32_t(f.Neighbors), level: level, score: C.double(f.Score),
			}
		})
	})
}

//export haarlem_landmarks_open_file
func haarlem_landmarks_open_file(path *C.char, out *C.haarlem_landmarks_handle, text *C.char, size C.size_t) C.int {
	return openFile(path, out, text, size, &openLandmarks, readLandmark)
}

//export haarlem_landmarks_open_memory
func haarlem_landmarks_open_memory(data unsafe.Pointer, length C.size_t, out *C.haarlem_landmarks_handle, text *C.char, size C.size_t) C.int {
	return openMemory(data, length, out, text, size, &openLandmarks, readLandmark)
}

//export haarlem_landmarks_open_builtin
func haarlem_landmarks_open_builtin(name *C.char, out *C.haarlem_landmarks_handle, text *C.char, size C.size_t) C.int {
	return openNamed(name, out, text, size, &openLandmarks, openLandmark)
}

//export haarlem_landmarks_close
func haarlem_landmarks_close(h C.haarlem_landmarks_handle, text *C.char, size C.size_t) C.int {
	return closed(h, text, size, &openLandmarks)
}

//export haarlem_landmarks_find
func haarlem_landmarks_find(h C.haarlem_landmarks_handle, by C.haarlem_handle, img *C.haarlem_image, object *C.haarlem_detection, to *C.haarlem_point, capacity C.size_t, count *C.size_t, text *C.char, size C.size_t) C.int {
	return list(&openLandmarks, uintptr(h), count, text, size, func(l *landmark) error {
		name, err := nameOf(uintptr(by))
		if err != nil {
			return err
		}
		if object == nil || to == nil && capacity > 0 {
			return argument("object or points is NULL")
		}
		p, err := pixelsOf(img)
		if err != nil {
			return err
		}
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		points, err := l.find(s, &p, name, boxOf(object))
		if err != nil {
			return err
		}
		return give(points, to, capacity, count, func(q *landmarks.Point) C.haarlem_point {
			return C.haarlem_point{x: C.double(q.X), y: C.double(q.Y)}
		})
	})
}

//export haarlem_tracker_open
func haarlem_tracker_open(options *C.haarlem_tracker_options, out *C.haarlem_tracker_handle, text *C.char, size C.size_t) C.int {
	return open(out, text, size, &openTrackers, func() (*tracker, error) {
		var o C.haarlem_tracker_options
		if options != nil {
			all, err := structBytes(unsafe.Pointer(options), options.size, unsafe.Sizeof(*options), "haarlem_tracker_options")
			if err != nil {
				return nil, err
			}
			copy(unsafe.Slice((*byte)(unsafe.Pointer(&o)), unsafe.Sizeof(o)), all)
		}
		return newTracker(float64(o.memory), &track.Options{
			Overlap: float64(o.overlap), Strong: float64(o.strong), Hits: int(o.hits), Misses: int(o.misses),
			Bounds: image.Rect(0, 0, int(o.width), int(o.height)),
		})
	})
}

//export haarlem_tracker_close
func haarlem_tracker_close(h C.haarlem_tracker_handle, text *C.char, size C.size_t) C.int {
	return closed(h, text, size, &openTrackers)
}

//export haarlem_tracker_update
func haarlem_tracker_update(h C.haarlem_tracker_handle, seconds C.double, img *C.haarlem_image, found *C.haarlem_detection, n C.size_t, to *C.haarlem_track, capacity C.size_t, count *C.size_t, text *C.char, size C.size_t) C.int {
	return list(&openTrackers, uintptr(h), count, text, size, func(t *tracker) error {
		const limit = 1 << 20
		switch {
		case found == nil && n > 0:
			return argument("found is NULL, and their number %d", uint64(n))
		case n > limit:
			return argument("%d detections, want at most %d", uint64(n), limit)
		case to == nil && capacity > 0:
			return argument("tracks is NULL, and capacity %d", uint64(capacity))
		}
		p := &pixels{}
		if img != nil {
			q, err := pixelsOf(img)
			if err != nil {
				return err
			}
			p = &q
		}
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		s.found = s.found[:0]
		for i := range unsafe.Slice(found, int(n)) {
			f := &unsafe.Slice(found, int(n))[i]
			s.found = append(s.found, detector.Detection{Box: boxOf(f), Score: float64(f.score), Neighbors: int(f.neighbors)})
		}
		all, err := t.update(s, float64(seconds), p, s.found)
		if err != nil {
			return err
		}
		return give(all, to, capacity, count, func(k *tracked) C.haarlem_track {
			return C.haarlem_track{
				x: C.int32_t(k.box.Min.X), y: C.int32_t(k.box.Min.Y), width: C.int32_t(k.box.Dx()), height: C.int32_t(k.box.Dy()),
				number: C.int32_t(k.number), index: C.int32_t(k.index), misses: C.int32_t(k.misses), score: C.double(k.score),
			}
		})
	})
}

// boxOf returns the box of a detection of C.
func boxOf(f *C.haarlem_detection) image.Rectangle {
	x, y := int(f.x), int(f.y)
	return image.Rectangle{image.Pt(x, y), image.Pt(x+int(f.width), y+int(f.height))}
}

// give writes the first of all, as C has them, to the caller's buffer, and their number
// to count.
func give[T, U any](all []T, to *U, capacity C.size_t, count *C.size_t, convert func(*T) U) error {
	*count = C.size_t(len(all))
	n := min(*count, capacity)
	for i := range unsafe.Slice(to, int(n)) {
		unsafe.Slice(to, int(n))[i] = convert(&all[i])
	}
	if n < *count {
		return fmt.Errorf("%w: there are %d, and room for %d", errBuffer, uint64(*count), uint64(capacity))
	}
	return nil
}

// pixelsOf returns the picture that img describes.
func pixelsOf(img *C.haarlem_image) (pixels, error) {
	if img == nil {
		return pixels{}, argument("image is NULL")
	}
	p := pixels{format: format(img.format), width: int(img.width), height: int(img.height), stride: int(img.stride)}
	n, err := checkLayout(p.format, p.width, p.height, p.stride)
	if err != nil || n == 0 {
		return p, err
	}
	if img.pixels == nil {
		return pixels{}, argument("image.pixels is NULL")
	}
	first := unsafe.Pointer(img.pixels)
	if p.stride < 0 {
		first = unsafe.Add(first, (p.height-1)*p.stride)
	}
	p.pix = unsafe.Slice((*byte)(first), n)
	return p, nil
}

// settingsOf returns what options says, which may be nil.
func settingsOf(options *C.haarlem_options) (settings, error) {
	if options == nil {
		return settings{}, nil
	}
	all, err := structBytes(unsafe.Pointer(options), options.size, unsafe.Sizeof(*options), "haarlem_options")
	if err != nil {
		return settings{}, err
	}
	var o C.haarlem_options
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&o)), unsafe.Sizeof(o)), all)
	return settings{
		scale: float64(o.scale), min: image.Pt(int(o.min_width), int(o.min_height)), max: image.Pt(int(o.max_width), int(o.max_height)),
		minNeighbors: int(o.min_neighbors), minScore: float64(o.min_score), enlarge: float64(o.enlarge),
		workers: int(o.workers), maxCandidates: int(o.max_candidates),
	}.with(uint32(o.flags))
}

// structBytes returns the bytes of a caller's struct whose first member is its size,
// as far as this version knows them. A longer one must be zero from there on: what a
// later version would mean by it must not be left out in silence.
func structBytes(p unsafe.Pointer, size C.size_t, known uintptr, name string) ([]byte, error) {
	const limit = 4096
	if size < C.size_t(unsafe.Sizeof(size)) || size > limit {
		return nil, argument("the member size of %s is %d, want sizeof(%s), which is %d here", name, uint64(size), name, known)
	}
	all := unsafe.Slice((*byte)(p), int(size))
	if uintptr(size) > known {
		for i, b := range all[known:] {
			if b != 0 {
				return nil, argument("%s is of a later version, which sets its byte %d; this library knows %d", name, int(known)+i, known)
			}
		}
		all = all[:known]
	}
	return all, nil
}

// list is report for what fills the caller's array with something of a handle's. *count
// is 0 unless f sets it.
func list[T any](of *table[T], h uintptr, count *C.size_t, text *C.char, size C.size_t, f func(*T) error) C.int {
	return report(text, size, func() error {
		if count == nil {
			return argument("count is NULL")
		}
		*count = 0
		v, err := of.find(h)
		if err != nil {
			return err
		}
		return f(v)
	})
}

// report calls f and returns its status. An error's text goes to the caller's buffer.
func report(text *C.char, size C.size_t, f func() error) C.int {
	err := recovered(f)
	if err != nil && text != nil && size > 0 {
		message := cut(err.Error(), uint64(size)-1)
		to := unsafe.Slice((*byte)(unsafe.Pointer(text)), len(message)+1)
		copy(to, message)
		to[len(message)] = 0
	}
	return C.int(statusOf(err))
}

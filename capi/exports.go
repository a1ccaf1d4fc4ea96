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
*/
import "C"

import (
	"fmt"
	"image"
	"runtime/debug"
	"sync"
	"unsafe"

	"haarlem/models"
)

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
	return open(out, text, size, func() (*model, error) {
		if path == nil {
			return nil, argument("path is NULL")
		}
		return openFile(C.GoString(path))
	})
}

//export haarlem_open_memory
func haarlem_open_memory(data unsafe.Pointer, length C.size_t, out *C.haarlem_handle, text *C.char, size C.size_t) C.int {
	return open(out, text, size, func() (*model, error) {
		const limit = 1 << 30 // far beyond what a model file may have
		switch {
		case data == nil && length > 0:
			return nil, argument("data is NULL")
		case length > limit:
			return nil, argument("size is %d, and no model has more than %d bytes", uint64(length), limit)
		}
		return openMemory(unsafe.Slice((*byte)(data), int(length)))
	})
}

//export haarlem_open_builtin
func haarlem_open_builtin(name *C.char, out *C.haarlem_handle, text *C.char, size C.size_t) C.int {
	return open(out, text, size, func() (*model, error) {
		if name == nil {
			return openBuiltin("")
		}
		if *name == 0 {
			return nil, argument("name is empty; NULL means the default")
		}
		return openBuiltin(C.GoString(name))
	})
}

// open sets *out to a handle of what f opens.
func open(out *C.haarlem_handle, text *C.char, size C.size_t, f func() (*model, error)) C.int {
	return report(text, size, func() error {
		if out == nil {
			return argument("model is NULL: there is nowhere to put what is opened")
		}
		*out = 0
		m, err := f()
		if err != nil {
			return err
		}
		*out = C.haarlem_handle(handles.add(m))
		return nil
	})
}

//export haarlem_close
func haarlem_close(h C.haarlem_handle, text *C.char, size C.size_t) C.int {
	return report(text, size, func() error {
		if h == 0 {
			return nil
		}
		return handles.remove(uintptr(h))
	})
}

//export haarlem_info
func haarlem_info(h C.haarlem_handle, out *C.haarlem_model_info, text *C.char, size C.size_t) C.int {
	return report(text, size, func() error {
		m, err := handles.find(uintptr(h))
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
		c := m.cascades[0]
		v := C.haarlem_model_info{
			size: out.size, width: C.int32_t(c.Width), height: C.int32_t(c.Height), features: C.int32_t(c.Kind - 1),
			exits: C.int32_t(len(c.Exits)), cascades: C.int32_t(len(m.cascades)),
			opencv: truth(m.opencv), calibrated: truth(c.Calibration != nil),
		}
		copy(all, unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)))
		return nil
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
	return report(text, size, func() error {
		if count == nil {
			return argument("count is NULL")
		}
		*count = 0
		m, err := handles.find(uintptr(h))
		if err != nil {
			return err
		}
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
		*count = C.size_t(len(s.found))
		n := min(*count, capacity)
		level := C.int32_t(len(m.cascades[0].Exits))
		to := unsafe.Slice(found, int(n))
		for i := range to {
			f := &s.found[i]
			to[i] = C.haarlem_detection{
				x: C.int32_t(f.Box.Min.X), y: C.int32_t(f.Box.Min.Y), width: C.int32_t(f.Box.Dx()), height: C.int32_t(f.Box.Dy()),
				neighbors: C.int32_t(f.Neighbors), level: level, score: C.double(f.Score),
			}
		}
		if n < *count {
			return fmt.Errorf("%w: there are %d detections, and room for %d", errBuffer, uint64(*count), uint64(capacity))
		}
		return nil
	})
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
	const flags = C.HAARLEM_UNGROUPED | C.HAARLEM_OVERLAPPING | C.HAARLEM_OPENCV
	if o.flags&^flags != 0 {
		return settings{}, argument("options.flags is %#x, of which only %#x is known", uint32(o.flags), flags)
	}
	return settings{
		scale: float64(o.scale), min: image.Pt(int(o.min_width), int(o.min_height)), max: image.Pt(int(o.max_width), int(o.max_height)),
		minNeighbors: int(o.min_neighbors), minScore: float64(o.min_score), enlarge: float64(o.enlarge),
		workers: int(o.workers), maxCandidates: int(o.max_candidates),
		ungrouped:   o.flags&C.HAARLEM_UNGROUPED != 0,
		overlapping: o.flags&C.HAARLEM_OVERLAPPING != 0,
		opencv:      o.flags&C.HAARLEM_OPENCV != 0,
	}, nil
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

// report calls f and returns its status. An error's text goes to the caller's buffer.
// A panic, which would end the caller's program, is an error too.
func report(text *C.char, size C.size_t, f func() error) C.int {
	err := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("haarlem: a bug: %v\n%s", r, debug.Stack())
			}
		}()
		return f()
	}()
	if err != nil && text != nil && size > 0 {
		message := cut(err.Error(), uint64(size)-1)
		to := unsafe.Slice((*byte)(unsafe.Pointer(text)), len(message)+1)
		copy(to, message)
		to[len(message)] = 0
	}
	return C.int(statusOf(err))
}

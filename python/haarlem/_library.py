"""Libhaarlem through ctypes, or as a program. Both let go of the interpreter's lock
during calls."""

import ctypes
import os
import threading
import weakref

import numpy

from ._process import Process

OK, ARGUMENT, FILE, FORMAT, BUFFER, LIMIT, INTERNAL = range(7)
ABI_VERSION = 1
UNGROUPED, OVERLAPPING, OPENCV = 1, 2, 4
NATIVE, XML = 1, 2
FORMATS = {"GREY": (1, 1), "BGR": (2, 3), "RGB": (3, 3), "BGRA": (4, 4), "RGBA": (5, 4)}


class Error(Exception):
    """What the library says is wrong."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Image(ctypes.Structure):
    _fields_ = [
        ("pixels", ctypes.c_void_p),
        ("width", ctypes.c_int32),
        ("height", ctypes.c_int32),
        ("stride", ctypes.c_ssize_t),
        ("format", ctypes.c_int32),
    ]


class Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("scale", ctypes.c_double),
        ("min_width", ctypes.c_int32),
        ("min_height", ctypes.c_int32),
        ("max_width", ctypes.c_int32),
        ("max_height", ctypes.c_int32),
        ("min_neighbors", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
        ("min_score", ctypes.c_double),
        ("enlarge", ctypes.c_double),
        ("workers", ctypes.c_int32),
        ("max_candidates", ctypes.c_int32),
    ]


class TrackerOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t)] + [(name, ctypes.c_double) for name in ("overlap", "strong", "memory")] + [
        (name, ctypes.c_int32) for name in ("hits", "misses", "width", "height")
    ]


class Info(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t)] + [
        (name, ctypes.c_int32) for name in ("width", "height", "features", "exits", "opencv", "calibrated")
    ]


# haarlem_detection
DETECTION = numpy.dtype(
    [("box", numpy.int32, 4), ("neighbors", numpy.int32), ("level", numpy.int32), ("score", numpy.float64)]
)
# haarlem_track
TRACK = numpy.dtype(
    [("box", numpy.int32, 4), ("number", numpy.int32), ("index", numpy.int32), ("misses", numpy.int32), ("score", numpy.float64)],
    align=True,
)


def _declare(lib):
    text = [ctypes.c_char_p, ctypes.c_size_t]
    handle, out = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    opens = [
        (f"haarlem_{kind}open_{how}", ctypes.c_int, arguments + [out] + text)
        for kind in ("", "landmarks_")
        for how, arguments in (
            ("file", [ctypes.c_char_p]),
            ("memory", [ctypes.c_char_p, ctypes.c_size_t]),
            ("builtin", [ctypes.c_char_p]),
        )
    ]
    count = [ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)]
    for name, result, arguments in opens + [
        ("haarlem_abi_version", ctypes.c_int32, []),
        ("haarlem_version", ctypes.c_char_p, []),
        ("haarlem_builtin", ctypes.c_char_p, [ctypes.c_size_t]),
        ("haarlem_close", ctypes.c_int, [handle] + text),
        ("haarlem_landmarks_close", ctypes.c_int, [handle] + text),
        ("haarlem_tracker_close", ctypes.c_int, [handle] + text),
        ("haarlem_tracker_open", ctypes.c_int, [ctypes.POINTER(TrackerOptions), out] + text),
        (
            "haarlem_landmarks_find",
            ctypes.c_int,
            [handle, handle, ctypes.POINTER(Image), ctypes.c_void_p, ctypes.c_void_p] + count + text,
        ),
        (
            "haarlem_tracker_update",
            ctypes.c_int,
            [handle, ctypes.c_double, ctypes.POINTER(Image), ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p] + count + text,
        ),
        ("haarlem_write", ctypes.c_int, [handle, ctypes.c_int32, ctypes.c_void_p] + count + text),
        ("haarlem_info", ctypes.c_int, [handle, ctypes.POINTER(Info)] + text),
        (
            "haarlem_detect",
            ctypes.c_int,
            [handle, ctypes.POINTER(Image), ctypes.POINTER(Options), ctypes.c_void_p] + count + text,
        ),
    ]:
        f = getattr(lib, name)
        f.restype, f.argtypes = result, arguments
    if lib.haarlem_abi_version() != ABI_VERSION:
        raise ImportError(f"haarlem: the library has ABI version {lib.haarlem_abi_version()}, want {ABI_VERSION}")
    return lib


_lock = threading.Lock()
_lib = None
_forks = 0  # since the library was first loaded


def _path():
    named = os.environ.get("HAARLEM_LIBRARY")
    if named:
        return named
    names = ["haarlem.dll"] if os.name == "nt" else ["libhaarlem.so", "haarlem"]
    paths = [os.path.join(os.path.dirname(__file__), n) for n in names]
    return next((p for p in paths if os.path.exists(p)), paths[0])


def _is_library(path):
    # libhaarlem.so.1.2 is one too.
    return any(end in os.path.basename(path) for end in (".so", ".dll", ".dylib"))


def _forked():
    # The library's threads do not exist in a child, so that it would wait for them for
    # ever. The child gets a library of its own.
    global _lock
    _lock = threading.Lock()
    if isinstance(_lib, Process):
        _lib.leave()
    _lost()


def _lost():
    """Forget the library: what was open in it is opened again in the next one."""
    global _lib, _forks
    if _lib is not None:
        _lib, _forks = None, _forks + 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def library():
    """The library of this process, loaded at the first call."""
    global _lib
    if _lib is None:
        with _lock:
            if _lib is None:
                path = _path()
                if not _is_library(path):
                    _lib = Process(path, _lost)
                elif _forks == 0:
                    _lib = _declare(ctypes.CDLL(path))
                else:
                    # A file that is new to the loader, by name and by content: what it has
                    # open already it would not load a second time.
                    copy = os.memfd_create("libhaarlem.so")
                    try:
                        with open(path, "rb") as f, open(copy, "wb", closefd=False) as to:
                            to.write(f.read())
                        _lib = _declare(ctypes.CDLL(f"/proc/{os.getpid()}/fd/{copy}"))
                    finally:
                        os.close(copy)
    return _lib


def _check(status, text):
    if status != OK:
        raise Error(status, text.value.decode("utf-8", "replace"))


def builtin_names():
    lib, names = library(), []
    while True:
        name = lib.haarlem_builtin(len(names))
        if name is None:
            return names
        names.append(name.decode())


def version():
    return library().haarlem_version().decode()


def _close(kind, handle, forks):
    if forks == _forks and _lib is not None:
        getattr(_lib, f"haarlem_{kind}close")(handle, None, 0)


def _written(dtype, call, capacity):
    """The array that call(pointer, capacity, count, text, size) writes."""
    text, count = ctypes.create_string_buffer(1000), ctypes.c_size_t(capacity)
    status = BUFFER
    while status == BUFFER:
        found = numpy.empty(count.value, dtype)
        status = call(found.ctypes.data, len(found), count, text, len(text))
    _check(status, text)
    return found[: count.value]


class _Opened:
    """What is open, and again in a child. how is "file", "memory" or "builtin"."""

    kind = ""

    def __init__(self, how, source):
        self._how, self._source = how, source
        self._capacity = 256
        self._open()

    def _open(self):
        lib, text, handle = library(), ctypes.create_string_buffer(1000), ctypes.c_void_p()
        end = (ctypes.byref(handle), text, len(text))
        if self._how == "file":
            path = os.fsencode(self._source)
            if b"\0" in path:  # where C ends
                raise Error(FILE, f"haarlem: {self._source!r} is no path: there is a zero byte in it")
            arguments = (path,)
        elif self._how == "memory":
            arguments = (self._source, len(self._source))
        else:
            arguments = (self._source.encode(),)
        _check(getattr(lib, f"haarlem_{self.kind}open_{self._how}")(*arguments, *end), text)
        self._opened(handle)

    def _opened(self, handle):
        self._handle, self._forks = handle.value, _forks
        weakref.finalize(self, _close, self.kind, handle.value, _forks).atexit = False

    def _now(self):
        if self._forks != _forks:
            self._open()
        return self._handle

    def _read(self, dtype, call):
        """What _written returns, with as much room as was needed before."""
        found = _written(dtype, call, self._capacity)
        self._capacity = max(self._capacity, len(found))
        return found


class Model(_Opened):
    """A model that is open."""

    def info(self):
        info, text = Info(), ctypes.create_string_buffer(1000)
        info.size = ctypes.sizeof(info)
        handle = self._now()
        _check(library().haarlem_info(handle, ctypes.byref(info), text, len(text)), text)
        return info

    def write(self, format):
        """The bytes of a file with the model."""
        lib, handle = library(), self._now()
        return _written(numpy.uint8, lambda *to: lib.haarlem_write(handle, format, *to), 1 << 20).tobytes()

    def detect(self, image, options):
        """An array of DETECTION."""
        lib, handle = library(), self._now()
        options.size = ctypes.sizeof(options)
        return self._read(DETECTION, lambda *to: lib.haarlem_detect(handle, image, options, *to))


class Landmarks(_Opened):
    """A landmark model that is open."""

    kind = "landmarks_"

    def find(self, model, image, box):
        """An array of points. model may be None."""
        lib, handle, by = library(), self._now(), model and model._now()
        found = numpy.zeros(1, DETECTION)
        found["box"] = box
        return self._read(
            numpy.dtype((numpy.float64, 2)),
            lambda *to: lib.haarlem_landmarks_find(handle, by, image, found.ctypes.data, *to),
        )


class Tracker(_Opened):
    """A tracker that is open. It is lost in a child."""

    kind = "tracker_"

    def __init__(self, options):
        self._capacity = 256
        options.size = ctypes.sizeof(options)
        text, handle = ctypes.create_string_buffer(1000), ctypes.c_void_p()
        _check(library().haarlem_tracker_open(options, handle, text, len(text)), text)
        self._opened(handle)

    def update(self, seconds, image, found):
        """An array of TRACK. image may be None."""
        if self._forks != _forks:
            raise Error(ARGUMENT, "haarlem: the tracker stayed in the process that this one was forked from")
        lib = library()
        self._capacity = 4096  # more tracks than any frame shows: a second call would be a second frame
        return self._read(
            TRACK,
            lambda *to: lib.haarlem_tracker_update(self._handle, seconds, image, found.ctypes.data, len(found), *to),
        )


def image_of(array, form):
    """The description of a uint8 array of two or three dimensions, and the array that
    has its pixels: itself, if they lie in rows."""
    number, channels = FORMATS[form]
    steps = array.strides[1:]
    if array.size and steps != ((channels, 1) if array.ndim == 3 else (channels,)):
        array = numpy.ascontiguousarray(array)
    height, width = array.shape[:2]
    if height >= 1 << 31 or width >= 1 << 31:
        raise Error(LIMIT, f"haarlem: a picture of {width} x {height} pixels")
    return Image(array.ctypes.data, width, height, array.strides[0], number), array

"""Libhaarlem through ctypes, which lets go of the interpreter's lock during calls."""

import ctypes
import os
import threading
import weakref

import numpy

OK, ARGUMENT, FILE, FORMAT, BUFFER, LIMIT, INTERNAL = range(7)
ABI_VERSION = 1
UNGROUPED, OVERLAPPING, OPENCV = 1, 2, 4
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


class Info(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t)] + [
        (name, ctypes.c_int32) for name in ("width", "height", "features", "exits", "cascades", "opencv", "calibrated")
    ]


# haarlem_detection
DETECTION = numpy.dtype(
    [("box", numpy.int32, 4), ("neighbors", numpy.int32), ("level", numpy.int32), ("score", numpy.float64)]
)


def _declare(lib):
    text = [ctypes.c_char_p, ctypes.c_size_t]
    handle, out = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    for name, result, arguments in (
        ("haarlem_abi_version", ctypes.c_int32, []),
        ("haarlem_version", ctypes.c_char_p, []),
        ("haarlem_builtin", ctypes.c_char_p, [ctypes.c_size_t]),
        ("haarlem_open_file", ctypes.c_int, [ctypes.c_char_p, out] + text),
        ("haarlem_open_memory", ctypes.c_int, [ctypes.c_char_p, ctypes.c_size_t, out] + text),
        ("haarlem_open_builtin", ctypes.c_int, [ctypes.c_char_p, out] + text),
        ("haarlem_close", ctypes.c_int, [handle] + text),
        ("haarlem_info", ctypes.c_int, [handle, ctypes.POINTER(Info)] + text),
        (
            "haarlem_detect",
            ctypes.c_int,
            [handle, ctypes.POINTER(Image), ctypes.POINTER(Options), ctypes.c_void_p, ctypes.c_size_t]
            + [ctypes.POINTER(ctypes.c_size_t)]
            + text,
        ),
    ):
        f = getattr(lib, name)
        f.restype, f.argtypes = result, arguments
    if lib.haarlem_abi_version() != ABI_VERSION:
        raise ImportError(f"haarlem: the library has ABI version {lib.haarlem_abi_version()}, want {ABI_VERSION}")
    return lib


_lock = threading.Lock()
_lib = None
_forks = 0  # since the library was first loaded


def _path():
    name = "haarlem.dll" if os.name == "nt" else "libhaarlem.so"
    return os.environ.get("HAARLEM_LIBRARY") or os.path.join(os.path.dirname(__file__), name)


def _forked():
    # The library's threads do not exist in a child, so that it would wait for them for
    # ever. The child gets a library of its own.
    global _lock, _lib, _forks
    _lock = threading.Lock()
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
                if _forks == 0:
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


def _close(handle, forks):
    if forks == _forks and _lib is not None:
        _lib.haarlem_close(handle, None, 0)


class Model:
    """A model that is open. how is "file", "memory" or "builtin"."""

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
            status = lib.haarlem_open_file(path, *end)
        elif self._how == "memory":
            status = lib.haarlem_open_memory(self._source, len(self._source), *end)
        else:
            status = lib.haarlem_open_builtin(self._source.encode(), *end)
        _check(status, text)
        self._handle, self._forks = handle.value, _forks
        weakref.finalize(self, _close, handle.value, _forks).atexit = False

    def _now(self):
        if self._forks != _forks:
            self._open()
        return self._handle

    def info(self):
        info, text = Info(), ctypes.create_string_buffer(1000)
        info.size = ctypes.sizeof(info)
        handle = self._now()
        _check(library().haarlem_info(handle, ctypes.byref(info), text, len(text)), text)
        return info

    def detect(self, image, options):
        """An array of DETECTION."""
        lib, handle = library(), self._now()
        options.size = ctypes.sizeof(options)
        text, count = ctypes.create_string_buffer(1000), ctypes.c_size_t()
        while True:
            found = numpy.empty(self._capacity, DETECTION)
            status = lib.haarlem_detect(
                handle, image, options, found.ctypes.data, len(found), count, text, len(text)
            )
            if status != BUFFER:
                break
            self._capacity = max(self._capacity, count.value)
        _check(status, text)
        return found[: count.value]


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

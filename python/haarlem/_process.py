"""Libhaarlem as a program that answers through pipes, for systems whose loader cannot
load a library of Go's: the calls of _library, one after another."""

import atexit
import collections
import ctypes
import struct
import subprocess
import threading

import numpy

_OK, _BUFFER, _INTERNAL = 0, 4, 6
_KINDS, _HOW = {"": 0, "landmarks_": 1, "tracker_": 2}, {"file": 0, "memory": 1, "builtin": 2}


class Process:
    """Has the functions of the library that _library calls. lost is called when the
    program has ended, with all that was open in it."""

    def __init__(self, path, lost):
        # A session of its own: Control-C is for the caller.
        self._process = subprocess.Popen([path], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        atexit.register(self.leave)
        self._lock, self._lost, self._closing = threading.Lock(), lost, collections.deque()
        status, names = self._ask(1)
        if status != _OK:
            raise ImportError(f"haarlem: {path} is not the program that answers")
        self._names = bytes(names).split(b"\n")
        for kind, number in _KINDS.items():
            for how in _HOW if number < 2 else ():
                setattr(self, f"haarlem_{kind}open_{how}", self._opening(number, how))
            # Later, since the garbage collector may call it in the middle of another call.
            close = lambda handle, text, size, kind=number: self._closing.append(struct.pack("<BQ", kind, handle))
            setattr(self, f"haarlem_{kind}close", close)

    def leave(self):
        """Let go of the pipes: the program ends when nobody has them any more."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.returncode = 0  # in a child, it is another's

    def _exchange(self, call, *parts):
        to, out = self._process.stdin, self._process.stdout
        for p in (struct.pack("<IB", 1 + sum(map(len, parts)), call), *parts):
            p = memoryview(p)
            while p:
                p = p[to.write(p) :]
        size, status = struct.unpack("<Ii", _all(out, 8))
        return status, _all(out, size - 4)

    def _ask(self, call, *parts):
        """The status and the bytes of an answer."""
        with self._lock:
            try:
                while self._closing:
                    self._exchange(3, self._closing.popleft())
                return self._exchange(call, *parts)
            except BaseException as e:
                # The next answer would be this call's.
                self._process.kill()
                self._process.wait()
                self._lost()
                if isinstance(e, (OSError, EOFError)):
                    return _INTERNAL, b"haarlem: its process has ended; the next call starts another"
                raise

    def _give(self, answer, text):
        status, data = answer
        if status != _OK:
            text.value = bytes(data[: len(text) - 1]).split(b"\0")[0]
        return status

    def _array(self, answer, width, to, capacity, count, text):
        status, data = answer
        if status != _OK:
            return self._give(answer, text)
        count.value = len(data) // width
        ctypes.memmove(to, bytes(data), min(count.value, capacity) * width)
        return _OK if count.value <= capacity else _BUFFER

    def _opening(self, kind, how):
        def call(source, *rest):
            handle, text, _ = rest[-3:]
            answer = self._ask(2, struct.pack("<BB", kind, _HOW[how]), source)
            if answer[0] == _OK:
                handle._obj.value = struct.unpack("<Q", answer[1])[0]
            return self._give(answer, text)

        return call

    def haarlem_version(self):
        return self._names[0]

    def haarlem_builtin(self, index):
        return self._names[index + 1] if index + 1 < len(self._names) else None

    def haarlem_tracker_open(self, options, handle, text, size):
        answer = self._ask(4, bytes(options))
        if answer[0] == _OK:
            handle.value = struct.unpack("<Q", answer[1])[0]
        return self._give(answer, text)

    def haarlem_landmarks_find(self, handle, model, image, box, to, capacity, count, text, size):
        object = ctypes.string_at(box, 32)
        return self._array(self._ask(5, struct.pack("<QQ", handle, model or 0), object, *_picture(image)), 16, to, capacity, count, text)

    def haarlem_tracker_update(self, handle, seconds, image, found, n, to, capacity, count, text, size):
        head = struct.pack("<QdI", handle, seconds, n)
        return self._array(self._ask(6, head, ctypes.string_at(found, 32 * n), *_picture(image)), 40, to, capacity, count, text)

    def haarlem_info(self, handle, info, text, size):
        answer = self._ask(7, struct.pack("<Q", handle))
        if answer[0] == _OK:
            ctypes.memmove(ctypes.addressof(info._obj), bytes(answer[1]), len(answer[1]))
        return self._give(answer, text)

    def haarlem_write(self, handle, format, to, capacity, count, text, size):
        return self._array(self._ask(8, struct.pack("<Qi", handle, format)), 1, to, capacity, count, text)

    def haarlem_detect(self, handle, image, options, to, capacity, count, text, size):
        return self._array(self._ask(9, struct.pack("<Q", handle), bytes(options), *_picture(image)), 32, to, capacity, count, text)


def _all(pipe, size):
    data = bytearray(size)
    rest = memoryview(data)
    while rest:
        n = pipe.readinto(rest)
        if not n:
            raise EOFError
        rest = rest[n:]
    return data


class _Rows:
    """The bytes of a picture, as numpy sees memory."""

    def __init__(self, image, width):
        self.__array_interface__ = {
            "version": 3,
            "typestr": "|u1",
            "data": (image.pixels, True),
            "shape": (image.height, width),
            "strides": (image.stride, 1),
        }


def _picture(image):
    """A picture as the program reads it: without gaps. None is none."""
    if image is None:
        return ()
    head = struct.pack("<iii", image.width, image.height, image.format)
    if not image.pixels or not image.width or not image.height:
        return (head,)
    channels = (1, 3, 3, 4, 4)[image.format - 1]
    return head, numpy.ascontiguousarray(_Rows(image, image.width * channels)).data.cast("B")

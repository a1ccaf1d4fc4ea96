"""What stands in for cv2.CascadeClassifier."""

import os
import warnings
from xml.sax.saxutils import escape

import numpy

from . import _library, data

CASCADE_DO_CANNY_PRUNING = 1
CASCADE_SCALE_IMAGE = 2
CASCADE_FIND_BIGGEST_OBJECT = 4
CASCADE_DO_ROUGH_SEARCH = 8

_BAD_ARGUMENT, _NULL, _ASSERTION, _BAD_CHANNELS, _PARSE = -5, -27, -215, -15, -212
_NAMES = {
    _BAD_ARGUMENT: "Bad argument",
    _NULL: "Null pointer",
    _ASSERTION: "Assertion failed",
    _BAD_CHANNELS: "Bad number of channels",
    _PARSE: "Parsing error",
}

_threads = 0


def set_num_threads(n):
    """Set how many threads a CascadeClassifier uses for a picture; 0 means one for each
    processor. What is found does not depend on it."""
    global _threads
    if not isinstance(n, int) or n < 0:
        raise ValueError(f"{n!r} threads, want 0 or more")
    _threads = n


class _Error(Exception):
    """What cv2.error is, for programs without cv2."""

    code = line = 0
    err = file = func = msg = ""


def error_class():
    """cv2.error, if there is a cv2."""
    try:
        import cv2
    except ImportError:
        return _Error
    return getattr(cv2, "error", _Error)


def _error(code, err, func):
    text = f"Haarlem: error: ({code}:{_NAMES[code]}) {err} in function '{func}'\n"
    e = error_class()(text)
    e.code, e.err, e.file, e.func, e.line, e.msg = code, err, "", func, -1, text
    return e


def _bad(err, func):
    return _error(_BAD_ARGUMENT, err, func)


def _integer(value, default, name, func):
    if value is None:
        return default
    if isinstance(value, (bool, numpy.bool_)):
        raise _bad(f"Argument '{name}' must be integer, not bool", func)
    if not isinstance(value, (int, numpy.integer)):
        raise _bad(f"Argument '{name}' is required to be an integer", func)
    if not -(1 << 31) <= value < 1 << 31:
        raise _bad("integer won't fit into a C int", func)
    return int(value)


def _double(value, default, name, func):
    if value is None:
        return default
    if isinstance(value, (bool, numpy.bool_)) or not isinstance(value, (int, float, numpy.integer, numpy.floating)):
        raise _bad(f"Argument '{name}' can not be treated as a double", func)
    return float(value)


def _size(value, name, func):
    if value is None:
        return 0, 0
    try:
        items = [value[i] for i in range(len(value))]
    except TypeError:
        raise _bad(f"Can't parse '{name}'. Input argument doesn't provide sequence protocol", func) from None
    if len(items) != 2:
        raise _bad(f"Can't parse '{name}'. Expected sequence length 2, got {len(items)}", func)
    for i, v in enumerate(items):
        if isinstance(v, (bool, numpy.bool_)) or not isinstance(v, (int, numpy.integer)) or not -(1 << 31) <= v < 1 << 31:
            raise _bad(f"Can't parse '{name}'. Sequence item with index {i} has a wrong type", func)
    return int(items[0]), int(items[1])


def _picture(image, scale, func):
    """A uint8 array of two dimensions, or of three with 3 or 4 channels."""
    if image is None:
        array = numpy.empty((0, 0), numpy.uint8)
    elif isinstance(image, numpy.ndarray):
        array = image
    elif isinstance(image, (int, float)) and not isinstance(image, bool):
        array = numpy.empty((0, 0), numpy.float64)
    elif hasattr(image, "get") and type(image).__name__ == "UMat":
        array = image.get()
    else:
        raise _bad("image is not a numpy array, neither a scalar", func)
    if array.dtype.kind not in "uif":
        raise _bad(f"image data type = {array.dtype} is not supported", func)
    if not scale > 1 or array.dtype != numpy.uint8:
        raise _error(_ASSERTION, "scaleFactor > 1 && _image.depth() == CV_8U", func)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim not in (2, 3):
        return numpy.empty((0, 0), numpy.uint8)
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    if array.size == 0:
        return numpy.empty((0, 0), numpy.uint8)
    if array.ndim == 3 and array.shape[2] not in (3, 4):
        raise _error(_BAD_CHANNELS, f"{array.shape[2]} channels, want 1, 3 or 4", func)
    return array


def _xml(node, name):
    """A node of a cv2.FileStorage as an element of XML."""
    if node.isMap():
        content = "".join(_xml(node.getNode(k), k) for k in node.keys())
    elif node.isSeq():
        items = map(node.at, range(node.size()))
        content = " ".join(_xml(i, "_") if i.isMap() or i.isSeq() else _scalar(i) for i in items)
    else:
        content = _scalar(node)
    return f"<{name}>{content}</{name}>"


def _scalar(node):
    return escape(node.string()) if node.isString() else repr(int(node.real()) if node.isInt() else node.real())


class CascadeClassifier:
    """Finds objects as cv2.CascadeClassifier of OpenCV 4 does: the same boxes, in the
    order in which OpenCV has them with one thread, with the same counts and weights.

    Errors are cv2.error if there is a cv2; else haarlem.error.
    """

    CASCADE_DO_CANNY_PRUNING = CASCADE_DO_CANNY_PRUNING
    CASCADE_SCALE_IMAGE = CASCADE_SCALE_IMAGE
    CASCADE_FIND_BIGGEST_OBJECT = CASCADE_FIND_BIGGEST_OBJECT
    CASCADE_DO_ROUGH_SEARCH = CASCADE_DO_ROUGH_SEARCH

    _model = None

    def __init__(self, *args, **kwargs):
        if args or kwargs:
            self._load("CascadeClassifier", *args, **kwargs)

    def load(self, filename):
        """Read a cascade. False means that there is no such file; one that is damaged is
        an error."""
        return self._load("load", filename)

    def _load(self, func, filename):
        self._model = None
        if filename is None or filename == "" or filename == b"":
            raise _error(_NULL, "NULL or empty filename", func)
        if not isinstance(filename, (str, bytes, os.PathLike)):
            raise _bad("Expected 'filename' to be a str or path-like object", func)
        path = data.find(filename)
        try:
            model = _library.Model("file", path)
        except _library.Error as e:
            if e.status != _library.FILE:
                raise _error(_PARSE, str(e), func) from None
            warnings.warn(data.missing(filename, e), RuntimeWarning, stacklevel=3)
            return False
        return self._take(model)

    def _take(self, model):
        self._info = model.info()
        self._model = model
        return True

    def read(self, node):
        """Read a cascade out of a cv2.FileStorage, such as its getFirstTopLevelNode().
        False means that the node is none."""
        self._model = None
        if type(node).__name__ != "FileNode":
            raise TypeError(f"Expected cv::FileNode for argument 'node', not {type(node).__name__}")
        if not node.isMap():
            return False
        content = f'<?xml version="1.0"?><opencv_storage>{_xml(node, "cascade")}</opencv_storage>'
        try:
            return self._take(_library.Model("memory", content.encode()))
        except _library.Error:
            return False

    @staticmethod
    def convert(oldcascade, newcascade):
        """Write a cascade of the old form, or any that OpenCV's form can express, in the
        form that OpenCV 4 writes. False means that this cannot be."""
        for name in oldcascade, newcascade:
            if not isinstance(name, str):
                raise TypeError(f"{name!r} is no file name")
        try:
            content = _library.Model("file", data.find(oldcascade)).write(_library.XML)
            with open(newcascade, "wb") as f:
                f.write(content)
        except (_library.Error, OSError):
            return False
        return True

    def empty(self):
        """Whether no cascade is loaded."""
        return self._model is None

    def _loaded(self, func):
        if self._model is None:
            raise _error(_ASSERTION, "!empty()", func)

    def getOriginalWindowSize(self):
        """The width and height of the detection window."""
        self._loaded("getOriginalWindowSize")
        return self._info.width, self._info.height

    def getFeatureType(self):
        """0 for Haar-like features, 1 for local binary patterns."""
        self._loaded("getFeatureType")
        return self._info.features

    def isOldFormatCascade(self):
        """False: files of the old form are read, but not kept as such; OpenCV 4 says so too."""
        self._loaded("isOldFormatCascade")
        return False

    def _detect(self, image, scale, neighbors, flags, smallest, largest):
        func = "detectMultiScale"
        scale = _double(scale, 1.1, "scaleFactor", func)
        neighbors = _integer(neighbors, 3, "minNeighbors", func)
        _integer(flags, 0, "flags", func)  # has no effect in OpenCV 3 and later
        min_width, min_height = _size(smallest, "minSize", func)
        max_width, max_height = _size(largest, "maxSize", func)
        if isinstance(image, (list, tuple, str)):
            raise _bad("image is not a numpy array, neither a scalar", func)
        self._loaded(func)
        array = _picture(image, scale, func)
        if 0 in (max_width, max_height):
            max_width = max_height = 0
        options = _library.Options(
            # With a larger factor there is no second level in any picture.
            scale=min(scale, 1024.0),
            min_width=max(min_width, 0),
            min_height=max(min_height, 0),
            # A negative bound is one that no size is within; so is 1.
            max_width=max(max_width, 1) if max_width else 0,
            max_height=max(max_height, 1) if max_height else 0,
            min_neighbors=max(neighbors, 0),
            flags=_library.OPENCV | (_library.UNGROUPED if neighbors <= 0 else 0),
            workers=_threads,
            max_candidates=-1,
        )
        form = "GREY" if array.ndim == 2 else "BGR" if array.shape[2] == 3 else "BGRA"
        try:
            description, keep = _library.image_of(array, form)
            return self._model.detect(description, options)
        except _library.Error as e:
            raise _bad(str(e), func) from None

    def detectMultiScale(self, image, scaleFactor=None, minNeighbors=None, flags=None, minSize=None, maxSize=None):
        """The boxes, an int32 array of shape (n, 4), or an empty tuple."""
        return _array(self._detect(image, scaleFactor, minNeighbors, flags, minSize, maxSize), "box")

    def detectMultiScale2(self, image, scaleFactor=None, minNeighbors=None, flags=None, minSize=None, maxSize=None):
        """The boxes, and how many windows were grouped into each."""
        found = self._detect(image, scaleFactor, minNeighbors, flags, minSize, maxSize)
        return _array(found, "box"), _array(found, "neighbors")

    def detectMultiScale3(
        self,
        image,
        scaleFactor=None,
        minNeighbors=None,
        flags=None,
        minSize=None,
        maxSize=None,
        outputRejectLevels=None,
    ):
        """The boxes, the numbers of stages, and the weights of the last stage. They need
        outputRejectLevels=True; OpenCV has an error without it if there is any box."""
        found = self._detect(image, scaleFactor, minNeighbors, flags, minSize, maxSize)
        if len(found) and not outputRejectLevels:
            raise _error(_ASSERTION, "a->size() == n: say outputRejectLevels=True", "clipObjects")
        return _array(found, "box"), _array(found, "level"), _array(found, "score")


def groupRectangles(rectList, groupThreshold, eps=0.2):
    """The means of groups of similar rectangles with more members than groupThreshold that
    are not inside a stronger group, and how many members each has."""
    boxes = [tuple(map(int, r)) for r in rectList]
    if groupThreshold <= 0 or not boxes:
        return _rectangles(boxes, [1] * len(boxes))

    def similar(a, b):
        d = eps * (min(a[2], b[2]) + min(a[3], b[3])) * 0.5
        return all(abs(p - q) <= d for p, q in ((a[0], b[0]), (a[1], b[1]), (a[0] + a[2], b[0] + b[2]), (a[1] + a[3], b[1] + b[3])))

    rest, groups = list(range(len(boxes))), []
    while rest:
        members, rest = rest[:1], rest[1:]
        for i in members:  # which grows
            near = [k for k in rest if similar(boxes[i], boxes[k])]
            members += near
            rest = [k for k in rest if k not in near]
        n = len(members)
        if n > groupThreshold:
            share = numpy.float32(1) / numpy.float32(n)
            groups.append((tuple(round(float(numpy.float32(sum(boxes[k][j] for k in members)) * share)) for j in range(4)), n))

    def inside(a, n, b, m):
        dx, dy = round(b[2] * eps), round(b[3] * eps)
        return (m > max(3, n) or n < 3) and a[0] >= b[0] - dx and a[1] >= b[1] - dy and a[0] + a[2] <= b[0] + b[2] + dx and a[1] + a[3] <= b[1] + b[3] + dy

    kept = [g for i, g in enumerate(groups) if not any(k != i and inside(*g, *h) for k, h in enumerate(groups))]
    return _rectangles([g[0] for g in kept], [g[1] for g in kept])


def _rectangles(boxes, weights):
    return (numpy.array(boxes, numpy.int32), numpy.array(weights, numpy.int32)) if boxes else ((), ())


def _array(found, field):
    return found[field].copy() if len(found) else ()

"""The detector in Python's style."""

import os
from typing import NamedTuple

import numpy

from . import _library


class Detection(NamedTuple):
    """An object that was found."""

    x: int
    y: int
    width: int
    height: int
    score: float
    neighbors: int


def _pair(value):
    if value is None:
        return 0, 0
    if isinstance(value, (int, numpy.integer)):
        return int(value), int(value)
    width, height = value
    return int(width), int(height)


def _open(model):
    if isinstance(model, (bytes, bytearray, memoryview)):
        return _library.Model("memory", bytes(model))
    if isinstance(model, str) and model in _library.builtin_names():
        return _library.Model("builtin", model)
    if isinstance(model, str) and not os.path.splitext(model)[1] and os.path.basename(model) == model and "\0" not in model and not os.path.exists(model):
        raise FileNotFoundError(f"there is no file {model!r}, and the built-in models are {', '.join(_library.builtin_names())}")
    return _library.Model("file", os.fspath(model))


def convert(source, target):
    """Write a model into the file target: as XML for OpenCV 3 and 4 if that ends in
    .xml, in the native format otherwise.

    source is what Detector takes. What OpenCV's format cannot express is a ValueError,
    and nothing is written then.
    """
    xml = os.path.splitext(os.fsdecode(target))[1].lower() == ".xml"
    try:
        content = _open(source).write(_library.XML if xml else _library.NATIVE)
    except _library.Error as e:
        _raise(e)
    with open(target, "wb") as f:
        f.write(content)


def _picture(image, form):
    """The description of a picture for the library, and what has its pixels."""
    if isinstance(image, (str, bytes, os.PathLike)):
        raise TypeError(f"{image!r} is a file name, want pixels: Pillow's Image.open and OpenCV's imread read files")
    array = numpy.asarray(image)
    if array.dtype != numpy.uint8:
        raise TypeError(f"a picture of {array.dtype}, want uint8")
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    if form is None:
        rgb = not isinstance(image, numpy.ndarray) and hasattr(image, "getbands")
        channels = array.shape[2] if array.ndim == 3 else 1
        form = {1: "GREY", 3: "RGB" if rgb else "BGR", 4: "RGBA" if rgb else "BGRA"}.get(channels)
    if form not in _library.FORMATS:
        raise ValueError(f"format {form!r} for an array of shape {array.shape}, want one of {', '.join(_library.FORMATS)}")
    channels = _library.FORMATS[form][1]
    if array.ndim not in (2, 3) or (array.shape[2] if array.ndim == 3 else 1) != channels:
        raise ValueError(f"an array of shape {array.shape} for format {form}")
    return _library.image_of(array, form)


def _raise(error):
    """The exception that Python has for what the library says."""
    kinds = {_library.FILE: OSError, _library.INTERNAL: RuntimeError, _library.LIMIT: OverflowError}
    raise kinds.get(error.status, ValueError)(str(error)) from None


class Detector:
    """Finds objects in pictures.

    model is the name of a built-in model ("face", "face-fast", ...; see
    haarlem.models()), the path of a file in OpenCV's XML or the native format, or the
    content of one. A Detector may be used by many threads at once.
    """

    def __init__(
        self,
        model="face",
        *,
        scale=None,
        min_size=None,
        max_size=None,
        min_neighbors=None,
        min_score=None,
        ungrouped=False,
        overlapping=False,
        enlarge=1,
        workers=0,
    ):
        if min_neighbors is not None and min_neighbors < 1:
            raise ValueError(f"min_neighbors is {min_neighbors}, want 1 or more, or ungrouped=True")
        min_width, min_height = _pair(min_size)
        max_width, max_height = _pair(max_size)
        self._options = {
            "scale": scale or 0,
            "min_width": min_width,
            "min_height": min_height,
            "max_width": max_width,
            "max_height": max_height,
            "min_neighbors": min_neighbors or 0,
            "min_score": min_score or 0,
            "enlarge": enlarge,
            "workers": workers,
            "flags": _library.UNGROUPED * bool(ungrouped) | _library.OVERLAPPING * bool(overlapping),
        }
        try:
            self._model = _open(model)
            self._info = self._model.info()
            # A picture of nothing: bad options are an error here and not later.
            self._model.detect(_library.Image(None, 0, 0, 0, 1), _library.Options(**self._options))
        except _library.Error as e:
            _raise(e)

    @property
    def window(self):
        """The width and height of the smallest objects that are found."""
        return self._info.width, self._info.height

    @property
    def calibrated(self):
        """Whether scores are probabilities."""
        return bool(self._info.calibrated)

    def detect_arrays(self, image, format=None):
        """The boxes, an int32 array of shape (n, 4), and the scores, a float64 array of
        n, the best first. See detect."""
        found = self._detect(image, format)
        return found["box"].copy(), found["score"].copy()

    def detect(self, image, format=None):
        """A list of Detection, the best first.

        image is a uint8 array of shape (height, width) or (height, width, channels), or a
        picture of Pillow's. format is "GREY", "BGR", "RGB", "BGRA" or "RGBA"; without it,
        three channels are BGR, as OpenCV has them, and Pillow's are RGB. Pixels are not
        copied if they lie in rows, with any distance between them.
        """
        return [
            Detection(*box, score, neighbors)
            for box, neighbors, score in zip(*(self._detect(image, format)[f].tolist() for f in ("box", "neighbors", "score")))
        ]

    def _detect(self, image, form):
        try:
            description, keep = _picture(image, form)
            return self._model.detect(description, _library.Options(**self._options))
        except _library.Error as e:
            _raise(e)

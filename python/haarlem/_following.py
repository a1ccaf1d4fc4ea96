"""Points of faces, and tracks in videos."""

import os
from typing import NamedTuple, Optional

import numpy

from . import _library
from ._detector import _picture, _raise


class Landmarks:
    """Finds points of an object in its box: the eyes, the nose and the corners of the
    mouth of a face.

    model is "face5", "face68", the path of a landmark model or the content of one. A
    Landmarks may be used by many threads at once.
    """

    def __init__(self, model="face5"):
        try:
            if isinstance(model, (bytes, bytearray, memoryview)):
                self._model = _library.Landmarks("memory", bytes(model))
            elif model in ("face5", "face68"):
                self._model = _library.Landmarks("builtin", model)
            else:
                self._model = _library.Landmarks("file", os.fspath(model))
        except _library.Error as e:
            _raise(e)

    def find(self, image, box, detector=None, format=None):
        """The points, a float64 array of shape (n, 2), in pixels.

        box is a Detection, or x, y, width and height. detector is what found it:
        without it the box is taken to be of the kind that the model was trained with.
        image and format are as in Detector.detect.
        """
        try:
            description, keep = _picture(image, format)
            return self._model.find(detector and detector._model, description, tuple(box)[:4])
        except _library.Error as e:
            _raise(e)


class Track(NamedTuple):
    """An object of a video in a frame. detection is its index in what was found there,
    None if it was missed: then the box is predicted."""

    number: int
    x: int
    y: int
    width: int
    height: int
    score: float
    detection: Optional[int]
    misses: int


class Tracker:
    """Makes tracks of what is found in the frames of a video.

    overlap is the smallest intersection over union of a detection and a track. strong is
    the score from which a detection may begin a track. A track is shown after hits
    detections, ends after misses frames in a row without one, and may be taken up again
    for memory seconds. size is that of the frames: what leaves them ends.
    """

    def __init__(self, *, overlap=0.3, strong=0, hits=2, misses=8, memory=2, size=(0, 0)):
        width, height = size
        try:
            self._tracker = _library.Tracker(
                _library.TrackerOptions(
                    overlap=overlap, strong=strong, hits=hits, misses=misses or -1, memory=memory or -1, width=width, height=height
                )
            )
        except _library.Error as e:
            _raise(e)

    def update(self, detections, seconds, image=None, format=None):
        """A list of Track, by number: where the tracks are in the next frame.

        detections are what was found in the frame at a time in seconds. With the frame
        itself, objects that pass each other are told apart.
        """
        found = numpy.zeros(len(detections), _library.DETECTION)
        for f, d in zip(found, detections):
            f["box"], f["score"], f["neighbors"] = d[:4], d.score, d.neighbors
        try:
            description, keep = (None, None) if image is None else _picture(image, format)
            tracks = self._tracker.update(seconds, description, found)
        except _library.Error as e:
            _raise(e)
        return [
            Track(number, *box, score, None if index < 0 else index, misses)
            for box, number, index, misses, score in tracks.tolist()
        ]

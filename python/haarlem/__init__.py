"""Finds objects in pictures with detection cascades.

    import haarlem

    detector = haarlem.Detector()
    for face in detector.detect(picture):
        print(face.x, face.y, face.width, face.height, face.score)

For programs that use cv2.CascadeClassifier, which OpenCV 5 does not have,

    from haarlem import cv2

is cv2 with one.
"""

from . import data
from ._detector import Detection, Detector, convert
from ._following import Landmarks, Track, Tracker
from ._opencv import (
    CASCADE_DO_CANNY_PRUNING,
    CASCADE_DO_ROUGH_SEARCH,
    CASCADE_FIND_BIGGEST_OBJECT,
    CASCADE_SCALE_IMAGE,
    CascadeClassifier,
    groupRectangles,
    set_num_threads,
)

__all__ = [
    "CASCADE_DO_CANNY_PRUNING",
    "CASCADE_DO_ROUGH_SEARCH",
    "CASCADE_FIND_BIGGEST_OBJECT",
    "CASCADE_SCALE_IMAGE",
    "CascadeClassifier",
    "groupRectangles",
    "Detection",
    "Detector",
    "Landmarks",
    "Track",
    "Tracker",
    "convert",
    "data",
    "install",
    "models",
    "set_num_threads",
]


def models():
    """The names of the built-in models, the default first."""
    from ._library import builtin_names

    return builtin_names()


def install():
    """Put CascadeClassifier, its flags, groupRectangles and data.haarcascades into cv2, as far as it lacks
    them, and return cv2."""
    import os
    import types

    import cv2

    for name in __all__[:6]:
        if not hasattr(cv2, name):
            setattr(cv2, name, globals()[name])
    if not hasattr(cv2, "data"):
        cv2.data = types.ModuleType("cv2.data")
    folder = getattr(cv2.data, "haarcascades", "")
    if not (folder and os.path.exists(os.path.join(folder, "haarcascade_frontalface_default.xml"))):
        cv2.data.haarcascades = data.haarcascades
    return cv2


def __getattr__(name):
    if name == "cv2":
        return install()
    if name == "error":
        from ._opencv import error_class

        return error_class()
    if name == "__version__":
        from ._library import version

        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

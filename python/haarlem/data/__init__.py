"""Where cascade files are.

haarcascades is a folder, as cv2.data.haarcascades is: what HAARLEM_CASCADES says, or
else the one in this package. That has Haarlem's own model of frontal faces under the
names haarcascade_frontalface_*.xml. Other files that a program takes from it are looked
for where OpenCV's packages put theirs.
"""

import os
import sys

_own = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _folder():
    chosen = os.environ.get("HAARLEM_CASCADES", "")
    return os.path.join(chosen, "") if chosen else _own


def _elsewhere():
    for prefix in ("/usr/share", "/usr/local/share", os.path.join(sys.prefix, "share")):
        for version in ("opencv4", "opencv"):
            for kind in ("haarcascades", "lbpcascades"):
                yield os.path.join(prefix, version, kind)
    yield os.path.join(sys.prefix, "etc", "haarcascades")
    yield os.path.join(sys.prefix, "etc", "lbpcascades")
    yield _own


def find(path):
    """The path of a cascade file: the same, unless it lies in the folder haarcascades and
    is not there."""
    path = os.fsdecode(path)
    folder, name = os.path.split(path)
    if os.path.exists(path) or os.path.abspath(folder) not in (os.path.abspath(_folder()), os.path.abspath(_own)):
        return path
    for folder in _elsewhere():
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return path


def missing(path, error):
    """What to do about a file that cannot be read."""
    path = os.fsdecode(path)
    text = f"haarlem: {error}"
    if os.path.abspath(os.path.dirname(path)) in (os.path.abspath(_folder()), os.path.abspath(_own)):
        text += (
            f"; {os.path.basename(path)} does not come with Haarlem: put it where OpenCV's package has it"
            " (Debian: opencv-data), or name a folder with it by HAARLEM_CASCADES"
        )
    return text


def __getattr__(name):
    if name == "haarcascades":
        return _folder()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

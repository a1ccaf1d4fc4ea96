"""Where cascade files are.

haarcascades is a folder, as cv2.data.haarcascades is: what HAARLEM_CASCADES says, or
else the one in this package. That has Haarlem's own model of frontal faces under the
names haarcascade_frontalface_*.xml. Other files that a program takes from it are looked
for where OpenCV's packages put theirs. So are those of cv2's folder data, in
which OpenCV 5 has none.
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


def _is_stock(folder):
    """Whether programs expect OpenCV's files in a folder."""
    folders = [_folder(), _own]
    package = getattr(sys.modules.get("cv2"), "__file__", None)
    if package:
        data = os.path.join(os.path.dirname(package), "data")
        folders += [data, os.path.join(data, "haarcascades"), os.path.join(data, "lbpcascades")]
    return os.path.abspath(folder) in map(os.path.abspath, folders)


def find(path):
    """The path of a cascade file: the same, unless it lies in the folder haarcascades, or
    in the folder data of cv2, and is not there."""
    path = os.fsdecode(path)
    folder, name = os.path.split(path)
    if os.path.exists(path) or not _is_stock(folder):
        return path
    for folder in [_folder(), *_elsewhere()]:
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return path


def missing(path, error):
    """What to do about a file that cannot be read."""
    path = os.fsdecode(path)
    text = f"haarlem: {error}"
    if _is_stock(os.path.dirname(path)):
        text += (
            f"; {os.path.basename(path)} does not come with Haarlem: put it where OpenCV's package has it"
            " (Debian: opencv-data), or name a folder with it by HAARLEM_CASCADES"
        )
    return text


def __getattr__(name):
    if name == "haarcascades":
        return _folder()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Pictures and cascades for the tests."""

import glob
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODEL = os.path.join(ROOT, "models", "frontalfaceopencv", "frontalface-opencv.xml")
SOFT = os.path.join(ROOT, "models", "facefast", "face-fast.cascade")


def sample(name):
    """A drawn picture of the repository, in colour."""
    import cv2

    picture = cv2.imread(os.path.join(ROOT, "samples", name))
    assert picture is not None, name
    return picture


def cascades():
    """OpenCV's cascades, those that the repository has drawn at random, and its own."""
    stock = []
    for folder in ("haarcascades", "lbpcascades"):
        stock += sorted(glob.glob(os.path.join("/usr/share/opencv4", folder, "*.xml")))
    drawn = sorted(glob.glob(os.path.join(ROOT, "cascade", "detector", "testdata", "parity", "*.xml")))
    assert len(drawn) == 8, drawn
    return stock, drawn + [MODEL]


def random_picture(r, whole):
    """A part of a picture at some scale, in one of the forms that programs have."""
    import cv2
    import numpy

    height, width = whole.shape[:2]
    w, h = int(r.integers(30, 360)), int(r.integers(30, 300))
    factor = float(r.choice([0.5, 0.8, 1.0, 1.0, 1.7]))
    cut_w, cut_h = min(int(w / factor) + 1, width), min(int(h / factor) + 1, height)
    x, y = int(r.integers(0, width - cut_w + 1)), int(r.integers(0, height - cut_h + 1))
    part = whole[y : y + cut_h, x : x + cut_w]
    if factor != 1:
        part = cv2.resize(part, (w, h))
    form = int(r.integers(0, 9))
    if form == 0:
        return part  # often a view into the whole
    if form == 1:
        return cv2.cvtColor(part, cv2.COLOR_BGR2BGRA)
    if form == 2:
        return part[:, ::-1]
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    if form == 3:
        return grey[::-1]
    if form == 4:
        return numpy.asfortranarray(grey)
    if form == 5:
        return cv2.equalizeHist(grey)
    if form == 6:
        noise = r.normal(0, 12, grey.shape)
        return numpy.clip(grey + noise, 0, 255).astype(numpy.uint8)
    if form == 7:
        return grey[:, :, None]
    return grey

"""Finds faces from the left and, in the mirror image, from the right.

    python side_profile.py PICTURE
"""
import sys

from haarlem import cv2  # instead of: import cv2

profile = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_profileface.xml")
gray = cv2.imread(sys.argv[1], 0)
for side, picture in (("left", gray), ("right", cv2.flip(gray, 1))):
    found = profile.detectMultiScale(picture, scaleFactor=1.05, minNeighbors=1)
    for (x, y, w, h) in found:
        if side == "right":
            x = gray.shape[1] - x - w
        print(side, x, y, w, h)
    if len(found) == 0:
        print(side, "none")

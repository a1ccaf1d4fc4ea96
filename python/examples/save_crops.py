"""Writes every face into a file of its own.

    python save_crops.py PICTURE
"""
import os
import sys

from haarlem import cv2  # instead of: import cv2

cascade = cv2.CascadeClassifier(os.path.join(cv2.data.haarcascades, "haarcascade_frontalface_default.xml"))
if cascade.empty():
    raise IOError("Unable to load the face cascade classifier xml file")

image = cv2.imread(sys.argv[1])
faces = cascade.detectMultiScale(image, scaleFactor=1.2, minNeighbors=4, minSize=(40, 40))
for i, (x, y, w, h) in enumerate(faces):
    name = f"face_{i}.png"
    cv2.imwrite(name, image[y : y + h, x : x + w])
    print(name, cv2.imread(name).shape)

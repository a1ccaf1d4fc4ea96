"""Counts faces.

    python count_faces.py PICTURE
"""
import sys

import numpy as np

from haarlem import cv2  # instead of: import cv2

imagePath = sys.argv[1]
faceCascade = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_default.xml")
image = cv2.imread(imagePath)
gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
faces, neighbours = faceCascade.detectMultiScale2(gray, scaleFactor=1.1, minNeighbors=5, minSize=(30, 30))
print("Found {0} faces!".format(len(faces)))
if len(faces):
    largest = faces[np.argmax(faces[:, 2] * faces[:, 3])]
    print("the largest:", largest.tolist(), "seen most often:", int(np.max(neighbours)))

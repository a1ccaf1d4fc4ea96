"""Finds faces with how certain each is, and leaves overlapping ones out.

    python weights.py PICTURE
"""
import sys

from haarlem import cv2  # instead of: import cv2

classifier = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_default.xml")
gray = cv2.imread(sys.argv[1], cv2.IMREAD_GRAYSCALE)
faces, reject_levels, level_weights = classifier.detectMultiScale3(
    gray, scaleFactor=1.05, minNeighbors=2, minSize=(20, 20), outputRejectLevels=1
)
for (x, y, w, h), level, weight in zip(faces, reject_levels, level_weights):
    print(x, y, w, h, level, "%.9f" % weight)
keep = cv2.dnn.NMSBoxes([list(map(int, f)) for f in faces], [float(w) for w in level_weights], 1.0, 0.3)
print("certain:", sorted(int(i) for i in keep))

"""Finds smiles inside of faces.

    python smile.py PICTURE
"""
import sys

from haarlem import cv2  # instead of: import cv2

path = cv2.data.haarcascades
faceCascade = cv2.CascadeClassifier(f"{path}haarcascade_frontalface_alt2.xml")
smileCascade = cv2.CascadeClassifier(f"{path}haarcascade_smile.xml")

frame = cv2.imread(sys.argv[1])
gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
faces = faceCascade.detectMultiScale(
    gray,
    scaleFactor=1.1,
    minNeighbors=5,
    minSize=(30, 30),
    flags=cv2.CASCADE_SCALE_IMAGE,
)
for x, y, w, h in faces:
    roi = gray[y + h // 2 : y + h, x : x + w]
    smiles = smileCascade.detectMultiScale(roi, scaleFactor=1.16, minNeighbors=15, minSize=(25, 25), flags=0)
    label = "smiling" if len(smiles) > 0 else "serious"
    cv2.putText(frame, label, (x, y - 7), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 255, 0), 2)
    print(x, y, w, h, label, *(tuple(int(v) for v in s) for s in smiles))

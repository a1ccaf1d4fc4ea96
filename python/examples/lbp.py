"""Finds faces with local binary patterns, by a file beside the program.

    python lbp.py PICTURE
"""
import sys

from haarlem import cv2  # instead of: import cv2


def detect_faces(f_cascade, colored_img, scaleFactor=1.1):
    img_copy = colored_img.copy()
    gray = cv2.cvtColor(img_copy, cv2.COLOR_BGR2GRAY)
    faces = f_cascade.detectMultiScale(gray, scaleFactor=scaleFactor, minNeighbors=5)
    for (x, y, w, h) in faces:
        cv2.rectangle(img_copy, (x, y), (x + w, y + h), (0, 255, 0), 2)
    return img_copy, faces


lbp_face_cascade = cv2.CascadeClassifier("lbpcascade_frontalface.xml")
faces_detected_img, faces = detect_faces(lbp_face_cascade, cv2.imread(sys.argv[1]))
print("Faces found:", len(faces))
print(faces)

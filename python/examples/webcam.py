"""Draws boxes about the faces that a camera sees, or a film. The key q ends it.

    python webcam.py [FILM]
"""
import sys

from haarlem import cv2  # instead of: import cv2

face_cascade = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_default.xml")
cap = cv2.VideoCapture(sys.argv[1] if len(sys.argv) > 1 else 0)

while True:
    ret, frame = cap.read()
    if not ret:
        break
    gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    faces = face_cascade.detectMultiScale(gray, 1.3, 5)
    for (x, y, w, h) in faces:
        cv2.rectangle(frame, (x, y), (x + w, y + h), (255, 0, 0), 2)
    print(len(faces), "faces", *(tuple(int(v) for v in f) for f in faces))
    cv2.imshow("faces", frame)
    if cv2.waitKey(1) & 0xFF == ord("q"):
        break

cap.release()
cv2.destroyAllWindows()

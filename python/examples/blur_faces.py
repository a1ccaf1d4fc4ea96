"""Makes faces unrecognisable.

    python blur_faces.py PICTURE RESULT
"""
import sys

from haarlem import cv2  # instead of: import cv2

cascade = cv2.CascadeClassifier()
if not cascade.load(cv2.data.haarcascades + "haarcascade_frontalface_alt.xml"):
    print("--(!)Error loading face cascade")
    exit(1)

image = cv2.imread(sys.argv[1])
result = image.copy()
gray = cv2.equalizeHist(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
for (x, y, w, h) in cascade.detectMultiScale(gray, 1.05, 3, 0 | cv2.CASCADE_SCALE_IMAGE, (20, 20), (200, 200)):
    face = image[y : y + h, x : x + w]
    result[y : y + face.shape[0], x : x + face.shape[1]] = cv2.GaussianBlur(face, (23, 23), 30)
    print("blurred", x, y, w, h)
cv2.imwrite(sys.argv[2], result)

"""Lists the faces of all pictures in a folder, with several processes.

    python batch_folder.py FOLDER
"""
import glob
import multiprocessing
import os
import sys

from haarlem import cv2  # instead of: import cv2

cascade = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_alt2.xml")


def faces_of(path):
    gray = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    if gray is None:
        return path, None
    return path, [tuple(int(v) for v in face) for face in cascade.detectMultiScale(gray)]


if __name__ == "__main__":
    faces_of(sys.argv[1])  # warm up
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        for path, faces in pool.map(faces_of, sorted(glob.glob(os.path.join(sys.argv[1], "*")))):
            print(os.path.basename(path), "no picture" if faces is None else faces)

#!/usr/bin/env python3
"""How long cv2.CascadeClassifier of OpenCV 4 and ours take, in one process and by turns.

    python python/bench/speed.py [ROUNDS]

Needs opencv-python 4, haarlem and opencv-data. Prints the least milliseconds a picture:
by the clock, and of processor time, which says more where other programs run too.
"""

import os
import sys
import time

import cv2

import haarlem

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STOCK = "/usr/share/opencv4"
CASCADES = [
    os.path.join(STOCK, "haarcascades", "haarcascade_frontalface_default.xml"),
    os.path.join(STOCK, "haarcascades", "haarcascade_frontalface_alt2.xml"),
    os.path.join(STOCK, "lbpcascades", "lbpcascade_frontalface.xml"),
]


def processor():
    with open("/proc/cpuinfo") as f:
        return next(line.split(":")[1].strip() for line in f if line.startswith("model name"))


def milliseconds(f):
    clock, used = time.perf_counter(), time.process_time()
    f()
    return (time.perf_counter() - clock) * 1000, (time.process_time() - used) * 1000


def main(rounds):
    print(f"{processor()}, OpenCV {cv2.__version__}, haarlem {haarlem.__version__}; scaleFactor 1.1, minNeighbors 3, grey picture, {rounds} rounds by turns; least ms by the clock/of the processor")
    print()
    print("| cascade | picture | threads | cv2 | haarlem | times as fast |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    group = cv2.imread(os.path.join(ROOT, "samples", "group.png"), cv2.IMREAD_GRAYSCALE)
    for path in CASCADES:
        theirs, ours = cv2.CascadeClassifier(path), haarlem.CascadeClassifier(path)
        for size in (640, 480), (1920, 1080):
            picture = cv2.resize(group, size, interpolation=cv2.INTER_AREA if size[0] < 800 else cv2.INTER_CUBIC)
            for threads in 1, 2:
                cv2.setNumThreads(threads)
                haarlem.set_num_threads(threads)
                a, b = theirs.detectMultiScale(picture), ours.detectMultiScale(picture)
                if sorted(map(tuple, a)) != sorted(map(tuple, b)) and threads == 1:
                    raise SystemExit(f"{path}: {a} and {b} are not the same")
                times = [], []
                for _ in range(rounds):
                    times[0].append(milliseconds(lambda: theirs.detectMultiScale(picture)))
                    times[1].append(milliseconds(lambda: ours.detectMultiScale(picture)))
                (clock, used), (our_clock, our_used) = (map(min, zip(*t)) for t in times)
                name = os.path.basename(path)[:-4]
                print(f"| {name} | {size[0]}x{size[1]} | {threads} | {clock:.1f}/{used:.1f} | {our_clock:.1f}/{our_used:.1f} | {clock / our_clock:.1f}/{used / our_used:.1f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)

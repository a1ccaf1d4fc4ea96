"""Programs as tutorials have them run with OpenCV 5 as they run with OpenCV 4: one line,
the import, is another. HAARLEM_PYTHON4 names a Python with opencv-python 4, whose output
is compared then."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy

from pictures import ROOT, sample

try:
    import cv2
except ImportError:
    cv2 = None

EXAMPLES = os.path.join(ROOT, "python", "examples")
OPENCV = "/usr/share/opencv4"
OURS, THEIRS = "from haarlem import cv2  # instead of: import cv2\n", "import cv2\n"

# A screen that nobody sees, and OpenCV 4's order with one thread.
RUNNER = """
import runpy, sys
import cv2
cv2.setNumThreads(1)
shown = []
cv2.imshow = lambda name, picture: shown.append(picture.shape)
cv2.waitKey = lambda delay=0: -1
cv2.destroyAllWindows = lambda: None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
print("shown:", shown)
"""


@unittest.skipUnless(cv2 and os.path.isdir(OPENCV), "no cv2 or no opencv-data here")
class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.at = lambda cls, *path: os.path.join(cls.folder, *path)
        group = sample("group.png")
        os.mkdir(cls.at(cls, "pictures"))
        for k, part in enumerate((group, group[:, ::-1], group[100:400, 200:600])):
            cv2.imwrite(cls.at(cls, "pictures", f"{k}.png"), part)
        with open(cls.at(cls, "pictures", "notes.txt"), "w") as f:
            f.write("no picture\n")
        shutil.copy(os.path.join(OPENCV, "lbpcascades", "lbpcascade_frontalface.xml"), cls.folder)
        film = cv2.VideoWriter(cls.at(cls, "film.avi"), cv2.VideoWriter_fourcc(*"FFV1"), 10, (400, 300))
        assert film.isOpened()
        for k in range(4):
            film.write(numpy.ascontiguousarray(group[80:380, 40 * k : 40 * k + 400]))
        film.release()

    def run_program(self, name, args, python, first, cascades=os.path.join(OPENCV, "haarcascades")):
        """The output of a program whose import is the line first."""
        with open(os.path.join(EXAMPLES, name + ".py")) as f:
            text = f.read()
        self.assertEqual(text.count(OURS), 1, name)
        path = self.at(name + ".py")
        with open(path, "w") as f:
            f.write(text.replace(OURS, first))
        with open(self.at("runner.py"), "w") as f:
            f.write(RUNNER)
        env = dict(os.environ, HAARLEM_CASCADES=cascades)
        done = subprocess.run([python, "runner.py", path] + args, cwd=self.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, 0, f"{name}: {done.stdout}{done.stderr}")
        return done.stdout

    def program(self, name, *args, least):
        """Runs a program, which must print so many lines, and compares."""
        args = [self.at(a) if os.path.exists(self.at(a)) else a for a in args]
        got = self.run_program(name, args, sys.executable, OURS)
        self.assertGreaterEqual(len(got.splitlines()), least, got)
        python4 = os.environ.get("HAARLEM_PYTHON4")
        if python4:
            self.assertEqual(got, self.run_program(name, args, python4, THEIRS), name)
        return got

    def test_webcam(self):
        got = self.program("webcam", "film.avi", least=5)
        self.assertIn("shown: [(300, 400, 3), (300, 400, 3), (300, 400, 3), (300, 400, 3)]", got)

    def test_eyes_in_faces(self):
        self.assertIn("  eye", self.program("eyes_in_faces", "pictures/0.png", least=10))

    def test_smile(self):
        self.program("smile", "pictures/0.png", least=6)

    def test_save_crops(self):
        self.program("save_crops", "pictures/0.png", least=5)
        self.assertTrue(os.path.exists(self.at("face_0.png")))

    def test_blur_faces(self):
        self.program("blur_faces", "pictures/0.png", "blurred.png", least=5)
        self.assertFalse(numpy.array_equal(cv2.imread(self.at("blurred.png")), cv2.imread(self.at("pictures", "0.png"))))

    def test_count_faces(self):
        self.assertIn("Found 11 faces!", self.program("count_faces", "pictures/0.png", least=2))

    def test_batch_folder(self):
        self.assertIn("notes.txt no picture", self.program("batch_folder", "pictures", least=4))

    def test_lbp(self):
        self.program("lbp", "pictures/0.png", least=2)

    def test_side_profile(self):
        self.program("side_profile", "pictures/0.png", least=2)

    def test_weights(self):
        self.assertIn("certain: [", self.program("weights", "pictures/0.png", least=10))

    # Without OpenCV's files, faces are found by our model under OpenCV's names.
    @unittest.skipIf(cv2 and os.path.exists(os.path.join(cv2.data.haarcascades, "haarcascade_eye.xml")), "this cv2 has files")
    def test_own_model(self):
        got = self.run_program("count_faces", [self.at("pictures", "0.png")], sys.executable, OURS, cascades="")
        self.assertIn("Found 11 faces!", got)

    @unittest.skipIf(cv2 and os.path.exists(os.path.join(os.path.dirname(cv2.__file__), "data", "haarcascade_eye.xml")), "this cv2 has files")
    def test_missing_data_folder(self):
        from haarlem import cv2 as ours

        data = os.path.join(os.path.dirname(ours.__file__), "data")
        for path in (("haarcascade_eye.xml",), ("haarcascades", "haarcascade_eye.xml"), ("lbpcascades", "lbpcascade_frontalface.xml")):
            self.assertFalse(ours.CascadeClassifier(os.path.join(data, *path)).empty(), path)
        with self.assertWarnsRegex(RuntimeWarning, "does not come with Haarlem"):
            self.assertTrue(ours.CascadeClassifier(os.path.join(data, "none.xml")).empty())


TYPED = """
import os
from haarlem import cv2

cascade = cv2.CascadeClassifier(os.path.join(os.path.dirname(cv2.__file__), "data", "haarcascade_eye.xml"))
picture = cv2.imread("group.png")
for x, y, w, h in cascade.detectMultiScale(picture, 1.1, 3, minSize=(20, 20)):
    cv2.rectangle(picture, (x, y), (x + w, y + h), (0, 255, 0))
print(cv2.data.haarcascades, cv2.CASCADE_SCALE_IMAGE)
"""


@unittest.skipUnless(importlib.util.find_spec("mypy"), "no mypy here")
class Types(unittest.TestCase):
    def check(self, *command):
        done = subprocess.run([sys.executable, "-m", *command], stdout=subprocess.PIPE, universal_newlines=True)
        return done.returncode, done.stdout

    def test_stubs(self):
        self.assertEqual(self.check("mypy.stubtest", "haarlem", "--ignore-missing-stub")[0], 0)

    def test_program(self):
        self.assertEqual(self.check("mypy", "--strict", "-c", TYPED)[0], 0)
        status, out = self.check("mypy", "--strict", "-c", TYPED + "cascade.detectMultiscale(picture)\n")
        self.assertIn('"CascadeClassifier" has no attribute "detectMultiscale"', out)
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()

"""Equal arrays from cv2.CascadeClassifier of OpenCV 4 and from ours, in one process.

    python -m unittest discover -s python/tests      with opencv-python 4 installed

HAARLEM_CALLS and HAARLEM_SEED are how many random calls there are, and which.
"""

import os
import pathlib
import signal
import tempfile
import threading
import unittest
import warnings

import numpy

import haarlem
from haarlem._process import Process
from pictures import MODEL, ROOT, SOFT, cascades, random_picture, sample

try:
    import cv2
except ImportError:
    cv2 = None

CALLS = int(os.environ.get("HAARLEM_CALLS", "600"))
SEED = int(os.environ.get("HAARLEM_SEED", "1"))


def outcome(f):
    """What f returns, or what it raises if it is cv2.error."""
    try:
        return f()
    except cv2.error as e:
        return type(e)


def difference(got, want):
    """How two results differ, or None."""
    if isinstance(want, tuple) and want and isinstance(got, tuple):
        parts = [difference(a, b) for a, b in zip(got, want)]
        if len(got) != len(want):
            return f"{len(got)} results, want {len(want)}"
        return next((p for p in parts if p), None)
    if type(got) is not type(want):
        return f"{got!r}, want {want!r}"
    if isinstance(want, numpy.ndarray):
        if got.dtype != want.dtype or got.shape != want.shape or not numpy.array_equal(got, want):
            return f"{got.dtype} {got.shape} {got!r}, want {want.dtype} {want.shape} {want!r}"
        if not (got.flags.c_contiguous and got.flags.writeable):
            return "an array that is not one's own"
        return None
    return None if got == want else f"{got!r}, want {want!r}"


@unittest.skipUnless(hasattr(cv2, "CascadeClassifier") and cv2.__version__ < "5", "no opencv-python 4 here")
class Parity(unittest.TestCase):
    def setUp(self):
        cv2.setNumThreads(1)  # with more, OpenCV's order is any

    def same(self, got, want, where):
        d = difference(got, want)
        if d:
            self.fail(f"{where}: {d}")

    def test_random_calls(self):
        r = numpy.random.default_rng(SEED)
        stock, drawn = cascades()
        self.assertGreaterEqual(len(stock), 20, "opencv-data is not installed")
        wholes = [sample("group.png"), sample("room.png")]
        pairs, found, empty, errors, kinds = {}, 0, 0, 0, set()
        for call in range(CALLS):
            kind = r.integers(0, 3)  # those that were trained for what is seen find most
            names = [n for n in stock if "face" in n or "eye" in n] if kind == 0 else drawn if kind == 1 else stock + drawn
            path = names[int(r.integers(0, len(names)))]
            if path not in pairs:
                pairs[path] = cv2.CascadeClassifier(path), haarlem.CascadeClassifier(path)
                kinds.add(pairs[path][1].getFeatureType())
            theirs, ours = pairs[path]
            picture = random_picture(r, wholes[int(r.integers(0, 2))])
            height, width = picture.shape[:2]
            kwargs = {}
            if r.integers(0, 4):
                kwargs["scaleFactor"] = float(r.choice([1.03, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3.7]))
            if r.integers(0, 3):
                kwargs["minNeighbors"] = int(r.choice([-1, 0, 0, 0, 1, 1, 2, 3, 5]))
            if not r.integers(0, 3):
                kwargs["flags"] = int(r.integers(0, 16))
            if not r.integers(0, 2):
                kwargs["minSize"] = tuple(int(v) for v in r.integers(-1, (width // 4, height // 4)))
            if not r.integers(0, 4):
                kwargs["maxSize"] = tuple(int(v) for v in r.integers(-1, (width + 5, height + 5)))
            method = ("detectMultiScale", "detectMultiScale2", "detectMultiScale3")[int(r.integers(0, 3))]
            if method == "detectMultiScale3" and r.integers(0, 6):
                kwargs["outputRejectLevels"] = bool(r.integers(0, 10))
            args = [picture]
            if not r.integers(0, 3):  # by position, as far as they go
                for name in ("scaleFactor", "minNeighbors", "flags", "minSize", "maxSize", "outputRejectLevels"):
                    if name not in kwargs:
                        break
                    args.append(kwargs.pop(name))
            want = outcome(lambda: getattr(theirs, method)(*args, **kwargs))
            got = outcome(lambda: getattr(ours, method)(*args, **kwargs))
            where = f"seed {SEED}, call {call}: {os.path.basename(path)} {method} {picture.shape} {args[1:]} {kwargs}"
            self.same(got, want, where)
            if want is cv2.error:
                errors += 1
            else:
                boxes = want if method == "detectMultiScale" else want[0]
                found += len(boxes)
                empty += not len(boxes)
        print(f"{CALLS} calls, {len(pairs)} cascades: {found} boxes, {empty} times none, {errors} errors")
        # Too little of anything would test nothing.
        self.assertEqual(kinds, {0, 1})
        self.assertGreater(found, 5 * CALLS)
        self.assertGreater(empty, CALLS // 20)
        self.assertLess(empty, CALLS * 2 // 3)
        self.assertGreater(errors, 0)

    def test_group_rectangles(self):
        r, groups = numpy.random.default_rng(SEED), 0
        for call in range(400):
            n, side = int(r.integers(0, 80)), int(r.integers(5, 60))
            boxes = [[int(r.integers(-20, 80)), int(r.integers(-20, 80)), int(r.integers(side, side + 15)), int(r.integers(side, side + 15))] for _ in range(n)]
            args = [boxes, int(r.integers(-1, 5))] + ([float(r.choice([0.2, 0.5, 0.1]))] if r.integers(0, 2) else [])
            got = haarlem.groupRectangles(*args)
            self.same(got, cv2.groupRectangles(*args), f"call {call}: {args}")
            groups += len(got[0])
        self.assertGreater(groups, 400)

    def test_reading_and_converting(self):
        """Out of a cv2.FileStorage, and written as a new file, a cascade is the same."""
        stock, drawn = cascades()
        picture = sample("group.png")[:300, :400]
        old = [p for p in stock if p.endswith("licence_plate_rus_16stages.xml")]
        some = [p for p in stock if os.path.basename(p) in ("haarcascade_smile.xml", "lbpcascade_frontalface.xml")]
        self.assertEqual((len(old), len(some)), (1, 2))
        with tempfile.TemporaryDirectory() as folder:
            to = os.path.join(folder, "new.xml")
            for path in old + some + drawn[:3] + [MODEL]:
                want = cv2.CascadeClassifier(path).detectMultiScale3(picture, 1.2, 0, outputRejectLevels=True)
                storage, ours = cv2.FileStorage(path, cv2.FILE_STORAGE_READ), haarlem.CascadeClassifier()
                self.assertIs(ours.read(storage.getFirstTopLevelNode()), True)
                self.same(ours.detectMultiScale3(picture, 1.2, 0, outputRejectLevels=True), want, path)
                self.assertIs(cv2.CascadeClassifier.convert(path, to), path in old)
                self.assertIs(haarlem.CascadeClassifier.convert(path, to), True)
                self.same(cv2.CascadeClassifier(to).detectMultiScale3(picture, 1.2, 0, outputRejectLevels=True), want, path)
            os.remove(to)
            for bad in ("/nowhere", to), (os.path.join(ROOT, "LICENSE"), to), (SOFT, to), (MODEL, os.path.join(folder, "none", "new.xml")):
                self.assertIs(haarlem.CascadeClassifier.convert(*bad), False)
            self.assertFalse(os.path.exists(to))
        storage = cv2.FileStorage(MODEL, cv2.FILE_STORAGE_READ)
        for node in storage.root(), cv2.FileNode():
            for c in cv2.CascadeClassifier(MODEL), haarlem.CascadeClassifier(MODEL):
                self.assertIs(c.read(node), False)
                self.assertIs(c.empty(), True)
        for c in cv2.CascadeClassifier, haarlem.CascadeClassifier:
            for call in (lambda: c().read(5)), (lambda: c.convert(5, "new.xml")), (lambda: c.convert(MODEL, pathlib.Path("new.xml"))):
                with self.assertRaises(TypeError):
                    call()

    def test_many_threads_find_the_same_set(self):
        cv2.setNumThreads(0)
        picture = sample("group.png")
        theirs, ours = cv2.CascadeClassifier(MODEL), haarlem.CascadeClassifier(MODEL)
        want = theirs.detectMultiScale(picture, minNeighbors=0)
        got = ours.detectMultiScale(picture, minNeighbors=0)
        self.assertEqual(sorted(map(tuple, got)), sorted(map(tuple, want)))

    # What is no picture, or no argument, is treated as there.
    def test_arguments(self):
        theirs, ours = cv2.CascadeClassifier(MODEL), haarlem.CascadeClassifier(MODEL)
        g = cv2.cvtColor(sample("group.png"), cv2.COLOR_BGR2GRAY)[100:300, 200:500]
        pictures = {
            "None": None,
            "a list": [[1, 2], [3, 4]],
            "a text": "abc",
            "a number": 5,
            "float32": g.astype(numpy.float32),
            "uint16": g.astype(numpy.uint16),
            "int8": g.astype(numpy.int8),
            "int64": g.astype(numpy.int64),
            "bool": g > 100,
            "two channels": numpy.zeros((50, 50, 2), numpy.uint8),
            "five channels": numpy.zeros((50, 50, 5), numpy.uint8),
            "one channel": g[:, :, None],
            "empty": numpy.zeros((0, 0), numpy.uint8),
            "no rows": numpy.zeros((0, 5), numpy.uint8),
            "no rows of colour": numpy.zeros((0, 5, 3), numpy.uint8),
            "one dimension": g[0],
            "four dimensions": numpy.zeros((2, 2, 2, 2), numpy.uint8),
            "read only": numpy.frombuffer(g.tobytes(), numpy.uint8).reshape(g.shape),
            "every other column": g[:, ::2],
            "every other row": g[::2],
            "broadcast rows": numpy.broadcast_to(g[0], (60, g.shape[1])),
            "a UMat": cv2.UMat(numpy.ascontiguousarray(g)),
        }
        for name, picture in pictures.items():
            self.same(outcome(lambda: ours.detectMultiScale(picture)), outcome(lambda: theirs.detectMultiScale(picture)), name)
        values = {
            "scaleFactor": [1, 0.5, -1, "a", None, 2, 2000.0, float("nan"), numpy.float32(1.1), numpy.int64(2), True],
            "minNeighbors": [3.0, 3.5, -1, "3", None, True, 2**31, numpy.int64(3), numpy.uint8(2)],
            "flags": [1.0, None, 4, 2**31],
            "minSize": [30, (30,), (30, 30, 30), (30.5, 30), (30.0, 30.0), [30, 30], numpy.array([30, 30]), (), None,
                        "ab", (-5, -5), (2**31, 1), (numpy.int64(30), numpy.int32(40)), (numpy.float32(30), 30)],
            "maxSize": [None, (-5, -5), (0, 50), (50, 0), (-5, 50), (50, -1), (90, 90)],
        }
        for name, all in values.items():
            for v in all:
                kwargs = {name: v}
                self.same(outcome(lambda: ours.detectMultiScale(g, **kwargs)), outcome(lambda: theirs.detectMultiScale(g, **kwargs)), kwargs)
        for v in (1, 0, None, True, False):
            self.same(outcome(lambda: ours.detectMultiScale3(g, outputRejectLevels=v)), outcome(lambda: theirs.detectMultiScale3(g, outputRejectLevels=v)), v)
        blank = numpy.zeros((60, 60), numpy.uint8)
        self.same(ours.detectMultiScale3(blank), theirs.detectMultiScale3(blank), "nothing found")

    def test_loading(self):
        for c in cv2.CascadeClassifier, haarlem.CascadeClassifier:
            with self.subTest(c), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                e = c()
                self.assertIs(e.empty(), True)
                for method in "detectMultiScale", "detectMultiScale2", "detectMultiScale3", "getOriginalWindowSize", "getFeatureType", "isOldFormatCascade":
                    args = [numpy.zeros((9, 9), numpy.uint8)] if method.startswith("detect") else []
                    with self.assertRaises(cv2.error) as raised:
                        getattr(e, method)(*args)
                    self.assertEqual((raised.exception.code, raised.exception.err), (-215, "!empty()"))
                self.assertIs(e.load("/nowhere.xml"), False)
                self.assertIs(c("/nowhere.xml").empty(), True)
                self.assertIs(e.load(MODEL), True)
                self.assertIs(e.empty(), False)
                self.assertEqual((e.getOriginalWindowSize(), e.getFeatureType(), e.isOldFormatCascade()), ((24, 24), 0, False))
                self.assertIs(e.load(filename=pathlib.Path(MODEL)), True)
                self.assertIs(c(filename=MODEL).empty(), False)
                self.assertIs(c(os.fsencode(MODEL)).empty(), False)
                with self.assertRaises(cv2.error):
                    e.load(os.path.join(ROOT, "LICENSE"))
                self.assertIs(e.empty(), True)
                with self.assertRaises(cv2.error):
                    e.load("")
                with self.assertRaises(cv2.error):
                    c(5)
                with self.assertRaises(TypeError):
                    e.load()


class Own(unittest.TestCase):
    """What needs no other detector."""

    def test_detector(self):
        import haarlem._library

        r = numpy.random.default_rng(1)
        for model in "face-fast", SOFT, pathlib.Path(SOFT), pathlib.Path(SOFT).read_bytes():
            d = haarlem.Detector(model, min_size=30, workers=1)
            self.assertEqual(d.detect(r.integers(0, 255, (40, 50), numpy.uint8)), [])
        self.assertTrue(d.calibrated)
        self.assertEqual(len(d.window), 2)
        picture = sample("group.png") if cv2 else None
        if picture is not None:
            found = d.detect(picture)
            self.assertEqual(len(found), 11)
            boxes, scores = d.detect_arrays(picture)
            self.assertEqual([tuple(b) for b in boxes], [f[:4] for f in found])
            self.assertEqual(list(scores), sorted(scores, reverse=True))
            rgb = picture[:, :, ::-1]
            self.assertEqual(d.detect(rgb, "RGB"), found)
            self.assertNotEqual(d.detect(rgb), [])
            wide = numpy.zeros((500, 1000, 3), numpy.uint8)
            wide[:, :800] = picture
            image, keep = haarlem._library.image_of(wide[:, :800], "BGR")
            self.assertEqual((image.pixels, image.stride), (wide.ctypes.data, 3000), "rows were copied")
            self.assertEqual(d.detect(wide[:, :800]), found)
            self.assertEqual(d.detect(numpy.ascontiguousarray(picture[::-1])[::-1]), found)

    def test_colours_matter(self):
        """The default model sees the colours of a picture."""
        picture = sample("group.png") if cv2 else None
        if picture is None:
            self.skipTest("no OpenCV here, which reads the picture")
        picture = numpy.ascontiguousarray(picture)
        picture[:, :, 0] //= 2
        d = haarlem.Detector(min_size=30)
        self.assertNotEqual(d.detect(picture), d.detect(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)))

    def test_landmarks(self):
        r = numpy.random.default_rng(1)
        picture = r.integers(0, 255, (120, 160, 3), numpy.uint8)
        d = haarlem.Detector()
        for model, count in ("face5", 5), ("face68", 68):
            points = haarlem.Landmarks(model).find(picture, (40, 30, 60, 70), d)
            self.assertEqual(points.shape, (count, 2))
            self.assertTrue(((points > 0) & (points < 160)).all(), points)
        self.assertFalse(numpy.array_equal(points, haarlem.Landmarks("face68").find(picture, (40, 30, 60, 70), haarlem.Detector("frontalface-opencv"))))
        for call, kind in (
            (lambda: haarlem.Landmarks("face6"), OSError),
            (lambda: haarlem.Landmarks(b"face5"), ValueError),
            (lambda: haarlem.Landmarks().find(picture, (40, 30, 0, 70)), ValueError),
            (lambda: haarlem.Landmarks().find(picture[:0], (40, 30, 60, 70)), ValueError),
        ):
            with self.assertRaises(kind):
                call()

    def test_tracker(self):
        face = haarlem.Detection(10, 20, 40, 50, 0.9, 4)
        t = haarlem.Tracker(size=(300, 200))
        self.assertEqual(t.update([face], 0), [])
        [k] = t.update([face._replace(x=12)], 0.04)
        self.assertEqual((k.number, k.detection, k.misses, k.score), (1, 0, 0, 0.9))
        picture = numpy.zeros((200, 300), numpy.uint8)
        [k] = t.update([], 0.08, picture)
        self.assertEqual((k.number, k.detection, k.misses), (1, None, 1))
        many = [face._replace(x=70 * (i % 4), y=12 * i) for i in range(10)]
        t = haarlem.Tracker(hits=1)
        self.assertEqual([k.number for k in t.update(many, 0)], list(range(1, 11)))
        with self.assertRaises(ValueError):
            t.update(many, -1)
        with self.assertRaises(ValueError):
            haarlem.Tracker(overlap=2)

    def test_convert(self):
        picture = numpy.random.default_rng(2).integers(0, 255, (120, 160), numpy.uint8)
        drawn = cascades()[1][0]
        want = haarlem.Detector(drawn, ungrouped=True).detect(picture)
        self.assertTrue(want)
        with tempfile.TemporaryDirectory() as folder:
            native, xml = os.path.join(folder, "a.cascade"), pathlib.Path(folder, "b.XML")
            haarlem.convert(drawn, native)
            haarlem.convert(pathlib.Path(native).read_bytes(), xml)
            for path in native, xml:
                self.assertEqual(haarlem.Detector(path, ungrouped=True).detect(picture), want)
            self.assertEqual(xml.read_bytes()[:5], b"<?xml")
            with self.assertRaisesRegex(ValueError, "OpenCV's format"):
                haarlem.convert("face", os.path.join(folder, "c.xml"))
            self.assertEqual(len(os.listdir(folder)), 2)

    def test_detector_errors(self):
        d = haarlem.Detector()
        for kind, f in (
            (ValueError, lambda: haarlem.Detector(scale=1)),
            (ValueError, lambda: haarlem.Detector(min_neighbors=0)),
            (ValueError, lambda: haarlem.Detector(workers=-1)),
            (ValueError, lambda: haarlem.Detector(b"no model")),
            (OSError, lambda: haarlem.Detector("/nowhere.cascade")),
            (OSError, lambda: haarlem.Detector(str(MODEL) + "\0b")),
            (FileNotFoundError, lambda: haarlem.Detector("frontal-face")),
            (TypeError, lambda: d.detect("a.jpg")),
            (TypeError, lambda: d.detect(numpy.zeros((5, 5)))),
            (ValueError, lambda: d.detect(numpy.zeros((5, 5, 2), numpy.uint8))),
            (ValueError, lambda: d.detect(numpy.zeros(5, numpy.uint8))),
            (ValueError, lambda: d.detect(numpy.zeros((5, 5), numpy.uint8), "BGR")),
            (ValueError, lambda: d.detect(numpy.zeros((5, 5, 3), numpy.uint8), "YUV")),
        ):
            with self.assertRaises(kind):
                f()

    def test_threads(self):
        c = haarlem.CascadeClassifier(MODEL)
        picture = numpy.random.default_rng(2).integers(0, 255, (120, 160), numpy.uint8)
        want, bad = c.detectMultiScale2(picture, 1.2, 0), []

        def work(k):
            own = haarlem.CascadeClassifier(MODEL)
            for _ in range(3):
                for x in (c, own):
                    if difference(x.detectMultiScale2(picture, 1.2, 0), want):
                        bad.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(16)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(bad, [])

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_fork(self):
        """A child, and a child of its own, go on with what their parent has opened."""
        c = haarlem.CascadeClassifier(MODEL)
        picture = numpy.random.default_rng(2).integers(0, 255, (120, 160), numpy.uint8)
        want = c.detectMultiScale2(picture, 1.2, 0)
        children = []
        for _ in range(3):
            pid = os.fork()
            if pid == 0:
                same = difference(c.detectMultiScale2(picture, 1.2, 0), want) is None
                grandchild = os.fork()
                if grandchild == 0:
                    os._exit(0 if difference(c.detectMultiScale2(picture, 1.2, 0), want) is None else 1)
                os._exit(0 if same and os.waitpid(grandchild, 0)[1] == 0 else 1)
            children.append(pid)
        for pid in children:
            self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertIsNone(difference(c.detectMultiScale2(picture, 1.2, 0), want))

    def test_ended_program(self):
        """Where the library is a program, another one goes on after it was lost."""
        program = haarlem._library.library()
        if not isinstance(program, Process):
            self.skipTest("the library is none")
        c, t = haarlem.CascadeClassifier(MODEL), haarlem.Tracker()
        picture = numpy.random.default_rng(2).integers(0, 255, (120, 160), numpy.uint8)
        want = c.detectMultiScale2(picture, 1.2, 0)
        program._process.kill()
        with self.assertRaisesRegex(Exception, "its process has ended"):
            c.detectMultiScale2(picture, 1.2, 0)
        self.assertIsNone(difference(c.detectMultiScale2(picture, 1.2, 0), want))
        with self.assertRaises(ValueError):
            t.update([], 0)

        # A signal's exception in the middle of a call is no answer to the next.
        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        before = signal.signal(signal.SIGALRM, ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with self.assertRaises(Alarm):
                for _ in range(1000):
                    c.detectMultiScale2(numpy.tile(picture, (8, 8)), 1.01, 0)
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertIsNone(difference(c.detectMultiScale2(picture, 1.2, 0), want))
        for c in [haarlem.CascadeClassifier(MODEL) for _ in range(20)]:
            pass
        self.assertEqual(len(haarlem._library.library()._closing), 20)
        c.detectMultiScale2(picture, 1.2, 0)
        self.assertFalse(haarlem._library.library()._closing)

    def test_data(self):
        folder = haarlem.data.haarcascades
        for name in "default", "alt", "alt2", "alt_tree":
            path = f"{folder}haarcascade_frontalface_{name}.xml"
            self.assertEqual(haarlem.data.find(path), path)
            self.assertIs(haarlem.CascadeClassifier(path).empty(), False)
        with self.assertWarnsRegex(RuntimeWarning, "HAARLEM_CASCADES"):
            self.assertIs(haarlem.CascadeClassifier(folder + "haarcascade_nothing.xml").empty(), True)
        os.environ["HAARLEM_CASCADES"] = os.path.dirname(MODEL)
        try:
            chosen = haarlem.data.haarcascades
            self.assertEqual(chosen, os.path.dirname(MODEL) + os.sep)
            self.assertIs(haarlem.CascadeClassifier(chosen + "frontalface-opencv.xml").empty(), False)
            self.assertIs(haarlem.CascadeClassifier(chosen + "haarcascade_frontalface_alt.xml").empty(), False)
        finally:
            del os.environ["HAARLEM_CASCADES"]

    def test_stubs_name_what_there_is(self):
        """Each public name has a type, with the parameters that it has."""
        import ast
        import inspect

        with open(os.path.join(os.path.dirname(haarlem.__file__), "__init__.pyi"), encoding="utf-8") as f:
            tree = ast.parse(f.read())
        classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
        functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
        values = {n.target.id for n in tree.body if isinstance(n, ast.AnnAssign)}
        for name in haarlem.__all__:
            self.assertTrue(name == "data" or name in classes or name in functions or name in values, name)
        for cls in "Detector", "CascadeClassifier":
            methods = {n.name: n for n in classes[cls].body if isinstance(n, ast.FunctionDef)}
            real = {n: m for n, m in vars(getattr(haarlem, cls)).items() if not n.startswith("_") and callable(m)}
            self.assertEqual({n for n in methods if n != "__init__"} - {"window", "calibrated"}, set(real))
            for n, m in real.items():
                a = methods[n].args
                self.assertEqual([p.arg for p in a.args + a.kwonlyargs], list(inspect.signature(m).parameters), n)


if __name__ == "__main__":
    unittest.main()

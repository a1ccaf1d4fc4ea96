"""The wheels in the folder HAARLEM_DIST are what they say. The library in each runs: the
one for another processor in QEMU. That for Windows is only looked at."""

import base64
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

from pictures import ROOT, SOFT

DIST = os.environ.get("HAARLEM_DIST", "")
CHECKS = os.path.join(ROOT, "capi", "testdata", "checks.c")
MACHINES = {"x86_64": 62, "aarch64": 183}  # e_machine of ELF
RUN = {
    "x86_64": ("cc", []),
    "aarch64": ("aarch64-linux-gnu-gcc", ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"]),
}


@unittest.skipUnless(DIST, "HAARLEM_DIST names no folder with wheels")
class Wheel(unittest.TestCase):
    def wheels(self):
        found = sorted(glob.glob(os.path.join(DIST, "*.whl")))
        self.assertTrue(found, DIST)
        names = re.compile("-(musllinux|macosx)_[0-9]+_[0-9]+_(?:x86_64|aarch64|arm64).whl|win_amd64|(?:x86_64|aarch64)")
        return [(os.path.basename(p), zipfile.ZipFile(p), next(filter(None, names.search(os.path.basename(p)).group(1, 0)))) for p in found]

    def linux(self):
        return [w for w in self.wheels() if w[2] in MACHINES]

    def test_contents(self):
        for name, z, arch in self.wheels():
            with self.subTest(name), z:
                names = z.namelist()
                for n in ("__init__.py", "__init__.pyi", "cv2.py", "cv2.pyi", "py.typed", "data/__init__.py"):
                    self.assertIn("haarlem/" + n, names)
                with open(os.path.join(ROOT, "models", "stock", "names.txt"), encoding="utf-8") as f:
                    self.assertLessEqual({"haarlem/data/" + line.split()[0] for line in f}, set(names))
                self.assertIn("haarlem/" + ("libhaarlem.so" if arch in MACHINES else "haarlem.dll" if arch == "win_amd64" else "haarlem"), names)
                base = "-".join(name.split("-")[:2]) + ".dist-info/"
                self.assertLessEqual({base + n for n in ("LICENSE", "NOTICE", "licences/go/LICENSE", "licences/golang.org/x/sys/LICENSE")}, set(names))
                record = dict(line.split(",", 1) for line in z.read(base + "RECORD").decode().splitlines())
                self.assertEqual(set(record), set(names))
                for n in names:
                    if n != base + "RECORD":
                        digest = base64.urlsafe_b64encode(hashlib.sha256(z.read(n)).digest()).rstrip(b"=").decode()
                        self.assertEqual(record[n], f"sha256={digest},{z.getinfo(n).file_size}")

    def test_tag_is_honest(self):
        """What readelf sees of glibc is no newer than the tag."""
        for name, z, arch in self.linux():
            with self.subTest(name), z, tempfile.TemporaryDirectory() as folder:
                path = z.extract("haarlem/libhaarlem.so", folder)
                with open(path, "rb") as f:
                    head = f.read(20)
                self.assertEqual(int.from_bytes(head[18:20], "little"), MACHINES[arch])
                needs = subprocess.run(["readelf", "--version-info", "--dynamic", path], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
                versions = [tuple(map(int, v.split(".")[:2])) for v in re.findall(r"GLIBC_(\d+\.[\d.]+)", needs)]
                tag = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)", name).groups()))
                self.assertTrue(versions)
                self.assertLessEqual(max(versions), tag)
                self.assertEqual(set(re.findall(r"Shared library: \[(\w+)", needs)) - {"libc", "libpthread", "libdl", "ld"}, set())
                if max(versions) > (2, 17):
                    self.assertEqual(max(versions), tag)

    def test_programs(self):
        """The programs of wheels without a library need no libc, and can be started."""
        for name, z, system in self.wheels():
            if system not in ("musllinux", "macosx"):
                continue
            with self.subTest(name), z, tempfile.TemporaryDirectory() as folder:
                self.assertEqual(z.getinfo("haarlem/haarlem").external_attr >> 16, 0o755)
                path = z.extract("haarlem/haarlem", folder)
                with open(path, "rb") as f:
                    head = f.read(20)
                arm = "x86_64" not in name
                if system == "macosx":  # 64 bits, and the processor
                    self.assertEqual(head[:8].hex(), "cffaedfe0c000001" if arm else "cffaedfe07000001")
                    continue
                self.assertEqual(int.from_bytes(head[18:20], "little"), MACHINES["aarch64" if arm else "x86_64"])
                needs = subprocess.run(["readelf", "--program-headers", "--dynamic", path], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
                self.assertIn("LOAD", needs)
                self.assertNotRegex(needs, "INTERP|NEEDED")
                os.chmod(path, 0o755)
                # A request for the names, and an answer.
                done = subprocess.run((["qemu-aarch64-static"] if arm else []) + [path], input=b"\1\0\0\0\1", stdout=subprocess.PIPE, check=True)
                self.assertRegex(done.stdout[8:], rb"^\d+\.\d+\.\d+\nface\n")

    def test_windows(self):
        """The library exports what the header declares, and needs what each Windows has."""
        with open(os.path.join(ROOT, "capi", "haarlem.h")) as f:
            declared = re.findall(r"(?m)^[a-z].*?\b(haarlem_\w+)\(", f.read())
        windows = [w for w in self.wheels() if w[2] == "win_amd64"]
        if not windows:
            self.skipTest("no wheel for Windows")
        for name, z, _ in windows:
            with self.subTest(name), z, tempfile.TemporaryDirectory() as folder:
                path = z.extract("haarlem/haarlem.dll", folder)
                text = subprocess.run(["objdump", "-p", path], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
                self.assertIn("pei-x86-64", text)
                exported = re.findall(r"(?m)^\s*\[ *\d+\] (?:\+base\[ *\d+\] +\w+ )?([a-z]\w+)$", text)
                self.assertEqual(sorted(exported), sorted(declared))
                self.assertLessEqual(set(re.findall(r"DLL Name: (\S+)", text)), {"KERNEL32.dll", "msvcrt.dll"})

    def test_library_runs(self):
        for name, z, arch in self.linux():
            compiler, emulator = RUN[arch]
            with self.subTest(name), z, tempfile.TemporaryDirectory() as folder:
                for tool in [compiler] + emulator[:1]:
                    self.assertTrue(shutil.which(tool), tool)
                lib = z.extract("haarlem/libhaarlem.so", folder)
                os.rename(lib, os.path.join(folder, "libhaarlem.so.1"))
                program = os.path.join(folder, "checks")
                # RPATH, since an emulator does not hand its own LD_LIBRARY_PATH on.
                subprocess.run(
                    [compiler, CHECKS, "-I", os.path.join(ROOT, "capi"), os.path.join(folder, "libhaarlem.so.1"), "-pthread", "-Wl,-rpath," + folder, "-o", program],
                    check=True,
                )
                golden = os.path.join(ROOT, "cascade", "detector", "testdata", "parity", "upright-stumps.xml")
                picture = os.path.join(folder, "picture.pgm")
                pixels = bytes((x * x // 7 + y * 3 ^ x * y // 11) & 255 for y in range(70) for x in range(90))
                with open(picture, "wb") as f:
                    f.write(b"P5\n90 70\n255\n" + pixels)
                done = subprocess.run(emulator + [program, picture, golden, SOFT, "quick"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertRegex(done.stdout, r"^1\d\d checks, 0 failed")


if __name__ == "__main__":
    unittest.main()

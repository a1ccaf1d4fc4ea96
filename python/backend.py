#!/usr/bin/env python3
"""Builds wheels. Pip calls it (pyproject.toml), and so may you:

    python3 python/backend.py -out dist                       # for this machine
    python3 python/backend.py -out dist -arch x86_64 -arch aarch64 -arch win_amd64
    python3 python/backend.py -out dist -arch musllinux_1_1_x86_64 -arch macosx_12_0_arm64

It needs Go and, for the first three, a C compiler, and nothing from a package index. The
others, and those of systems that are not listed here, have a program in place of the
library: the loader of musl cannot load a library of Go's. The compiler decides which
Linux systems a wheel runs on: its tag is the newest version of glibc that the library asks
for. With the package ziglang that is 2.17, for both architectures. Otherwise it is gcc, and
aarch64-linux-gnu-gcc (Debian: gcc-aarch64-linux-gnu), and the glibc is that of the machine
that builds. For Windows it is MinGW-w64 (Debian: gcc-mingw-w64-x86-64). CC_x86_64,
CC_aarch64 and CC_win_amd64 name other compilers.
"""

import base64
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# GOOS, GOARCH, and the beginning of the name of GNU's compiler; without one, it is a program.
TARGETS = {
    "x86_64": ("linux", "amd64", "x86_64-linux-gnu-"),
    "aarch64": ("linux", "arm64", "aarch64-linux-gnu-"),
    "win_amd64": ("windows", "amd64", "x86_64-w64-mingw32-"),
    "musllinux_1_1_x86_64": ("linux", "amd64", ""),
    "musllinux_1_1_aarch64": ("linux", "arm64", ""),
    # The first macOS that Go 1.26 runs on.
    "macosx_12_0_x86_64": ("darwin", "amd64", ""),
    "macosx_12_0_arm64": ("darwin", "arm64", ""),
}


def _read(*path):
    with open(os.path.join(HERE, *path), encoding="utf-8") as f:
        return f.read()


def _field(name):
    if name == "version" and os.environ.get("HAARLEM_VERSION"):
        return os.environ["HAARLEM_VERSION"]
    return re.search(r'(?m)^%s = "(.*)"$' % re.escape(name), _read("pyproject.toml")).group(1)


def here():
    """The target that is this machine."""
    machine = platform.machine()
    musl = "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or "")
    known = {"win32": "win_amd64", "linux": ("musllinux_1_1_" if musl else "") + machine, "darwin": "macosx_12_0_" + machine}
    arch = known.get(sys.platform)
    return arch if arch in TARGETS else re.sub("[-.]", "_", sysconfig.get_platform())


def _compiler(arch):
    named = os.environ.get("CC_" + arch)
    if named:
        return named
    if arch != "win_amd64" and importlib.util.find_spec("ziglang"):
        return "%s -m ziglang cc -target %s-linux-gnu.2.17" % (sys.executable, arch)
    if arch == here():
        return os.environ.get("CC", "gcc" if arch == "win_amd64" else "cc")
    return TARGETS[arch][2] + "gcc"


def _library(arch, folder):
    """Builds the library, or the program, in a folder and returns its path."""
    system, goarch, compiler = TARGETS.get(arch, ("", "", ""))
    if not compiler:
        out, mode = os.path.join(folder, "haarlem"), "exe"
    else:
        out, mode = os.path.join(folder, "haarlem.dll" if system == "windows" else "libhaarlem.so"), "c-shared"
    ld = "-s -w -X main.version=" + _field("version")
    if compiler and system == "linux":
        versions = os.path.join(ROOT, "capi", "haarlem.map")
        ld += " -extldflags '-Wl,-soname,libhaarlem.so.1 -Wl,--version-script=%s'" % versions
    env = dict(os.environ, CGO_ENABLED="0", GOOS=system, GOARCH=goarch)
    if compiler:
        env.update(CGO_ENABLED="1", CC=_compiler(arch))
    command = ["go", "build", "-trimpath", "-buildvcs=false", "-buildmode=" + mode, "-ldflags", ld, "-o", out, "./capi"]
    if not shutil.which("go"):
        raise SystemExit("haarlem: building needs Go, and there is no program go on the PATH (https://go.dev/dl)")
    done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode != 0:
        raise SystemExit("haarlem: go build for %s with CC=%s failed:\n%s" % (arch, env.get("CC"), done.stdout))
    return out


def glibc(path):
    """The newest version of glibc that the library asks for, as (major, minor)."""
    with open(path, "rb") as f:
        found = re.findall(rb"GLIBC_(\d+)\.(\d+)(?:\.\d+)?\0", f.read())
    # manylinux2014 is the oldest that anyone tests for.
    return max([(2, 17)] + [(int(a), int(b)) for a, b in found])


def _written(what):
    """The names and contents of the files that internal/release writes: licences, those of
    what the library is linked from too, or cascades under the names of OpenCV's."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["go", "run", "./internal/release", "-" + what, folder], cwd=ROOT, check=True)
        paths = [os.path.join(where, n) for where, _, names in os.walk(folder) for n in names]
        for path in sorted(paths):
            with open(path, "rb") as f:
                yield os.path.relpath(path, folder).replace(os.sep, "/"), f.read()


def tag(path, arch):
    if arch not in ("x86_64", "aarch64"):
        return arch
    major, minor = glibc(path)
    t = "manylinux_%d_%d_%s" % (major, minor, arch)
    return t + ".manylinux2014_" + arch if (major, minor) == (2, 17) else t


def _metadata():
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + _field("name"),
        "Version: " + _field("version"),
        "Summary: " + _field("description"),
        "License: BSD-3-Clause",
        "Requires-Python: " + _field("requires-python"),
        "Requires-Dist: numpy",
        "Description-Content-Type: text/markdown",
    ]
    lines += ["Classifier: " + c for c in re.findall(r'(?m)^\t"(.* :: .*)",$', _read("pyproject.toml"))]
    return "\n".join(lines) + "\n\n" + _read("README.md")


def wheel(arch, out):
    """Writes a wheel into a folder and returns its name."""
    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        library = _library(arch, folder)
        full = "py3-none-" + tag(library, arch)
        base = "%s-%s" % (_field("name"), _field("version"))
        name = "%s-%s.whl" % (base, full)
        files = {}
        for where, folders, names in os.walk(os.path.join(HERE, "haarlem")):
            folders[:] = sorted(d for d in folders if d != "__pycache__")
            for n in sorted(names):
                if n.endswith((".py", ".pyi", "py.typed")):
                    path = os.path.join(where, n)
                    files[os.path.relpath(path, HERE).replace(os.sep, "/")] = path
        program = "haarlem/" + os.path.basename(library)
        files[program] = library
        contents = {}
        for n, path in files.items():
            with open(path, "rb") as f:
                contents[n] = f.read()
        info = base + ".dist-info/"
        contents.update((info + n, data) for n, data in _written("licences"))
        contents.update(("haarlem/data/" + n, data) for n, data in _written("cascades") if n.startswith("haarcascade_"))
        contents[info + "METADATA"] = _metadata().encode()
        contents[info + "WHEEL"] = (
            "Wheel-Version: 1.0\nGenerator: haarlem\nRoot-Is-Purelib: false\n"
            + "".join("Tag: py3-none-%s\n" % t for t in full.split("-", 2)[2].split("."))
        ).encode()
        record = ""
        for n, data in contents.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += "%s,sha256=%s,%d\n" % (n, digest, len(data))
        contents[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
        # The same sources and compiler give the same bytes.
        with zipfile.ZipFile(os.path.join(out, name), "w", zipfile.ZIP_DEFLATED) as z:
            for n, data in contents.items():
                entry = zipfile.ZipInfo(n)
                entry.external_attr = (0o755 if n == program else 0o644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                z.writestr(entry, data)
    return name


# What pip calls (PEP 517).


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return wheel(here(), wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("there is no source distribution: the library is made from the Go sources of the repository")


def main(args):
    out, arches = "dist", []
    while args:
        flag, value = args[0], args[1] if len(args) > 1 else None
        if flag not in ("-out", "-arch") or value is None:
            raise SystemExit("usage: backend.py [-out FOLDER] [-arch %s]..." % "|".join(TARGETS))
        if flag == "-out":
            out = value
        else:
            arches.append(value)
        args = args[2:]
    for arch in arches or ["here"]:
        arch = here() if arch == "here" else arch
        print(os.path.join(out, wheel(arch, out)))


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
"""Pictures for plate: plates.py LP OPEN OUT

LP is the folder LP_Detection of unknowncz/LP_recognition at ecd2518, photographs of Open
Images with boxes. OPEN is the OUT of open.py, for its wallpapers and pages. OUT gets
photographs, copies, backgrounds and lists: train, dev and test, divided as in
models/plate/openimages.txt. Needs Pillow and numpy; other versions give other bytes.
"""
import collections, csv, glob, json, math, os, random, sys
import numpy as np
from PIL import Image

lp, backgrounds, out = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
box = ["x", "y", "width", "height"]


def write(name, rows):
    """rows are (file, box, ignored)"""
    with open(f"{out}/{name}.csv", "w") as o:
        print("file", *box, "ignore", sep=",", file=o)
        for file, b, ignored in rows:
            print(file, *b, ignored, sep=",", file=o)


def copies(rows, seed):
    """Stretched, scaled so that plates are of many sizes, three in five in other hues."""
    by, made = collections.OrderedDict(), []
    for file, b, ignored in rows:
        by.setdefault(file, []).append((b, ignored))
    os.makedirs(f"{out}/c{seed}", exist_ok=True)
    for file, boxes in by.items():
        n = os.path.splitext(os.path.basename(file))[0]
        rnd = random.Random(f"{seed} {n}")
        im = Image.open(f"{out}/{file}").convert("RGB")
        high = rnd.choice([b[3] for b, ignored in boxes if not ignored] or [40])
        s = min(max(math.exp(rnd.uniform(math.log(15), math.log(90))) / high, 0.3), 1.3)
        s = min(s, math.sqrt(700e3 / (im.width * im.height)))
        stretch = math.exp(rnd.uniform(-0.18, 0.18))
        sx, sy = s * stretch, s / stretch
        im = im.resize((max(64, round(im.width * sx)), max(64, round(im.height * sy))), Image.LANCZOS if s < 1 else Image.BICUBIC)
        if rnd.random() < 0.6:
            a = np.asarray(im.convert("YCbCr")).astype(np.float32)
            t = rnd.uniform(0, 2 * math.pi)
            c, d, g = math.cos(t), math.sin(t), rnd.uniform(0.7, 1.3)
            cb, cr = a[..., 1] - 128, a[..., 2] - 128
            a[..., 1], a[..., 2] = 128 + g * (c * cb - d * cr), 128 + g * (d * cb + c * cr)
            im = Image.fromarray(a.clip(0, 255).astype(np.uint8), "YCbCr").convert("RGB")
        im.save(f"{out}/c{seed}/{n}.jpg", quality=rnd.choice([60, 75, 88, 92]))
        made += [(f"c{seed}/{n}.jpg", (round(x * sx), round(y * sy), max(1, round(w * sx)), max(1, round(h * sy))), i) for (x, y, w, h), i in boxes]
    return made


def inner(row):
    """Whether the cascade learns the plate: not small, of a usual shape, not at an edge."""
    (file, (x, y, w, h), _), edge = row, 3
    im = Image.open(f"{out}/{file}")
    return h >= 12 and 1.2 <= w / h <= 4.2 and min(x, y, im.width - x - w, im.height - y - h) >= edge


os.makedirs(f"{out}/photos", exist_ok=True)
labels, unlabelled = collections.defaultdict(list), collections.defaultdict(list)
for part in ("train", "valid"):  # as others divided them
    d = json.load(open(f"{lp}/{part}/_annotations.coco.json"))
    names = {}
    for im in d["images"]:
        number = im["file_name"].split("_")[0]
        names[im["id"]] = number
        if not os.path.exists(f"{out}/photos/{number}.jpg"):
            os.link(f"{lp}/{part}/{im['file_name']}", f"{out}/photos/{number}.jpg")
    for a in d["annotations"]:
        labels[names[a["image_id"]]].append(tuple(a["bbox"]))
for r in csv.DictReader(open(f"{here}/plates-ignored.csv")):
    unlabelled[r["number"]].append(tuple(int(r[k]) for k in box))
part_of = dict(line.split() for line in open(f"{here}/../plate/openimages.txt"))
parts, clean = collections.defaultdict(list), collections.defaultdict(list)
for number in sorted(labels):
    part, file = part_of.get(number, "test"), f"photos/{number}.jpg"
    rows = [(file, b, 0) for b in sorted(labels[number])]
    parts[part] += rows
    clean[part] += rows[:1] + [(file, b, 1) for b in unlabelled[number]] + rows[1:]
for part, rows in parts.items():
    write(part, rows)
write("objects", filter(inner, parts["train"]))
photos = sorted({f for f, _, _ in parts["train"]})
write("train-q", [r for r in parts["train"] if r[0] in photos[:303]])
write("c1-q", [r for r in copies(parts["train"], 1) if r[0].replace("c1/", "photos/") in photos[303:535]])
for part in ("train", "dev", "test"):
    write(part + "2", clean[part])
for seed in (2, 3, 4, 5):
    write(f"c{seed}", copies(clean["train"], seed))
with open(f"{out}/bg-open.txt", "w") as o:
    for line in open(f"{backgrounds}/bg-train.txt"):
        if not line.startswith("lpbg/"):  # photographs of LP
            print(os.path.join(os.path.abspath(backgrounds), line.strip()), file=o)

#!/usr/bin/env python3
"""Pictures for frontalface-open: open.py FAIRFACE LP PACKAGES DOCS OUT

FAIRFACE has train/, val/, train.csv and val.csv, which are the folder fair_face and the two
CSV files of sumanvithaeadala/EthnicityDetection at 9b001ff. LP is the folder LP_Detection of
unknowncz/LP_recognition at ecd2518, photographs of Open Images. PACKAGES has the files of the
Debian packages ukui-wallpapers, lomiri-wallpapers, lomiri-wallpapers-16.04 and -20.04, and
gnome-backgrounds. DOCS are Markdown files whose text is drawn. OUT gets tiles, crops, backgrounds and
lists. Needs Pillow and numpy; other versions of them, and other fonts, give other bytes.
"""
import collections, csv, glob, hashlib, os, random, sys
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

fairface, lp, packages, docs, out = sys.argv[1:]
digest = lambda s: hashlib.sha256(s.encode()).digest()
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../frontalfaceopen")
crop, pad = 112, 28  # a crop's side, and what is put around it
side = crop + 2 * pad
y, x = np.mgrid[0:side, 0:side]
away = np.maximum(np.maximum(pad - x, x - (pad + crop - 1)), np.maximum(pad - y, y - (pad + crop - 1))).clip(0) / pad
blurred = np.clip(away * 1.4, 0, 1)[..., None]


def likeness(name):
    """The local contrast of a crop as a vector of length one."""
    im = Image.open(f"{fairface}/{name}").convert("L").resize((48, 48), Image.LANCZOS)
    d = np.asarray(im, dtype=np.float32) - np.asarray(im.filter(ImageFilter.GaussianBlur(6)), dtype=np.float32)
    s = np.sqrt(np.asarray(Image.fromarray(np.minimum(d * d, 65025)).resize((12, 12), Image.BOX).resize((48, 48), Image.BILINEAR)))
    v = (d / (s + 4))[4:42, 5:43].ravel()
    return v / (np.linalg.norm(v) + 1e-6)


def symmetric(v):
    q = v.reshape(38, 38)
    return (q + q[:, ::-1]).ravel() / 2


def tile(name, mirrored):
    """The crop; mirrored, with its mirror image around it, more blurred away from the crop."""
    im = Image.open(f"{fairface}/{name}").convert("RGB").resize((crop, crop), Image.LANCZOS)
    if not mirrored:
        im.save(f"{out}/crops/" + name.replace("/", "-"), quality=93)
        return
    a = np.pad(np.asarray(im), ((pad, pad), (pad, pad), (0, 0)), mode="symmetric")
    b = np.asarray(Image.fromarray(a).filter(ImageFilter.GaussianBlur(9)))
    Image.fromarray((a * (1 - blurred) + b * blurred + 0.5).astype(np.uint8)).save(f"{out}/tiles/" + name.replace("/", "-"), quality=92)


def faces():
    """For each race the 15 per cent least like the mean face are left out: most are profiles."""
    mean = None
    for part, sets in (("val", (("test", 200),)), ("train", (("train", 1500), ("dev", 160)))):
        rows = list(csv.DictReader(open(f"{fairface}/{part}.csv")))
        vectors = np.stack([likeness(r["file"]) for r in rows])
        if mean is None:
            mean = symmetric(vectors.mean(0))
            for _ in range(3):
                c = vectors @ mean
                mean = symmetric(vectors[c > np.quantile(c, 0.3)].mean(0))
                mean /= np.linalg.norm(mean)
        by_race = collections.defaultdict(list)
        for r, c in zip(rows, vectors @ mean):
            by_race[r["race"]].append((float("%.4f" % c), r))
        chosen, lists = collections.defaultdict(list), collections.defaultdict(list)
        for race in sorted(by_race):
            rs = [r for _, r in sorted(by_race[race], key=lambda p: p[0])]
            low = sorted(rs[int(len(rs) * 0.04):int(len(rs) * 0.15)], key=lambda r: digest(r["file"]))
            all_of = low[30:] + rs[int(len(rs) * 0.15):]
            rs = sorted(rs[int(len(rs) * 0.15):], key=lambda r: digest(r["file"]))
            for name, n in sets:
                chosen[name] += rs[:n]
                rs = rs[n:]
            lists["low"] += low[:30]
            lists["V"] += [r for r in all_of if r not in chosen["dev"]]
        for name, rs in chosen.items():
            rs.sort(key=lambda r: digest(r["file"]))
            parts = {"train": (("t6", rs[:6000]),)}.get(name, ((name, rs),))
            for part_name, part_rows in parts:
                write(part_name, part_rows)
            if name == "dev":  # with some of the others, too
                write("dev-raw", rs + lists["low"], lambda r: False)
                write("dev-mirrored", rs + lists["low"])
    # All but the 4 per cent least like the mean face, and more Black faces.
    rs = sorted(lists["V"], key=lambda r: digest(r["file"] + "y"))[:21000]
    write("V", rs[:9000], lambda r: digest(r["file"] + "z")[0] % 2 == 0)
    write("W", [r for r in rs[9000:] if r["race"] == "Black"], lambda r: digest(r["file"] + "z")[0] % 2 == 0)


def write(name, rs, mirrored=lambda r: True):
    with open(f"{out}/ff-{name}.csv", "w") as o:
        print("file,left_eye_x,left_eye_y,right_eye_x,right_eye_y,nose_x,nose_y,left_mouth_x,left_mouth_y,right_mouth_x,right_mouth_y,race,age,gender", file=o)
        for r in rs:  # FairFace's own frame, the same for all crops
            m = mirrored(r)
            at = [(pad if m else 0) + crop * v for p in ((.32, .30), (.675, .30), (.4975, .525), (.36, .70), (.635, .70)) for v in p]
            print(("tiles/" if m else "crops/") + r["file"].replace("/", "-"), *["%.2f" % v for v in at], r["race"].replace(" ", "-"), r["age"], r["gender"], sep=",", file=o)
            tile(r["file"], m)


def points():
    """Tiles of the faces whose points were placed by eye."""
    with open(f"{here}/points.csv") as f, open(f"{out}/points.csv", "w") as o:
        o.write(f.read())
    for r in csv.DictReader(open(f"{out}/points.csv")):
        tile(r["file"].removeprefix("tiles/").replace("train-", "train/", 1), True)


def drawings():
    """Pages of our own documents, with lines and shapes."""
    random.seed(3)
    fonts = sorted(glob.glob("/usr/share/fonts/truetype/dejavu/*.ttf"))
    texts = [open(f, errors="ignore").read() for f in sorted(glob.glob(f"{docs}/*.md"))]
    for k in range(60):
        w, h = random.choice([(640, 480), (800, 600), (600, 800)])
        paper, ink = (random.randint(150, 255), random.randint(0, 70)) if k % 5 else (random.randint(0, 60), random.randint(170, 255))
        im = Image.new("L", (w, h), paper)
        d = ImageDraw.Draw(im)
        t = random.choice(texts)
        p, y = random.randrange(max(1, len(t) - 4000)), random.randint(4, 30)
        while y < h:
            f = ImageFont.truetype(random.choice(fonts), random.choice([10, 12, 14, 18, 24, 36, 60]))
            for _ in range(random.randint(1, 12)):
                d.text((random.randint(4, 30), y), t[p:p + random.randint(20, 110)].replace("\n", " "), fill=ink, font=f)
                p, y = p + 100, y + f.size * 1.25
            if random.random() < 0.35:
                high = random.randint(40, 200)
                for _ in range(random.randint(3, 25)):
                    q, a, b = random.random(), (random.randint(0, w), y + random.randint(0, high)), (random.randint(0, w), y + random.randint(0, high))
                    if q < 0.5:
                        d.line((*a, *b), fill=ink, width=random.randint(1, 5))
                    elif q < 0.75:
                        d.rectangle((min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])), outline=ink, width=random.randint(1, 4))
                    else:
                        r = random.randint(5, 60)
                        d.ellipse((a[0] - r, a[1] - r, a[0] + r, a[1] + r), outline=ink, fill=None if q < 0.9 else random.randint(0, 255), width=random.randint(1, 5))
                y += high
        im.save(f"{out}/drawn/{k:02}.png")


def shrunk(path, name, size):
    im = Image.open(path).convert("RGB")
    im.thumbnail((size, size), Image.LANCZOS if size == 768 else Image.BICUBIC)
    im.save(f"{out}/{name}", quality=92)


for d in ("tiles", "crops", "drawn", "lpbg", "wp"):
    os.makedirs(f"{out}/{d}", exist_ok=True)
faces()
points()
drawings()
with open(f"{out}/bg-train.txt", "w") as train, open(f"{out}/bg-dev.txt", "w") as dev:
    for number in open(f"{here}/openimages.txt").read().split():  # looked at: no faces
        name = f"lpbg/{number}.jpg"
        shrunk(sorted(glob.glob(f"{lp}/*/{number}_jpg*"))[0], name, 768)
        print(name, file=dev if digest(name)[0] % 8 == 0 else train)
    for wallpaper in open(f"{here}/wallpapers.txt").read().split():
        name = "wp/" + os.path.splitext(os.path.basename(wallpaper))[0] + ".jpg"
        shrunk(sorted(glob.glob(f"{packages}/**/{os.path.basename(wallpaper)}", recursive=True))[0], name, 1600)
        print(name, file=train)
    for k in range(60):
        print(f"drawn/{k:02}.png", file=train)

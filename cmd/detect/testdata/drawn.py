"""Makes drawn.xml, the cascade of the tests: boosted stumps that know the
faces of samples/group.png by heart, and nothing else.

    python3 drawn.py && detect convert -object face drawn.xml drawn.cascade

Needs numpy and OpenCV (to read and scale pictures). Written against OpenCV 4.6.
"""
import csv, cv2, numpy as np

SAMPLES, W = "../../../samples/", 24
rng = np.random.default_rng(1)

def features(n):
    """Rectangles (x, y, width, height, weight) in the window, two or three."""
    out = []
    while len(out) < n:
        x, y, w, h = (int(v) for v in rng.integers(0, W, 4))
        kind = rng.integers(4)
        w, h = 2 + w // 2, 2 + h // 2
        if kind == 0: r = [(x, y, 2*w, h, -1), (x, y, w, h, 2)]
        if kind == 1: r = [(x, y, w, 2*h, -1), (x, y, w, h, 2)]
        if kind == 2: r = [(x, y, 3*w, h, -1), (x+w, y, w, h, 3)]
        if kind == 3: r = [(x, y, w, 3*h, -1), (x, y+h, w, h, 3)]
        if r[0][0] + r[0][2] <= W and r[0][1] + r[0][3] <= W: out.append(r)
    return out

F = features(400)

def windows(img, s):
    """All windows of one size: where, whether they have contrast, values."""
    h, w = img.shape
    im = cv2.resize(img, (round(w/s), round(h/s)), interpolation=cv2.INTER_LINEAR_EXACT).astype(np.float64)
    S = np.pad(im.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    Q = np.pad((im*im).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    y, x = np.mgrid[0:im.shape[0]-W+1, 0:im.shape[1]-W+1]
    box = lambda T, a, b, c, d: T[y+b+d, x+a+c] - T[y+b, x+a+c] - T[y+b+d, x+a] + T[y+b, x+a]
    area = (W-2)**2
    norm = area*box(Q, 1, 1, W-2, W-2) - box(S, 1, 1, W-2, W-2)**2
    ok = norm > (11*area)**2
    inv = 1/np.sqrt(np.maximum(norm, 1))
    return x[ok], y[ok], np.stack([sum(k*box(S, a, b, c, d) for a, b, c, d, k in r)[ok]*inv[ok] for r in F], 1).astype(np.float32)

group, room = (cv2.imread(SAMPLES + f, 0) for f in ("group.png", "room.png"))
truth = [tuple(map(int, r[1:])) for r in list(csv.reader(open(SAMPLES + "group.csv")))[1:]]
pos, neg, s = [], [], 1.0
while W*s < 170:
    x, y, v = windows(group, s)
    cx, cy, far = (x+W/2)*s, (y+W/2)*s, np.ones(len(x), bool)
    for tx, ty, tw, th in truth:
        d = np.maximum(abs(cx-tx-tw/2), abs(cy-ty-th/2))/tw
        r = W*s/tw
        pos.append(v[(d < .06) & (.86 < r) & (r < 1.15)])
        far &= (d > .22) | (r < .6) | (r > 1.6)
    neg.append(v[far])
    neg.append(windows(room, s)[2])
    s *= 1.1
pos, neg = np.concatenate(pos), np.concatenate(neg)

stages = []
for count in (6, 10, 16, 24):
    some = neg[rng.permutation(len(neg))[:4000]]
    X = np.concatenate([pos, some])
    t = np.r_[np.ones(len(pos)), -np.ones(len(some))]
    w = np.where(t > 0, .5/len(pos), .5/len(some))
    order = np.argsort(X, axis=0)
    weak = []
    for _ in range(count):
        sw = np.take_along_axis(np.broadcast_to((w*t)[:, None], X.shape), order, 0).cumsum(0)
        i, f = np.unravel_index(np.argmax(abs(2*sw[:-1] - sw[-1])), sw[:-1].shape)
        thr = np.float32((X[order[i, f], f] + X[order[i+1, f], f])/2)
        h = np.where(X[:, f] < thr, 1, -1)*np.sign(2*sw[i, f] - sw[-1, f])
        e = np.clip(w[h != t].sum(), 1e-6, 1 - 1e-6)
        a = .5*np.log((1-e)/e)
        w = w*np.exp(-a*t*h); w /= w.sum()
        left = a*np.sign(2*sw[i, f] - sw[-1, f])
        weak.append((f, thr, round(float(left), 4)))
    score = lambda V: sum(np.where(V[:, f] < thr, a, -a) for f, thr, a in weak)
    limit = round(float(np.quantile(score(pos), .02)) - 1e-3, 4)
    stages.append((weak, limit))
    pos, neg = pos[score(pos) >= limit], neg[score(neg) >= limit]
    print(count, "stumps:", len(pos), "windows with faces,", len(neg), "without")
    if len(neg) == 0: break

used = sorted({f for weak, _ in stages for f, _, _ in weak})
with open("drawn.xml", "w") as o:
    o.write(f"<?xml version='1.0'?>\n<opencv_storage>\n<cascade><stageType>BOOST</stageType><featureType>HAAR</featureType>"
            f"<height>{W}</height><width>{W}</width><stageParams><maxWeakCount>{max(len(k) for k, _ in stages)}</maxWeakCount></stageParams>"
            f"<featureParams><maxCatCount>0</maxCatCount></featureParams><stageNum>{len(stages)}</stageNum>\n<stages>\n")
    for weak, limit in stages:
        o.write(f"<_><maxWeakCount>{len(weak)}</maxWeakCount><stageThreshold>{limit}</stageThreshold><weakClassifiers>\n")
        for f, thr, a in weak:
            o.write(f"<_><internalNodes>0 -1 {used.index(f)} {thr!s}</internalNodes><leafValues>{a} {-a}</leafValues></_>\n")
        o.write("</weakClassifiers></_>\n")
    o.write("</stages>\n<features>\n")
    for f in used:
        o.write("<_><rects>" + "".join("<_>%d %d %d %d %d.</_>" % r for r in F[f]) + "</rects><tilted>0</tilted></_>\n")
    o.write("</features></cascade>\n</opencv_storage>\n")

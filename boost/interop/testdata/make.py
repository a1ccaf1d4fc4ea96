# Makes the models and predictions in this folder with the real libraries:
#
#   python3 -m venv venv && venv/bin/pip install numpy xgboost-cpu==3.2.0 lightgbm==4.7.0 catboost==1.2.10 pandas scikit-learn onnx onnxruntime skl2onnx onnxmltools treelite==4.8.1
#   venv/bin/python make.py
#
# The data are of no interest: four columns, one of which is categorical, with
# missing values. rows.csv holds them, and NAME.csv the raw scores and the
# predictions of each model for them.
import csv
import json
import os
import subprocess
import sys
import tempfile

import lightgbm as lgb
import numpy as np
import pandas as pd
import xgboost as xgb

os.chdir(os.path.dirname(os.path.abspath(__file__)))
r = np.random.default_rng(1)
n = 120
x = np.round(r.normal(size=(n, 4)), 3)
x[:, 3] = r.integers(0, 6, n)
y = x[:, 0] + x[:, 1] * x[:, 2] + np.isin(x[:, 3], [1, 4]) * 2 + 0.3 * r.normal(size=n)
x[r.random(n) < 0.15, 0] = np.nan
x[r.random(n) < 0.05, 3] = np.nan
label = (y > 0.5).astype(float)
kind = np.digitize(y, [-0.5, 1]).astype(float)
count = np.floor(np.exp(np.clip(y, -2, 2)))


def save(name, raw, mean):
    with open(name + ".csv", "w", newline="") as f:
        w = csv.writer(f)
        for a, b in zip(np.atleast_2d(raw.T).T, np.atleast_2d(mean.T).T):
            w.writerow([repr(float(v)) for v in list(a) + list(b)])


with open("rows.csv", "w", newline="") as f:
    w = csv.writer(f)
    for row in x:
        w.writerow(["" if np.isnan(v) else repr(float(v)) for v in row])

types = ["q", "q", "q", "c"]
plain = dict(max_depth=3, eta=0.3, seed=1, nthread=1)
for name, target, p in [
    ("xgb-binary", label, dict(objective="binary:logistic")),
    ("xgb-numbers", y, dict(objective="reg:squarederror")),
    ("xgb-poisson", count, dict(objective="count:poisson")),
    ("xgb-several", kind, dict(objective="multi:softprob", num_class=3)),
    ("xgb-dart", label, dict(objective="binary:logistic", booster="dart", rate_drop=0.3)),
    ("xgb-forest", y, dict(objective="reg:absoluteerror", num_parallel_tree=3, subsample=0.7)),
    ("xgb-lossguide", label, dict(objective="binary:logistic", grow_policy="lossguide", max_leaves=9, max_depth=0, tree_method="hist")),
]:
    d = xgb.DMatrix(x, target, feature_names=["a", "b", "c", "kind"], feature_types=types, enable_categorical=True)
    m = xgb.train({**plain, **p}, d, 5)
    m.save_model(name + ".json")
    if name in ("xgb-several", "xgb-dart"):
        m.save_model(name + ".ubj")
    save(name, m.predict(d, output_margin=True), m.predict(d))

# Names of levels in the file.
d = pd.DataFrame(x, columns=["a", "b", "c", "kind"])
d["kind"] = pd.Categorical.from_codes(np.nan_to_num(d["kind"], nan=-1).astype(int), ["0", "1", "2", "3", "4", "five"])
d = xgb.DMatrix(d, y, enable_categorical=True)
m = xgb.train(plain, d, 3)
m.save_model("xgb-pandas.json")
save("xgb-pandas", m.predict(d, output_margin=True), m.predict(d))

quiet = dict(verbosity=-1, num_leaves=7, min_data_in_leaf=5, seed=1, num_threads=1, deterministic=True, min_data_per_group=5, cat_smooth=1)
for name, target, p in [
    ("lgb-binary", label, dict(objective="binary")),
    ("lgb-sigmoid", label, dict(objective="binary", sigmoid=0.7)),
    ("lgb-numbers", y, dict(objective="regression")),
    ("lgb-poisson", count, dict(objective="poisson")),
    ("lgb-several", kind, dict(objective="multiclass", num_class=3)),
    ("lgb-forest", label, dict(objective="binary", boosting="rf", bagging_freq=1, bagging_fraction=0.6)),
    ("lgb-nomissing", label, dict(objective="binary", use_missing=False)),
]:
    d = lgb.Dataset(x, target, feature_name=["a", "b", "c", "kind"], categorical_feature=[3], params=quiet)
    m = lgb.train({**quiet, **p}, d, 5)
    m.save_model(name + ".txt")
    save(name, m.predict(x, raw_score=True), m.predict(x))

# Of CatBoost some of others.py, without what says nothing of predictions.
for name, n in [("cb-combination", 177), ("cb-several", 42), ("cb-lossguide", 16)]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "others.py", folder, "catboost", str(n), str(n + 1)], check=True)
        path = os.path.join(folder, "random-%03d.cb" % n)
        m = json.load(open(path + ".json"))
        keep, loss = m["model_info"], m["model_info"]["params"]["loss_function"]
        m["model_info"] = {"class_params": keep.get("class_params", {}), "params": {"loss_function": loss}}
        for tree in m.get("oblivious_trees", []):
            del tree["leaf_weights"]
        json.dump(m, open(name + ".json", "w"), separators=(",", ":"))
        os.replace(path + ".csv", name + ".csv")

for name, n in [("onnx-modes", 38), ("onnx-average", 15), ("onnx-forest", 20), ("tl-vectors", 75), ("tl-sigmoid", 183)]:
    library, between, kind = ("onnx", ".ml", ".onnx") if name[0] == "o" else ("treelite", ".tl", ".tl")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "others.py", folder, library, str(n), str(n + 1)], check=True)
        for end in (kind, ".csv"):
            os.replace(os.path.join(folder, "random-%03d" % n) + between + end, name + end)

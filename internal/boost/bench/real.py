# Exports measured data sets, which the repository does not hold, as CSV files of two
# classes, for experiments on real domains (boost/EXPERIMENTS.md):
#
#   apt-get download r-cran-mlbench r-cran-kernlab && for d in *.deb; do dpkg -x $d r; done
#   python3 -m venv venv && venv/bin/pip install rdata pandas scikit-learn
#   venv/bin/python internal/boost/bench/real.py r FOLDER
#
# Where a set has more classes, those named are positive. Of more than 2,000 rows a
# fixed sample of 2,000 is taken. Columns of ordered levels stay categorical.
import os
import sys
import warnings

import pandas as pd
import rdata
from sklearn import datasets

warnings.filterwarnings("ignore")
source, target = sys.argv[1:3]
os.makedirs(target, exist_ok=True)

# package, object, class column, positive classes
sets = [
    ("mlbench", "Sonar", "Class", ["M"]),
    ("mlbench", "PimaIndiansDiabetes", "diabetes", ["pos"]),
    ("mlbench", "PimaIndiansDiabetes2", "diabetes", ["pos"]),
    ("mlbench", "Ionosphere", "Class", ["good"]),
    ("mlbench", "HouseVotes84", "Class", ["republican"]),
    ("mlbench", "BreastCancer", "Class", ["malignant"]),
    ("mlbench", "Glass", "Type", ["1", "2", "3"]),
    ("mlbench", "Vehicle", "Class", ["opel", "saab"]),
    ("mlbench", "Vowel", "Class", ["hid", "hId", "hEd", "hAd", "hYd"]),
    ("mlbench", "Zoo", "type", ["mammal"]),
    ("mlbench", "LetterRecognition", "lettr", list("ABCDEFGHIJKLM")),
    ("mlbench", "Satellite", "classes", ["red soil", "grey soil", "damp grey soil"]),
    ("mlbench", "Soybean", "Class", ["brown-spot", "alternarialeaf-spot", "frog-eye-leaf-spot"]),
    ("mlbench", "DNA", "Class", ["n"]),
    ("mlbench", "Shuttle", "Class", ["Rad.Flow"]),
    ("kernlab", "spam", "type", ["spam"]),
    ("kernlab", "musk", "Class", ["1"]),
    ("kernlab", "promotergene", "Class", ["+"]),
]


def save(name, frame, label, positive):
    y = frame[label].astype(str)
    x = frame.drop(columns=[label] + [c for c in frame.columns if c in ("Id",)])
    x = x[[c for c in x.columns if x[c].nunique() > 1]]
    x["class"] = ["yes" if v in positive else "no" for v in y]
    x = x[y.notna() & (y != "nan")]
    if len(x) > 2000:
        x = x.sample(2000, random_state=1)
    for c in x.columns[:-1]:  # names that are numbers stay names
        if isinstance(x[c].dtype, pd.CategoricalDtype) or x[c].dtype == object:
            x[c] = ["" if pd.isna(v) else "v" + str(v) for v in x[c]]
    x.to_csv(os.path.join(target, name.lower() + ".csv"), index=False)
    print(name, len(x), "rows", len(x.columns) - 1, "columns", (x["class"] == "yes").sum(), "positive")


for package, name, label, positive in sets:
    try:
        read = rdata.read_rda(os.path.join(source, "usr/lib/R/site-library", package, "data", name + ".rda"))
        save(name, pd.DataFrame(read[name]), label, positive)
    except Exception as e:
        print(name, "left out:", repr(e)[:120])
for name, load, positive in [("wdbc", datasets.load_breast_cancer, ["0"]), ("wine", datasets.load_wine, ["1"]), ("digits", datasets.load_digits, ["0", "2", "4", "6", "8"]), ("iris", datasets.load_iris, ["1"])]:
    d = load(as_frame=True)
    save(name, d.frame.rename(columns=lambda c: c.replace(" ", "_")), "target", positive)

# Holds the real libraries to what this package writes for them:
#
#   sh boost/interop/testdata/check.sh
#
# NAME.csv are the raw scores and predictions that
# the model NAME should have of rows.csv.
import csv
import glob
import os
import sys

import lightgbm as lgb
import numpy as np
import xgboost as xgb

try:
    import onnxruntime as ort
    import treelite
except ImportError:  # one of the environments has them
    ort = treelite = None

here = os.path.dirname(os.path.abspath(__file__))
x = np.array([[float(v) if v else np.nan for v in row] for row in csv.reader(open(os.path.join(here, "rows.csv")))])
worst, files = 0, 0
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.as.*"))):
    if path.endswith(".csv"):
        continue
    want = np.array([[float(v) for v in row] for row in csv.reader(open(path + ".csv"))])
    if path.endswith((".json", ".ubj")):
        m = xgb.Booster(model_file=path)
        names = m.feature_names
        d = xgb.DMatrix(x, feature_names=names, feature_types=m.feature_types, enable_categorical=True)
        raw, mean = m.predict(d, output_margin=True), m.predict(d)
    elif path.endswith(".tl"):
        if treelite is None:
            continue
        m = treelite.Model.deserialize(path)
        raw, mean = (treelite.gtil.predict(m, x, pred_margin=margin).reshape(len(x), -1) for margin in (True, False))
    elif path.endswith(".onnx"):
        if ort is None:
            continue
        m = ort.InferenceSession(path)
        raw = mean = m.run(None, {"X": x.astype(np.float32)})[-1]
        if len(m.get_outputs()) == 2 and mean.shape[1] == 2:
            raw = mean = mean[:, 1:]
        want = np.hstack([want[:, -mean.shape[1] :]] * 2)  # of predictions only
    else:
        m = lgb.Booster(model_file=path)
        raw, mean = m.predict(x, raw_score=True), m.predict(x)
    got = np.hstack([np.atleast_2d(raw.T).T, np.atleast_2d(mean.T).T])
    error = np.max(np.abs(got - want) / (1 + np.abs(want)))
    files += 1
    worst = max(worst, error)
    if error > 1e-6:
        print(os.path.basename(path), "differs by", error)
print(files, "models, largest difference", worst)
sys.exit(int(not files or worst > 1e-6))

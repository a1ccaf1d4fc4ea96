# Measures boosting beside scikit-learn, XGBoost and LightGBM: the same table, the
# same settings, one library after the other, round and round.
#
#   python3 -m venv venv && venv/bin/pip install numpy scikit-learn xgboost-cpu lightgbm
#   venv/bin/python internal/boost/bench/bench.py [-rounds 100] [-repeats 3] [-threads 1,2] [-only 100000x50] [-shapes depth3]
#
# Times are medians of the repeats: seconds to train, by the clock and of the
# processor, and nanoseconds of the processor a row to predict. On a machine that has
# other work to do go by the processor's. Quantising is part of training, and so is
# making a library's own matrix.
import argparse
import os
import statistics
import subprocess
import tempfile
import time
import warnings

import lightgbm as lgb
import numpy as np
import sklearn
import xgboost as xgb
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss, roc_auc_score
from threadpoolctl import threadpool_limits

warnings.filterwarnings("ignore")
a = argparse.ArgumentParser()
a.add_argument("-rounds", type=int, default=100)
a.add_argument("-repeats", type=int, default=3)
a.add_argument("-threads", default="1,2")
a.add_argument("-only", default="100000x50,1000000x20")
a.add_argument("-shapes", default="stumps,depth3,depth6,leaves31")
a.add_argument("-libraries", default="haarlem,xgboost,lightgbm,sklearn")
a = a.parse_args()
shapes = {"stumps": (1, 0), "depth3": (3, 0), "depth6": (6, 0), "leaves31": (0, 31)}
here = os.path.dirname(os.path.abspath(__file__))
folder = tempfile.mkdtemp()
ours = os.path.join(folder, "bench")
subprocess.run(["go", "build", "-o", ours, "."], cwd=here, check=True)


def timed(f):
    c, t = time.process_time(), time.perf_counter()
    r = f()
    return (time.perf_counter() - t, time.process_time() - c), r


def judge(fit, predict, one, p, y):
    return *fit, predict / len(y), one, log_loss(y, p), roc_auc_score(y, p)


def best_of(f, n=5, calls=1):
    return min(timed(lambda: [f() for _ in range(calls)])[0][1] for _ in range(n)) / calls


def run_haarlem(data, threads, depth, leaves):
    out = subprocess.run([ours, "run", data["file"], str(data["rows"]), str(data["columns"]), str(threads), str(depth), str(leaves), str(a.rounds)],
                         check=True, capture_output=True, text=True).stdout
    return tuple(float(v) for v in out.split())


def run_xgboost(data, threads, depth, leaves):
    p = dict(objective="binary:logistic", tree_method="hist", max_bin=256, eta=0.1, nthread=threads, reg_lambda=1, min_child_weight=1)
    p.update(dict(max_depth=depth) if depth else dict(max_depth=0, max_leaves=leaves, grow_policy="lossguide"))
    fit, m = timed(lambda: xgb.train(p, xgb.QuantileDMatrix(data["x"], data["y"], max_bin=256, nthread=threads), a.rounds))
    return judge(fit, best_of(lambda: m.inplace_predict(data["tx"])), best_of(lambda: m.inplace_predict(data["tx"][:1]), 5, 100), m.inplace_predict(data["tx"]), data["ty"])


def run_lightgbm(data, threads, depth, leaves):
    p = dict(objective="binary", learning_rate=0.1, max_bin=255, num_threads=threads, verbosity=-1, lambda_l2=1, min_sum_hessian_in_leaf=1, min_data_in_leaf=1,
             num_leaves=leaves or 2**depth, max_depth=depth or -1)
    fit, m = timed(lambda: lgb.train(p, lgb.Dataset(data["x"], data["y"], params=p), a.rounds))
    return judge(fit, best_of(lambda: m.predict(data["tx"], num_threads=threads)), best_of(lambda: m.predict(data["tx"][:1], num_threads=1), 5, 100), m.predict(data["tx"]), data["ty"])


def run_sklearn(data, threads, depth, leaves):
    m = HistGradientBoostingClassifier(max_iter=a.rounds, learning_rate=0.1, max_leaf_nodes=leaves or None, max_depth=depth or None, max_bins=255,
                                       l2_regularization=1, min_samples_leaf=1, early_stopping=False)
    with threadpool_limits(threads):
        fit, m = timed(lambda: m.fit(data["x"], data["y"]))
        return judge(fit, best_of(lambda: m.predict_proba(data["tx"])), best_of(lambda: m.predict_proba(data["tx"][:1]), 5, 10), m.predict_proba(data["tx"])[:, 1], data["ty"])


print("xgboost", xgb.__version__, "lightgbm", lgb.__version__, "scikit-learn", sklearn.__version__)
print(next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown CPU"))
print(f"{a.rounds} rounds, medians of {a.repeats}")
print(f"{'table':>12} {'shape':>9} {'threads':>7} {'library':>9} {'train s':>8} {'cpu s':>6} {'batch ns':>8} {'one ns':>9} {'log loss':>8} {'AUC':>7}")
for size in a.only.split(","):
    rows, columns = (int(v) for v in size.split("x"))
    file = os.path.join(folder, size)
    subprocess.run([ours, "make", file, str(rows), str(columns)], check=True)
    t = np.fromfile(file, dtype="<f4").reshape(rows, columns + 1)
    cut = rows - rows // 10
    data = dict(file=file, rows=rows, columns=columns, x=np.ascontiguousarray(t[:cut, :-1]), y=t[:cut, -1], tx=np.ascontiguousarray(t[cut:, :-1]), ty=t[cut:, -1])
    for shape in a.shapes.split(","):
        for threads in (int(v) for v in a.threads.split(",")):
            results = {}
            for _ in range(a.repeats):
                for name in a.libraries.split(","):
                    results.setdefault(name, []).append(globals()["run_" + name](data, threads, *shapes[shape]))
            for name, runs in results.items():
                r = [statistics.median(v) for v in zip(*runs)]
                print(f"{size:>12} {shape:>9} {threads:>7} {name:>9} {r[0]:8.2f} {r[1]:6.2f} {r[2]*1e9:8.0f} {r[3]*1e9:9.0f} {r[4]:8.4f} {r[5]:7.4f}", flush=True)
    os.remove(file)

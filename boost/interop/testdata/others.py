# Makes random models of the real libraries, for TestRandom, with their raw scores
# and predictions of rows.csv:
#
#   python others.py FOLDER LIBRARY FROM TO
import csv
import os
import sys

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
folder, library = sys.argv[1:3]
os.makedirs(folder, exist_ok=True)
x = np.array([[float(v) if v else np.nan for v in row] for row in csv.reader(open(os.path.join(here, "rows.csv")))])
numbers = x.astype(np.float32)


def save(name, raw, mean):
    with open(os.path.join(folder, name + ".csv"), "w", newline="") as f:
        w = csv.writer(f)
        for a, b in zip(np.atleast_2d(np.asarray(raw).T).T, np.atleast_2d(np.asarray(mean).T).T):
            w.writerow([repr(float(v)) for v in list(a) + list(b)])


def targets(n, r):
    y = np.nan_to_num(x[:, 0]) + x[:, 1] * x[:, 2] + np.isin(x[:, 3], r.integers(0, 6, 2)) * 2 + 0.3 * r.normal(size=len(x))
    if n % 2:  # levels of two columns together
        y += 3 * ((np.floor(x[:, 2]) + np.nan_to_num(x[:, 3])) % 2)
    return y, (y > 0.5).astype(int), np.digitize(y, [-0.5, 1]), np.floor(np.exp(np.clip(y, -2, 2)))


def catboost(n, r):
    import catboost as cb

    y, label, kind, count = targets(n, r)
    loss = ["RMSE", "Logloss", "MultiClass", "Poisson", "Quantile", "MAE", "CrossEntropy", "Tweedie:variance_power=1.5"][n % 8]
    target = {"Logloss": label, "CrossEntropy": label, "MultiClass": kind, "Poisson": count}.get(loss, count if "Tweedie" in loss else y)
    cats = [2, 3] if n % 3 == 0 else [3]
    rows = [[np.float32(a), np.float32(b), "c%d" % np.floor(c) if 2 in cats else np.float32(c), "?" if np.isnan(d) else "%d" % d] for a, b, c, d in x]
    known = ~np.isnan(x[:, 3])
    pool = cb.Pool([row for row, k in zip(rows, known) if k], target[known], cat_features=cats, feature_names=["a", "b", "c", "kind"])
    p = dict(loss_function=loss, iterations=int(r.integers(1, 12)), depth=int(r.integers(1, 6)), learning_rate=0.3, random_seed=n, verbose=0, thread_count=1, allow_writing_files=False)
    p["one_hot_max_size"] = [2, 10, 2, 2][n // 2 % 4]
    p["max_ctr_complexity"] = [1, 4, 2][n // 3 % 3]
    p["nan_mode"] = ["Min", "Max"][n // 5 % 2]
    if n % 5 == 1:
        p["grow_policy"] = ["Lossguide", "Depthwise"][n // 5 % 2]
    if n % 7 == 3:
        p["simple_ctr"] = ["Buckets:TargetBorderCount=1", "BinarizedTargetMeanValue", "Counter"]
    m = cb.CatBoost(p).fit(pool)
    name = "random-%03d" % n
    m.save_model(os.path.join(folder, name + ".cb.json"), format="json", pool=pool)
    raw = m.predict(rows, prediction_type="RawFormulaVal")
    kind = {"Logloss": "Probability", "CrossEntropy": "Probability", "MultiClass": "Probability", "Poisson": "Exponent"}.get(loss, "Exponent" if "Tweedie" in loss else "RawFormulaVal")
    mean = m.predict(rows, prediction_type=kind)
    save(name + ".cb", raw, mean[:, 1] if loss in ("Logloss", "CrossEntropy") else mean)


def xgboost(n, r):
    import xgboost as xgb

    y, label, kind, count = targets(n, r)
    objective = [
        "binary:logistic", "reg:squarederror", "multi:softprob", "count:poisson", "survival:cox", "reg:gamma", "rank:ndcg", "survival:aft",
        "reg:tweedie", "rank:pairwise", "reg:absoluteerror", "reg:pseudohubererror", "binary:logitraw", "reg:quantileerror", "reg:logistic",
        "binary:hinge", "multi:softmax", "reg:squaredlogerror", "rank:map",
    ][n % 19]
    first = objective.split(":")[0]
    target = {"binary": label, "multi": kind, "count": count, "rank": label, "survival": 1 + count}.get(first, y)
    if objective in ("reg:gamma", "reg:tweedie", "reg:squaredlogerror"):
        target = 1 + count
    if objective == "reg:logistic":
        target = label
    p = dict(objective=objective, max_depth=int(r.integers(1, 6)), eta=0.3, seed=n, nthread=1, base_score=float(r.uniform(0.2, 0.8)) if n % 2 else None)
    if p["base_score"] is None:
        del p["base_score"]
    if n % 3 == 0:
        p.update(booster="dart", rate_drop=0.3)
    if n % 5 == 1:
        p.update(grow_policy="lossguide", max_leaves=9, tree_method="hist")
    if n % 6 == 4:
        p["gamma"] = 0.5  # some nodes are deleted again
    if n % 7 == 2 and objective not in ("reg:quantileerror", "reg:absoluteerror"):
        p.update(num_parallel_tree=2, subsample=0.7)
    if first == "multi":
        p["num_class"] = 3
    if objective == "reg:quantileerror":
        p["quantile_alpha"] = 0.7
    d = xgb.DMatrix(x, target, feature_names=["a", "b", "c", "kind"], feature_types=["q", "q", "q", "q" if n % 4 == 3 else "c"], enable_categorical=True)
    if first == "rank":
        d.set_group([40, 50, 30])
    if objective == "survival:cox":
        d.set_label(np.where(label, target, -target))
    if objective == "survival:aft":
        d.set_float_info("label_lower_bound", target)
        d.set_float_info("label_upper_bound", np.where(label, target, np.inf))
    m = xgb.train(p, d, int(r.integers(1, 12)))
    name = "random-%03d.xgb%s" % (n, xgb.__version__)
    m.save_model(os.path.join(folder, name + [".json", ".ubj"][n % 2]))
    raw, mean = m.predict(d, output_margin=True), m.predict(d)
    if objective == "multi:softmax":
        mean = np.exp(raw) / np.exp(raw).sum(axis=1, keepdims=True)
    save(name, raw, raw if objective == "binary:hinge" else mean)


def lightgbm(n, r):
    import lightgbm as lgb

    y, label, kind, count = targets(n, r)
    objective = ["binary", "regression", "multiclass", "poisson", "lambdarank", "gamma", "tweedie", "cross_entropy", "quantile", "huber", "mape", "rank_xendcg", "fair", "regression_l1"][n % 14]
    target = {"binary": label, "cross_entropy": label, "multiclass": kind, "poisson": count, "gamma": 1 + count, "tweedie": count, "lambdarank": label, "rank_xendcg": label}.get(objective, y)
    p = dict(objective=objective, verbosity=-1, num_leaves=int(r.integers(2, 12)), min_data_in_leaf=3, seed=n, num_threads=1, min_data_per_group=3, cat_smooth=1)
    p["boosting"] = ["gbdt", "dart", "goss"][n % 3]
    if objective == "multiclass":
        p["num_class"] = 3
    if objective == "binary":
        p["sigmoid"] = 1 + n % 3
    p["use_missing"] = n % 5 != 0
    d = lgb.Dataset(x, target, group=[40, 50, 30] if "rank" in objective else None, categorical_feature=[3] if n % 4 else [], params=p)
    m = lgb.train(p, d, int(r.integers(1, 12)))
    name = "random-%03d.lgb" % n
    m.save_model(os.path.join(folder, name + ".txt"))
    save(name, m.predict(numbers, raw_score=True), m.predict(numbers))


for n in range(int(sys.argv[3]), int(sys.argv[4])):
    globals()[library](n, np.random.default_rng(n))

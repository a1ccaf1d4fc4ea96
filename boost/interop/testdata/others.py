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


def onnx(n, r):
    import onnxruntime as ort
    from onnx import TensorProto, helper

    y, label, kind, count = targets(n, r)
    filled, classes, trees = np.nan_to_num(numbers), [0, 2, 3][n % 3], int(r.integers(1, 9))
    if n % 4 == 0:
        from skl2onnx import to_onnx
        from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor

        cls = [GradientBoostingRegressor, GradientBoostingClassifier, GradientBoostingClassifier, RandomForestRegressor, RandomForestClassifier, RandomForestClassifier][n // 4 % 6]
        m = cls(n_estimators=trees, max_depth=4, random_state=n).fit(filled, [y, label, kind][n // 4 % 3])
        model = to_onnx(m, filled[:1], options={id(m): {"zipmap": False}} if n // 4 % 3 else None)
        tested = filled
    elif n % 4 == 1:
        from onnxmltools import convert_lightgbm, convert_xgboost
        from onnxmltools.convert.common.data_types import FloatTensorType
        import lightgbm as lgb
        import xgboost as xgb

        target = [y, label, kind][n // 4 % 3]
        kinds = [("x", FloatTensorType([None, 4]))]
        if n // 4 % 2:
            cls = [xgb.XGBRegressor, xgb.XGBClassifier, xgb.XGBClassifier][n // 4 % 3]
            model = convert_xgboost(cls(n_estimators=trees, max_depth=4).fit(numbers, target), initial_types=kinds)
        else:
            cls = [lgb.LGBMRegressor, lgb.LGBMClassifier, lgb.LGBMClassifier][n // 4 % 3]
            model = convert_lightgbm(cls(n_estimators=trees, min_child_samples=3, verbose=-1).fit(numbers, target, categorical_feature=[3]), initial_types=kinds, zipmap=False)
        tested = numbers
    else:  # trees of all modes
        lists = {k: [] for k in ["treeids", "nodeids", "featureids", "truenodeids", "falsenodeids", "missing_value_tracks_true", "modes", "values"]}
        weights = {k: [] for k in ["treeids", "nodeids", "ids", "weights"]}
        for t in range(trees):
            size = int(r.integers(0, 12))
            leaves, children = [0], {}
            for k in range(size):
                at = leaves.pop(int(r.integers(len(leaves))))
                children[at] = (2 * k + 1, 2 * k + 2)
                leaves += children[at]
            for node in [0] + list(r.permutation(np.arange(1, 2 * size + 1))):
                mode = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ"][r.integers(5)]
                feature = 3 if mode == "BRANCH_EQ" else int(r.integers(3))
                yes, no = children.get(node, (0, 0))
                value = float(r.integers(0, 6)) if feature == 3 else float(numbers[r.integers(len(x)), feature])
                for k, v in zip(lists, [t, int(node), feature, yes, no, int(r.integers(2)), mode if node in children else "LEAF", np.nan_to_num(value)]):
                    lists[k].append(v)
            for leaf in leaves:
                for c in range(max(1, classes)):
                    if classes < 3 and c or classes == 3 and c != leaf % 3 and r.random() < 0.2:
                        continue
                    for k, v in zip(weights, [t, leaf, c if classes == 3 else int(classes == 2 and n % 5 == 2), float(r.normal())]):
                        weights[k].append(v)
        name, transform = ("class", "SOFTMAX" if classes == 3 else "LOGISTIC") if classes else ("target", "NONE")
        attributes = {"nodes_" + k: v for k, v in lists.items()}
        attributes.update({name + "_" + k: v for k, v in weights.items()}, post_transform=transform)
        if n % 5 == 1:
            attributes["base_values"] = [0.25] * (3 if classes == 3 else 1)
        if classes:
            attributes["classlabels_strings"] = ["a", "b", "c"][:classes]
        else:
            attributes.update(n_targets=1, aggregate_function=["SUM", "AVERAGE"][n // 8 % 2])
        node = helper.make_node("TreeEnsemble" + ("Classifier" if classes else "Regressor"), ["x"], ["label", "y"] if classes else ["y"], domain="ai.onnx.ml", **attributes)
        outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
        if classes:
            outputs.insert(0, helper.make_tensor_value_info("label", TensorProto.STRING, None))
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 4])], outputs)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("ai.onnx.ml", 1), helper.make_opsetid("", 15)], ir_version=8)
        tested = numbers
    path = os.path.join(folder, "random-%03d.ml" % n)
    open(path + ".onnx", "wb").write(model.SerializeToString())
    session = ort.InferenceSession(path + ".onnx", providers=["CPUExecutionProvider"])
    out = session.run(None, {session.get_inputs()[0].name: tested})[-1]
    if isinstance(out, list):
        out = np.array([[row[k] for k in sorted(row)] for row in out])
    out = out.reshape(len(x), -1)
    if out.shape[1] == 2:
        out = out[:, 1:]
    if n % 4 == 0:
        out[np.isnan(numbers).any(axis=1)] = np.nan  # which scikit-learn does not know
    with open(path + ".csv", "w", newline="") as f:
        csv.writer(f).writerows([repr(float(v)) if v == v else "" for v in row] for row in out)


def treelite(n, r):
    import lightgbm as lgb
    import treelite as tl
    import xgboost as xgb
    from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor
    from treelite.model_builder import Metadata, ModelBuilder, PostProcessorFunc, TreeAnnotation

    y, label, kind, count = targets(n, r)
    objective, target, classes = [("regression", y, 1), ("binary", label, 1), ("multiclass", kind, 3), ("poisson", count, 1)][n // 4 % 4]
    trees = int(r.integers(1, 9))
    if n % 4 == 0:
        p = dict(objective=objective, num_class=classes, verbosity=-1, min_data_in_leaf=3, num_leaves=9, num_threads=1, min_data_per_group=3, use_missing=n % 3 > 0)
        if n % 5 == 1:
            p.update(boosting="rf", bagging_freq=1, bagging_fraction=0.7)
        m = tl.frontend.from_lightgbm(lgb.train(p, lgb.Dataset(x, target, categorical_feature=[3], params=p), trees))
    elif n % 4 == 1:
        p = dict(objective=dict(regression="reg:squarederror", binary="binary:logistic", multiclass="multi:softprob", poisson="count:poisson")[objective], max_depth=5, nthread=1)
        if classes > 1:
            p["num_class"] = classes
        if n % 3 == 0:
            p.update(booster="dart", rate_drop=0.3)
        d = xgb.DMatrix(x, target, feature_types=["q", "q", "q", "c"], enable_categorical=True)
        m = tl.frontend.from_xgboost(xgb.train(p, d, trees))
    elif n % 4 == 2:
        cls = [RandomForestRegressor, RandomForestClassifier, ExtraTreesClassifier, GradientBoostingRegressor][n // 4 % 4]
        m = tl.sklearn.import_model(cls(n_estimators=trees, max_depth=4, random_state=n).fit(np.nan_to_num(numbers), target))
    else:  # trees of all comparisons
        width = ["float32", "float64"][n // 16 % 2]
        kind = dict(regression="kRegressor", binary="kBinaryClf", multiclass="kMultiClf", poisson="kRegressor")[objective]
        post = dict(regression="identity", binary="sigmoid", multiclass="softmax", poisson="exponential")[objective]
        vector = classes > 1 and n % 3 == 0
        b = ModelBuilder(
            threshold_type=width,
            leaf_output_type=width,
            metadata=Metadata(4, kind, n % 5 == 0, 1, [classes], (1, classes if vector else 1)),
            tree_annotation=TreeAnnotation(trees * classes, [0] * trees * classes, [-1 if vector else k % classes for k in range(trees * classes)]),
            postprocessor=PostProcessorFunc(post, **(dict(sigmoid_alpha=1.5) if post == "sigmoid" else {})),
            base_scores=list(r.normal(size=classes)),
        )
        for _ in range(trees * classes):
            b.start_tree()
            size = int(r.integers(0, 12))
            leaves, children = [0], {}
            for k in range(size):
                at = leaves.pop(int(r.integers(len(leaves))))
                children[at] = (2 * k + 1, 2 * k + 2)
                leaves += children[at]
            for node in range(2 * size + 1):
                b.start_node(node)
                if node not in children:
                    b.leaf([float(v) for v in r.normal(size=classes)] if vector else float(r.normal()))
                else:
                    way = dict(default_left=bool(r.integers(2)), left_child_key=children[node][0], right_child_key=children[node][1])
                    if r.integers(4) == 0:
                        b.categorical_test(3, category_list=[int(c) for c in np.flatnonzero(r.integers(0, 2, 6))], category_list_right_child=bool(r.integers(2)), **way)
                    else:
                        j = int(r.integers(3))
                        cut = float(np.nan_to_num(numbers[r.integers(len(x)), j]))
                        b.numerical_test(j, cut, opname=["<", "<=", ">", ">="][r.integers(4)], **way)
                b.end_node()
            b.end_tree()
        m = b.commit()
    path = os.path.join(folder, "random-%03d" % n)
    m.serialize(path + ".tl.tl")
    tested = numbers.astype(m.input_type)
    raw, mean = (tl.gtil.predict(m, tested, pred_margin=margin).reshape(len(x), -1) for margin in (True, False))
    save("random-%03d.tl" % n, mean[:, :0] if n % 4 == 2 and mean.shape[1] > 1 else raw, mean)


for n in range(int(sys.argv[3]), int(sys.argv[4])):
    globals()[library](n, np.random.default_rng(n))

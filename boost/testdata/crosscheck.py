"""Makes crosscheck.txt: what scikit-learn's AdaBoost and trees say about a small
table. Run it with Debian 12's python3-sklearn:

    python3 crosscheck.py > crosscheck.txt

Lines: "data", then rows of label and values; "staged NAME", then a training
error per round; "tree NAME", then the predictions of one weighted tree.
Values have many digits, so that no two splits are equally good by chance. The
random state is there for the last digits of probabilities: without it scikit-learn
adds up in another order each time.
"""

import numpy
import sklearn
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

rng = numpy.random.RandomState(7)
rows = 200
# Trees work in float32: whole numbers of 4096ths are the same there.
x = numpy.round(rng.randn(rows, 5) * 4096) / 4096
y = numpy.where(x[:, 0] + x[:, 1] * x[:, 2] + 0.7 * rng.randn(rows) > 0.1, 1, -1)
w = numpy.round(0.5 + rng.rand(rows), 6)

print("# scikit-learn", sklearn.__version__)
print("data")
for i in range(rows):
    print(y[i], w[i], *x[i])


def staged(name, tree, weights, algorithm="SAMME"):
    booster = AdaBoostClassifier(tree, n_estimators=40, algorithm=algorithm, random_state=0)
    booster.fit(x, y, sample_weight=weights)
    print("staged", name)
    for p in booster.staged_predict(x):
        print(repr(float(numpy.average(p != y, weights=weights))))


staged("stumps", DecisionTreeClassifier(max_depth=1, random_state=0), None)
staged("weighted-stumps", DecisionTreeClassifier(max_depth=1, random_state=0), w)
staged("entropy-stumps", DecisionTreeClassifier(max_depth=1, criterion="entropy", random_state=0), w)
staged("depth-2", DecisionTreeClassifier(max_depth=2, random_state=0), w)
staged("leaves-5", DecisionTreeClassifier(max_leaf_nodes=5, random_state=0), w)
# Real AdaBoost. A leaf of one class has a probability of 2^-52 for the other.
staged("real-stumps", DecisionTreeClassifier(max_depth=1, random_state=0), w, "SAMME.R")
staged("real-depth-2", DecisionTreeClassifier(max_depth=2, random_state=0), w, "SAMME.R")


def tree(name, t):
    t.fit(x, y, sample_weight=w)
    print("tree", name)
    for p in t.predict_proba(x):
        print(repr(float(p[1])))


tree("depth-3", DecisionTreeClassifier(max_depth=3, random_state=0))
tree("leaves-7", DecisionTreeClassifier(max_leaf_nodes=7, criterion="entropy", random_state=0))

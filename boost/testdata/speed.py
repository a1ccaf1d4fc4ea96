"""Times scikit-learn on the table of BenchmarkTable: 100,000 rows by 100
columns, AdaBoost with stumps. Prints wall-clock and processor seconds a round,
measured over a few rounds.

    python3 speed.py
    go test -run xxx -bench Table ./boost
"""

import time

import numpy
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

rng = numpy.random.RandomState(3)
x = rng.randn(100_000, 100)
y = numpy.where(x[:, 0] + x[:, 1] + rng.randn(100_000) < 0, -1, 1)
rounds = 3
wall, cpu = time.time(), time.process_time()
AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=rounds, algorithm="SAMME").fit(x, y)
print("%.3f s a round, %.3f s of processor time" % ((time.time() - wall) / rounds, (time.process_time() - cpu) / rounds))

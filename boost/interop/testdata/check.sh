#!/bin/sh
# Holds XGBoost 2.1 and 3.2 and LightGBM to what this package writes for them: the
# models of testdata and twenty of deep trees.
#
#   sh boost/interop/testdata/check.sh [FOLDER]
#
# FOLDER keeps the environments for the next time.
set -e
cd "$(dirname "$0")/../../.."
folder=${1:-$(mktemp -d)}
mkdir -p "$folder/models"
go test -count=1 ./boost/interop -others "$folder/models"
for version in 2.1.4 3.2.0; do
	[ -x "$folder/$version/bin/python" ] || python3 -m venv "$folder/$version"
	"$folder/$version/bin/pip" install --quiet numpy scipy "xgboost-cpu==$version" lightgbm==4.7.0
	"$folder/$version/bin/python" boost/interop/testdata/check.py "$folder/models"
done

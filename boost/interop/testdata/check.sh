#!/bin/sh
# Holds XGBoost 2.1 and 3.2 and LightGBM to what this package writes for them: the
# models of testdata and twenty of deep trees. Then holds this package to random models
# of theirs.
#
#   sh boost/interop/testdata/check.sh [FOLDER [MODELS]]
#
# FOLDER keeps the environments for the next time; MODELS of each kind are made, 40.
set -e
cd "$(dirname "$0")/../../.."
folder=${1:-$(mktemp -d)}
mkdir -p "$folder/models"
go test -count=1 ./boost/interop -others "$folder/models"
for version in 2.1.4 3.2.0; do
	[ -x "$folder/$version/bin/python" ] || python3 -m venv "$folder/$version"
	"$folder/$version/bin/pip" install --quiet numpy scipy "xgboost-cpu==$version" lightgbm==4.7.0
	"$folder/$version/bin/python" boost/interop/testdata/check.py "$folder/models"
	"$folder/$version/bin/python" boost/interop/testdata/others.py "$folder/made" xgboost 0 "${2:-40}"
done
"$folder/3.2.0/bin/pip" install --quiet --no-deps catboost==1.2.10 pandas python-dateutil six
for library in lightgbm catboost; do
	"$folder/3.2.0/bin/python" boost/interop/testdata/others.py "$folder/made" $library 0 "${2:-40}" >"$folder/made.log"
done
go test -count=1 ./boost/interop -run TestOthers -v -made "$folder/made"

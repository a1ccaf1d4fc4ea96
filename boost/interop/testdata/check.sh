#!/bin/sh
# Holds XGBoost 2.1 and 3.2, LightGBM, ONNX Runtime and Treelite to what this package writes for
# them: the models of testdata and twenty of deep trees. Then holds this package to
# random models of theirs, of CatBoost and of what converts to ONNX.
#
#   sh boost/interop/testdata/check.sh [FOLDER [MODELS]]
#
# FOLDER keeps the environments for the next time; MODELS of each kind are made, 40.
set -e
cd "$(dirname "$0")/../../.."
folder=${1:-$(mktemp -d)}
others=boost/interop/testdata/others.py
mkdir -p "$folder/models"
go test -count=1 ./boost/interop -others "$folder/models"
for version in 2.1.4 3.2.0; do
	python=$folder/$version/bin/python
	[ -x "$python" ] || python3 -m venv "$folder/$version"
	"$python" -m pip install --quiet numpy scipy "xgboost-cpu==$version" lightgbm==4.7.0
	if [ $version = 3.2.0 ]; then
		"$python" -m pip install --quiet scikit-learn==1.9.1 onnx==1.23.2 onnxruntime==1.32.0 skl2onnx==1.20.0 onnxmltools==1.16.0 treelite==4.8.1
		"$python" -m pip install --quiet --no-deps catboost==1.2.10 pandas python-dateutil six
	fi
	"$python" boost/interop/testdata/check.py "$folder/models"
	"$python" "$others" "$folder/made" xgboost 0 "${2:-40}"
done
for library in lightgbm catboost onnx treelite; do
	"$python" "$others" "$folder/made" $library 0 "${2:-40}" >"$folder/made.log" 2>&1 || { cat "$folder/made.log"; exit 1; }
done
go test -count=1 ./boost/interop -run TestOthers -v -made "$folder/made"

#!/bin/sh
# Blood cells: cells.sh DATA OUT [flags of train-cascade auto]
#
# DATA has cells/ and cells.csv (file,label,x,y,width,height,split): the BCCD data set,
# microscope pictures with boxes of white cells, platelets and red cells (MIT licence).
# What lies outside the boxes is all the background that there is.
set -eu
data=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
train=${TRAIN_CASCADE:-train-cascade}

tr -d '\r' <"$data/cells.csv" | awk -F, 'NR == 1 || $5 > 0 && $6 > 0' >"$out/cells.csv"
cd "$data/cells"
for kind in WBC=leukocyte Platelets=platelet RBC=erythrocyte; do
	name=${kind#*=}
	"$train" auto -truth "$out/cells.csv" -split split -where "label=${kind%=*}" -object "$name" \
		-data-name "BCCD: Blood Cell Count and Detection data set; MIT licence" \
		-opencv=false -out "$out/$name.cascade" -time 10m "$@"
done

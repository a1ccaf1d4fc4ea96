#!/bin/sh
# Stop signs: signs.sh DATA OUT [flags of train-cascade auto]
#
# DATA has signs/ and signs.csv (file,class,split,x1,y1,x2,y2): crops of traffic signs of
# GTSRB (Stallkamp and others, 2012), split by track; class 14 is the stop sign. They
# are put on pictures of DATA/backgrounds. The other signs are learned as background.
set -eu
data=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
train=${TRAIN_CASCADE:-train-cascade}

tr -d '\r' <"$data/signs.csv" | awk -F, -v OFS=, 'NR == 1 { print "file,x,y,width,height,class,split" }
	NR > 1 { print $1, $4, $5, $6 - $4 + 1, $7 - $5 + 1, $2, $3 }' >"$out/signs.csv"
cd "$data/signs"
"$train" auto -truth "$out/signs.csv" -split split -where class=14 -object sign -bg "$data/backgrounds" \
	-out "$out/stop-sign.cascade" -time 15m "$@"

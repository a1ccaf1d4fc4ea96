#!/bin/sh
# Stop signs: signs.sh DATA OUT [flags of train-cascade auto]
#
# DATA has signs/ and signs.csv (file,class,split,x1,y1,x2,y2): crops of traffic signs of
# GTSRB (Stallkamp and others, 2012), split by track; class 14 is the stop sign. The crops
# were scaled to one size, and the corners of the signs were not: GTSRB leaves as much
# room on the right as on the left, so a crop was x1 + x2 wide. They are put on pictures
# of DATA/backgrounds. The other signs are learned as background.
set -eu
data=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
train=${TRAIN_CASCADE:-train-cascade}

cd "$data/signs"
identify -format '%f,%w,%h\n' ./*.jpg >"$out/sizes.csv"
tr -d '\r' <"$data/signs.csv" | awk -F, -v OFS=, 'FNR == NR { wide[$1] = $2; high[$1] = $3; next }
FNR == 1 { print "file,x,y,width,height,class,split" }
FNR > 1 {
	x = wide[$1]/($4 + $6); y = high[$1]/($5 + $7)
	print $1, int($4*x + 0.5), int($5*y + 0.5), int(($6 - $4)*x + 0.5), int(($7 - $5)*y + 0.5), $2, $3
}' "$out/sizes.csv" - >"$out/signs.csv"
"$train" auto -truth "$out/signs.csv" -split split -where class=14 -object stop-sign -bg "$data/backgrounds" \
	-data-name "GTSRB: Stallkamp, Schlipsing, Salmen, Igel, Man vs. computer: benchmarking machine learning algorithms for traffic sign recognition, 2012, its training part; research use" \
	-data-name "Naotoshi Seo's haartraining tutorial: its negative images, gathered from the web for that tutorial" \
	-out "$out/stop-sign.cascade" -time 15m "$@"

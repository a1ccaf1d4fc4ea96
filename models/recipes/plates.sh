#!/bin/sh
# Number plates: plates.sh DATA OUT [flags of train-cascade auto]
#
# DATA has plates/ and plates.csv (file,label,x,y,width,height,split): photographs of
# cars, squashed to squares. Each is learned three times, as it is and widened to 4:3
# and 16:9, since nobody knows what shape it had; not every plate has a box. Boxes that
# are slivers of a plate at the edge of a picture are not learned. DATA also has
# backgrounds/, pictures without plates.
set -eu
data=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
train=${TRAIN_CASCADE:-train-cascade}
opencv=${OPENCV_CASCADES:-/usr/share/opencv4/haarcascades}

mkdir -p "$out/plates"
cd "$out/plates"
echo file,x,y,width,height,split,original,ignore >../plates.csv
for width in 100 135 178; do
	for f in "$data"/plates/*.jpg; do
		to=$(basename "$f" .jpg)-$width.jpg
		[ -e "$to" ] || convert "$f" -resize "$width%x100%!" -quality 92 "$to"
	done
	tr -d '\r' <"$data/plates.csv" | awk -F, -v OFS=, -v w=$width 'NR > 1 {
		n = $1; sub(/\.jpg$/, "-" w ".jpg", n)
		print n, int($3*w/100), int($4), int($5*w/100 + 0.5), int($6), $7, $1, $7 == "train" && ($6 < 8 || $5 < 0.7*$6 || $5 > 6*$6)
	}' >>../plates.csv
done
"$train" auto -truth ../plates.csv -split split -group original -rest no -bg "$data/backgrounds" \
	-mirror no -object plate -out "$out/plate.cascade" -time 20m \
	-baseline "russian-plate-number=$opencv/haarcascade_russian_plate_number.xml" "$@"

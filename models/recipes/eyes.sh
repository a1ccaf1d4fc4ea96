#!/bin/sh
# Eyes: eyes.sh DATA OUT [flags of train-cascade auto]
#
# DATA has faces-helen/ and faces-helen.csv (file,x1,y1,...,x68,y68): faces of Helen (Le and
# others, ECCV 2012) with the points of 300-W. A box of an eye is a square of 0.65 of the
# eyes' distance around the mean of its six points. Pictures are enlarged twice, so that
# OpenCV's cascades, whose window has 20 pixels, find them too.
set -eu
data=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
train=${TRAIN_CASCADE:-train-cascade}
opencv=${OPENCV_CASCADES:-/usr/share/opencv4/haarcascades}

mkdir -p "$out/eyes"
cd "$out/eyes"
for f in "$data"/faces-helen/*.jpg; do
	to=$(basename "$f")
	[ -e "$to" ] || convert "$f" -resize 200% -quality 92 "$to"
done
tr -d '\r' <"$data/faces-helen.csv" | awk -F, -v OFS=, 'NR == 1 { print "file,x,y,width,height" }
NR > 1 {
	lx = ly = rx = ry = 0
	for (i = 37; i <= 42; i++) { lx += $(2*i); ly += $(2*i + 1) }
	for (i = 43; i <= 48; i++) { rx += $(2*i); ry += $(2*i + 1) }
	lx /= 3; ly /= 3; rx /= 3; ry /= 3
	s = int(0.65*sqrt((rx - lx)^2 + (ry - ly)^2) + 0.5)
	print $1, int(lx - s/2), int(ly - s/2), s, s
	print $1, int(rx - s/2), int(ry - s/2), s, s
}' >../eyes.csv
"$train" auto -truth ../eyes.csv -bg "$data/backgrounds" -object eye -out "$out/eye.cascade" -time 15m \
	-baseline "haarcascade_eye=$opencv/haarcascade_eye.xml" \
	-baseline "haarcascade_eye_tree_eyeglasses=$opencv/haarcascade_eye_tree_eyeglasses.xml" "$@"

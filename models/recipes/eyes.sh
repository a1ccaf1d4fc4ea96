#!/bin/sh
# Eyes: eyes.sh DATA OUT [flags of train-cascade auto]
#
# DATA has faces-helen/ and faces-helen.csv (file,x1,y1,...,x68,y68): faces of Helen (Le and
# others, ECCV 2012) with the points of 300-W. A box of an eye is a square of 0.65 of the
# eyes' distance around the mean of its six points. Other people look into many pictures,
# and their eyes have no points: so a picture is cut to the face that has them. It is
# enlarged twice, so that OpenCV's cascades, whose window has 20 pixels, find eyes too.
set -eu
data=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
train=${TRAIN_CASCADE:-train-cascade}
opencv=${OPENCV_CASCADES:-/usr/share/opencv4/haarcascades}

mkdir -p "$out/eyes"
cd "$out/eyes"
identify -format '%f,%w,%h\n' "$data"/faces-helen/*.jpg >../sizes.csv
# file, the part to cut out (width, height, left, top), and for each eye left and top of
# its box and the box's side in the enlarged part
tr -d '\r' <"$data/faces-helen.csv" | awk -F, 'FNR == NR { wide[$1] = $2; high[$1] = $3; next }
FNR > 1 {
	lx = ly = rx = ry = 0
	for (i = 37; i <= 42; i++) { lx += $(2*i)/6; ly += $(2*i + 1)/6 }
	for (i = 43; i <= 48; i++) { rx += $(2*i)/6; ry += $(2*i + 1)/6 }
	d = sqrt((rx - lx)^2 + (ry - ly)^2)
	x0 = x1 = $2; y0 = y1 = $3
	for (i = 1; i <= 68; i++) {
		if ($(2*i) < x0) x0 = $(2*i)
		if ($(2*i) > x1) x1 = $(2*i)
		if ($(2*i + 1) < y0) y0 = $(2*i + 1)
		if ($(2*i + 1) > y1) y1 = $(2*i + 1)
	}
	x0 = int(x0 - 0.3*d); if (x0 < 0) x0 = 0
	y0 = int(y0 - 0.8*d); if (y0 < 0) y0 = 0
	x1 = int(x1 + 0.3*d); if (x1 > wide[$1]) x1 = wide[$1]
	y1 = int(y1 + 0.3*d); if (y1 > high[$1]) y1 = high[$1]
	s = int(2*0.65*d + 0.5)
	print $1, x1 - x0, y1 - y0, x0, y0, int(2*(lx - x0) - s/2), int(2*(ly - y0) - s/2), int(2*(rx - x0) - s/2), int(2*(ry - y0) - s/2), s
}' ../sizes.csv - >../cuts
echo file,x,y,width,height >../eyes.csv
while read -r f w h x y lx ly rx ry s; do
	[ -e "$f" ] || convert "$data/faces-helen/$f" -crop "${w}x$h+$x+$y" +repage -resize 200% -quality 92 "$f"
	printf '%s\n' "$f,$lx,$ly,$s,$s" "$f,$rx,$ry,$s,$s" >>../eyes.csv
done <../cuts
"$train" auto -truth ../eyes.csv -bg "$data/backgrounds" -object eye -out "$out/eye.cascade" -time 15m \
	-baseline "haarcascade_eye=$opencv/haarcascade_eye.xml" \
	-baseline "haarcascade_eye_tree_eyeglasses=$opencv/haarcascade_eye_tree_eyeglasses.xml" "$@"

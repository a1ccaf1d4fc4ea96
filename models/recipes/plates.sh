#!/bin/sh
# Number plates: plates.sh DATA OUT [flags of train-cascade auto]
#
# DATA has plates/ and plates.csv (file,label,x,y,width,height,split): photographs of
# cars, squashed to squares. Each is learned three times, as it is and widened to 4:3
# and 16:9, since nobody knows what shape it had. DATA also has backgrounds/, pictures
# without plates.
#
# The set holds most photographs several times: moved, mirrored, brighter or darker. Its
# own split has copies on both sides, so it is not used: plates-photographs.csv says
# which pictures are of the same photograph (found by SIFT features that agree on a
# similarity) and divides these. Not every plate has a box: those that were found in
# pictures to learn from are in plates-unlabelled.csv, and are left out of training, as
# are slivers of plates at the edge of a picture.
set -eu
data=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
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
	tr -d '\r' <"$data/plates.csv" | awk -F, -v OFS=, -v w=$width '
	function row(n, x, y, wide, high, part, of, ignore) {
		sub(/\.jpg$/, "-" w ".jpg", n)
		print n, int(x*w/100), int(y), int(wide*w/100 + 0.5), int(high), part, of, ignore
	}
	FILENAME ~ /photographs/ { k = split($3, all, " "); for (i = 1; i <= k; i++) { n = "plate-" all[i] ".jpg"; original[n] = $1; part[n] = $2 } next }
	FILENAME ~ /unlabelled/ { lost[FNR] = $0; next }
	FNR > 1 { seen[$1]; row($1, $3, $4, $5, $6, part[$1], original[$1], part[$1] != "test" && ($6 < 8 || $5 < 0.7*$6 || $5 > 6*$6)) }
	END { for (i in lost) { split(lost[i], b, ","); n = "plate-" b[1] ".jpg"; if (n in seen) row(n, b[2], b[3], b[4], b[5], part[n], original[n], 1) } }
	' "$here/plates-photographs.csv" "$here/plates-unlabelled.csv" - >>../plates.csv
done
"$train" auto -truth ../plates.csv -split split -group original -rest no -bg "$data/backgrounds" \
	-mirror no -object plate \
	-data-name "A public set of photographs of cars with number plates; no terms stated, research use" \
	-data-name "Naotoshi Seo's haartraining tutorial: its negative images, gathered from the web for that tutorial" \
	-out "$out/plate.cascade" -time 20m \
	-baseline "russian-plate-number=$opencv/haarcascade_russian_plate_number.xml" "$@"

#!/bin/sh
# Blood cells: cells.sh DATA OUT [flags of train-cascade auto]
#
# DATA has cells/ and cells.csv (file,label,x,y,width,height,split): the BCCD data set,
# microscope pictures with boxes of white cells, platelets and red cells (MIT licence).
# What lies outside the boxes is all the background that there is.
#
# Platelets are few. They are learned in the red channel, where red cells are faint, and
# in eight positions: a picture from a microscope has no upside.
set -eu
data=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
train=${TRAIN_CASCADE:-train-cascade}

tr -d '\r' <"$data/cells.csv" | awk -F, 'NR == 1 || $5 > 0 && $6 > 0' >"$out/cells.csv"
cells() {
	name=$1
	shift
	"$train" auto -split split -object "$name" -data-name "BCCD: Blood Cell Count and Detection data set; MIT licence" \
		-opencv=false -out "$out/$name.cascade" -time 10m "$@"
}

mkdir -p "$out/red"
cd "$out/red"
for f in "$data"/cells/*.jpg; do
	n=$(basename "$f" .jpg)
	[ -e "$n-7.jpg" ] || convert "$f" -channel R -separate -quality 95 \
		\( -clone 0 -write "$n-0.jpg" +delete \) \( -clone 0 -flop -write "$n-1.jpg" +delete \) \
		\( -clone 0 -flip -write "$n-2.jpg" +delete \) \( -clone 0 -rotate 180 -write "$n-3.jpg" +delete \) \
		\( -clone 0 -transpose -write "$n-4.jpg" +delete \) \( -clone 0 -rotate 90 -write "$n-5.jpg" +delete \) \
		\( -clone 0 -rotate 270 -write "$n-6.jpg" +delete \) -transverse "$n-7.jpg"
done
identify -format '%f,%w,%h\n' ./*-0.jpg | sed 's/-0\.jpg//' >../sizes.csv
awk -F, -v OFS=, 'FNR == NR { wide[$1] = $2; high[$1] = $3; next }
FNR == 1 { print "file,label,x,y,width,height,split,original" }
FNR > 1 {
	n = $1; sub(/\.jpg$/, "", n)
	x = int($3); y = int($4); w = int($5); h = int($6); right = wide[n] - x - w; below = high[n] - y - h
	for (i = 0; i < 8 && (i == 0 || $7 == "train"); i++) {
		# left and top edge in each position, in the order of the pictures
		split(i == 0 ? x " " y : i == 1 ? right " " y : i == 2 ? x " " below : i == 3 ? right " " below : \
			i == 4 ? y " " x : i == 5 ? below " " x : i == 6 ? y " " right : below " " right, at, " ")
		print n "-" i ".jpg", $2, at[1], at[2], i < 4 ? w : h, i < 4 ? h : w, $7, $1
	}
}' ../sizes.csv ../cells.csv >../red.csv
cells platelet -truth ../red.csv -group original -where label=Platelets "$@"

cd "$data/cells"
cells leukocyte -truth "$out/cells.csv" -where label=WBC "$@"
cells erythrocyte -truth "$out/cells.csv" -where label=RBC "$@"

// Package samples reads what a detector learns from, pictures and files that
// say where in them the object is, and makes training windows of it. It knows
// pictures and files only, nothing of features or models.
//
// [ReadTruth] reads photographs with boxes or landmarks in the usual formats
// (OpenCV's info.dat, CSV, Pascal VOC, COCO, YOLO, landmarks in a CSV),
// [ReadVec] OpenCV's files of finished windows, [Crops] folders of pictures
// that each are one object, and [Backgrounds] pictures in which the object does
// not occur, or not outside known boxes. README.md in this folder describes the
// formats.
//
// [CheckPositives] and [CheckBackgrounds] look at every file before hours are
// spent on it, leave out what would spoil the training and say so in a
// [Report].
//
// [Make] cuts training windows out of photographs, aligned by landmarks or by
// boxes, mirrored, and spoilt as a [Jitter] says; [MakeFromOne] makes many of
// one picture; [Split] parts them by photograph; [Sheet] shows them to a person.
// A [Spoiler] does to whole pictures what a [Jitter] says of light, film, print
// and file.
// The same seed gives the same bytes on every machine.
//
// Boxes and landmarks are in pixels of the upright picture, as a viewer shows
// it: if a camera noted in the file that it was held on its side (EXIF), the
// picture is turned first. Pixel (0, 0) is the top left one; a box holds its
// left and top edge and not its right and bottom edge, as everywhere in Go.
//
// Files are not trusted. Readers have limits ([ErrLimit]), and an error says
// the file, the line and the field ([LineError]).
package samples
